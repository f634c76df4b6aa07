#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/hsvd/hsvd_case.hpp>
#include <experiments/hsvd/hsvd_commands.hpp>
#include <experiments/hsvd/hsvd_estimate.hpp>
#include <experiments/hsvd/hsvd_method.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/hsvd/hsvd_problem.hpp>
#include <experiments/hsvd/hsvd_sections.hpp>
#include <experiments/hsvd/rectangular_source.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

class HsvdMethod final : public Method {
 public:
  std::string_view name() const override { return "hsvd"; }
  std::string_view title() const override { return "Hyperbolic singular value decomposition"; }
  std::string_view summary() const override {
    return "G·V = U·Σ with V*JV = J' by a one-sided Jacobi iteration; J = I is the singular value decomposition";
  }
  Claims claims() const override {
    return {
        "the factors are those of a matrix within the bound of residual_ratio, U is orthonormal and V is "
        "J-orthogonal to working precision, and, up to m = 128, every error is at most 10 estimates where "
        "Gershgorin's theorem encloses σ",
        "digits of σ below ε·‖G‖ that no estimate claims; columns of U that belong to σ = 0"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(hsvd_problem_rows())},
                                             {"convergence", quantities_of(hsvd_convergence_rows())},
                                             {"metrics", quantities_of(hsvd_metric_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("d"),
        order_axis_info("Columns of G", 128, 1),
        row_count_axis_info("m", "Rows of G: one for all n, one for each, or a multiple like 2n; 0: n"),
        generator_axis_info("Source of G: a generator such as 'graded;g={2..8}' or file:G.mtx", "random",
                            is_rectangular_file),
        {.name = "signs",
         .summary = "Diagonal of J: positive (J = I), halves (the second is -1), third (every third is -1), random",
         .default_value = std::string("positive"),
         .domain = {.choices = {sign_patterns.begin(), sign_patterns.end()}}},
        seed_axis_info(),
        solver_axis_info(to_string(HsvdVariant{})),
        backend_axis_info(),
        threads_axis_info()};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override { return {&hsvd_names()}; }
  std::vector<ListEntry> generators() const override {
    return entries_of(list_rectangular_generators(), rectangular_sources());
  }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_svd_baselines(ScalarType::d), list_svd_baselines(ScalarType::z)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"-n 64 --generator 'graded;g={2,4,6}' --baseline lapack:dgesvj,lapack:dgejsv,lapack:dgesdd",
            "-n 64,128,256 --form PT,FB,BO --solver '?{,;qrp}'",
            "-n 32 --generator 'parallel;gap={1e-2,1e-4}' --signs halves",
            "-n 100 --m 2n --generator 'two-sided;g=8' --format csv"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_hsvd(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_hsvd(interpret_hsvd(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_hsvd_problem(interpret_hsvd(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_hsvd_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_hsvd_command(); }
};

}  // namespace

const Method& hsvd_method() {
  static const HsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
