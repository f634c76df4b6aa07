#include <experiments/common/solver_names.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/eig/eig_case.hpp>
#include <experiments/eig/eig_estimate.hpp>
#include <experiments/eig/eig_method.hpp>
#include <experiments/eig/eig_problem.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <experiments/engine/environment.hpp>
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

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities({&eig_names()})},
                                             {"problem", quantities_of(eig_problem_rows())},
                                             {"convergence", quantities_of(eig_convergence_rows())},
                                             {"metrics", quantities_of(eig_metric_rows(), eig_solution_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {"type", "scalar type of the matrix: d real, z complex", std::string("z"), {.choices = {"d", "z"}}},
        {"n", "order", std::int64_t{256}, {.minimum = 0}},
        {"generator", "where the matrix comes from: a generator, or file:", std::string("random")},
        {"seed", "of the generator", std::int64_t{1}, {.minimum = 0}},
        {"solver", "a variant or a peer; '?' is the letter of the type", to_string(EigVariant{})},
        {"vectors", "eigenvectors: right, or both", std::string("right"), {.choices = {"right", "both"}}},
        backend_axis(),
        {"threads", "0: all cores", std::int64_t{default_threads()}, {.minimum = 1}}};
    return infos;
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_eig(axes)); }

  Case problem(const Case& axes) const override {
    Case result = axes;
    for (const char* name : {"solver", "vectors", "backend", "threads"}) result.erase(name);
    return result;
  }

  Estimate estimate(const Case& axes) const override { return estimate_eig(interpret_eig(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_eig_problem(interpret_eig(axes), digest(canonical_json(problem(axes))), cache);
  }
};

}  // namespace

const Method& eig_method() {
  static const EigMethod method;
  return method;
}

}  // namespace pivotlab::experiments
