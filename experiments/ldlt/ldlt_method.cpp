#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/ldlt/ldlt_case.hpp>
#include <experiments/ldlt/ldlt_commands.hpp>
#include <experiments/ldlt/ldlt_estimate.hpp>
#include <experiments/ldlt/ldlt_method.hpp>
#include <experiments/ldlt/ldlt_problem.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <variants/names.hpp>

#include <limits>

namespace pivotlab::experiments {
namespace {

class LdltMethod final : public Method {
 public:
  std::string_view name() const override { return "ldlt"; }
  std::string_view title() const override { return "Symmetric indefinite factorization"; }
  std::string_view summary() const override {
    return "P·A·Pᵀ = M·D·M* with complete (Bunch–Parlett), rook or partial (Bunch–Kaufman) pivoting";
  }
  Claims claims() const override {
    return {
        "the factors are those of a matrix that differs from A by at most the bound of dsyt01, solutions have the "
        "backward error of dpot02, and the pivots obey the bounds of the pivoting",
        "the inertia of A, which a certificate alone does (docs/inertia.md); solutions of ill-conditioned "
        "systems, whose error solve_error tells"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(ldlt_problem_rows())},
                                             {"metrics", quantities_of(ldlt_metric_rows(), ldlt_solver_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("d"),
        {.name = "symmetry",
         .summary = "Symmetry of complex matrices: hermitian, symmetric",
         .default_value = std::string("hermitian"),
         .domain = {.choices = {"hermitian", "symmetric"}}},
        order_axis_info("Order", 512, 0),
        generator_axis_info("Source of the matrix: a generator such as 'latb4;type={1..10}', file:A.mtx or "
                            "permuted:A.mtx",
                            "equidistant", is_matrix_file),
        seed_axis_info(),
        solver_axis_info("LDLT-BP"),
        {.name = "storage",
         .summary = "Storage of the variants: packed, full",
         .default_value = std::string("packed"),
         .domain = {.choices = {"packed", "full"}},
         .role = AxisRole::solution},
        {.name = "tolerance",
         .summary = "What counts as zero, relative to max|A|",
         .default_value = std::numeric_limits<double>::epsilon(),
         .domain = {.minimum = 0, .maximum = 1, .open_maximum = true},
         .role = AxisRole::solution,
         .default_text = "2^-52"},
        {.name = "gjg",
         .summary = "Also compute G J G* of the variants, beside the same in quad (columns gjg_...)",
         .default_value = false,
         .domain = {.optional = true},
         .role = AxisRole::solution},
        backend_axis_info(),
        threads_axis_info()};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override { return {&ldlt_names()}; }
  std::vector<ListEntry> generators() const override {
    return entries_of(list_symmetric_generators(), matrix_sources());
  }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_ldlt_baselines(ScalarType::d), list_ldlt_baselines(ScalarType::z, Symmetry::hermitian),
                       list_ldlt_baselines(ScalarType::z, Symmetry::symmetric)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"--pivot BP,RK --alpha 0.01:0.99:0.14,a0 -n 500 --generator random,kkt",
            "-n 256:1024:256 --pivot BP,RK,BK --baseline lapack:dsytrf,lapack:dsytrf_rook",
            "-n 100 --type z --symmetry hermitian,symmetric --generator 'latb4;type={1..10}'",
            "--generator file:A.mtx.gz --tolerance 0,1e-12 --format csv"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_ldlt(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_ldlt(interpret_ldlt(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_ldlt_problem(interpret_ldlt(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_ldlt_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_ldlt_command(); }
};

}  // namespace

const Method& ldlt_method() {
  static const LdltMethod method;
  return method;
}

}  // namespace pivotlab::experiments
