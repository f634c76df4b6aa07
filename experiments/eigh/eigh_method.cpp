#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/eigh/eigh_case.hpp>
#include <experiments/eigh/eigh_commands.hpp>
#include <experiments/eigh/eigh_estimate.hpp>
#include <experiments/eigh/eigh_method.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/eigh/eigh_problem.hpp>
#include <experiments/eigh/eigh_sections.hpp>
#include <experiments/ldlt/ldlt_commands.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <pivotlab/generate.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

class EighMethod final : public Method {
 public:
  std::string_view name() const override { return "eigh"; }
  std::string_view title() const override { return "Eigendecomposition of a Hermitian matrix"; }
  std::string_view summary() const override {
    return "A = U·Λ·U* by A = G·J·G* and a one-sided hyperbolic Jacobi iteration, accurate also for small eigenvalues";
  }
  Claims claims() const override {
    return {
        "all eigenvalues are those of a matrix within the bound of residual_ratio, and, up to n = 128, every "
        "error is at most 10 estimates and no sign is wrong that is not marked as noise. The true eigenvalues "
        "are computed by the library Eigen in as many bits as they need, by an algorithm that the solvers do "
        "not share",
        "estimates above that order; digits of single eigenvectors; eigenvalues without vectors above that "
        "order, which are skipped"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(eigh_problem_rows())},
                                             {"convergence", quantities_of(eigh_convergence_rows())},
                                             {"metrics", quantities_of(eigh_metric_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("d"),
        order_axis_info("Order", 128, 0),
        generator_axis_info("Source of the matrix: a generator such as 'graded;g={2..8}', file:A.mtx or "
                            "permuted:A.mtx",
                            "random", is_matrix_file),
        seed_axis_info(),
        solver_axis_info(to_string(EighVariant{})),
        backend_axis_info(),
        threads_axis_info()};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override { return {&eigh_names()}; }
  std::vector<ListEntry> generators() const override {
    return entries_of(list_symmetric_generators(), matrix_sources());
  }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_eigh_baselines(ScalarType::d), list_eigh_baselines(ScalarType::z)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"-n 64 --generator 'graded;g={2,4,6};order=random;core=conditioned' --baseline lapack:dsyevd,lapack:dsyevr",
            "-n 64,128,256 --form PT,FB,BO --pivot RK,CP",
            "-n 128 --generator 'spectrum;kappa={1e4,1e8}' --solver 'HEV-RK-ME-BO{,;spectral}'",
            "--generator file:A.mtx.gz --format csv"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_eigh(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_eigh(interpret_eigh(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_eigh_problem(interpret_eigh(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_eigh_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_eigh_command(); }
};

}  // namespace

const Method& eigh_method() {
  static const EighMethod method;
  return method;
}

}  // namespace pivotlab::experiments
