#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/eig/eig_case.hpp>
#include <experiments/eig/eig_commands.hpp>
#include <experiments/eig/eig_estimate.hpp>
#include <experiments/eig/eig_method.hpp>
#include <experiments/eig/eig_problem.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <experiments/eig/general_source.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

class EigMethod final : public Method {
 public:
  std::string_view name() const override { return "eig"; }
  std::string_view title() const override { return "Eigendecomposition of a general matrix"; }
  std::string_view summary() const override {
    return "A·V = V·Λ by Jacobi-like sweeps of shears, unitary and diagonal transformations";
  }
  Claims claims() const override {
    return {
        "each pair of an eigenvalue and its vectors belongs to a matrix within the bound of get22, and, where "
        "V is well conditioned, all eigenvalues are there",
        "digits of single eigenvalues beyond that; with an ill-conditioned V, that no eigenvalue is given twice "
        "and another is missing"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(eig_problem_rows())},
                                             {"convergence", quantities_of(eig_convergence_rows())},
                                             {"metrics", quantities_of(eig_metric_rows(), eig_solution_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("z"),
        order_axis_info("Order", 256, 0),
        generator_axis_info("Source of the matrix: a generator such as 'similarity;kappa={1e2,1e6}', or "
                            "file:A.mtx",
                            "random", is_general_file),
        seed_axis_info(),
        solver_axis_info(to_string(EigOptions{}.variant)),
        {.name = "vectors",
         .summary = "Eigenvectors: right, both",
         .default_value = std::string("right"),
         .domain = {.choices = {"right", "both"}},
         .role = AxisRole::solution},
        backend_axis_info(),
        threads_axis_info()};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override { return {&eig_names()}; }
  std::vector<ListEntry> generators() const override {
    return entries_of(list_general_generators(), general_sources());
  }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_eig_baselines(ScalarType::d), list_eig_baselines(ScalarType::z)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"--form fused,b16 -n 64,128 --generator grcar,normal --baseline lapack:zgeev",
            "-n 64 --generator 'similarity;kappa={1e2,1e4,1e6}' --strategy RR,ME,MM",
            "-n 64 --solver 'ZEIG-(RR);fused{,;shear=off,;diagonal=off}'",
            "--generator file:A.mtx.gz --baseline lapack:dgeev --vectors both --format csv"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_eig(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_eig(interpret_eig(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_eig_problem(interpret_eig(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_eig_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_eig_command(); }
};

}  // namespace

const Method& eig_method() {
  static const EigMethod method;
  return method;
}

}  // namespace pivotlab::experiments
