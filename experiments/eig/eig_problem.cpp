#include <experiments/common/problem_cache.hpp>
#include <experiments/common/solved.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/eig_problem.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <experiments/eig/general_source.hpp>
#include <experiments/engine/prepared.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

using EigSolution = Solved<EigResult<double>>;

template <class T>
class EigProblem final : public Problem {
 public:
  explicit EigProblem(GeneralMatrix<T> matrix) : matrix_(std::move(matrix)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_eig(axes)); }

  std::unique_ptr<Solution> solve(const EigCase& wanted) const {
    if (!wanted.variant)
      return std::make_unique<EigSolution>(
          solve_eig_with_baseline<T>(wanted.solver, matrix_.A, wanted.left, wanted.threads));
    EigOptions options;
    options.variant = *wanted.variant;
    options.backend = parse_backend(wanted.backend);
    options.left_vectors = wanted.left;
    options.threads = wanted.threads;
    return std::make_unique<EigSolution>(eig<T>(matrix_.A, options));
  }

  Judgement judge(const EigCase& judged, const Solution& solution) const {
    const EigResult<double>& result = static_cast<const EigSolution&>(solution).result;
    Judgement judgement;
    judgement.problem = write_rows(eig_problem_rows(), problem_facts());
    if (judged.variant) {
      judgement.variant = variant_section(eig_names(), judged.solver);
      judgement.convergence = write_rows(eig_convergence_rows(), result);
    }
    if (result.eigenvalues.empty() && matrix_.A.rows() > 0) return judgement;  // a baseline that did not converge
    const EigMetrics metrics =
        judge_eig(matrix_, {.eigenvalues = result.eigenvalues, .V = result.V, .W = judged.left ? &result.W : nullptr});
    add_metrics(judgement, metrics, write_judged(eig_metric_rows(), metrics));
    judgement.metrics.update(write_rows(eig_solution_rows(), plotted(result.eigenvalues)));
    return judgement;
  }

 private:
  EigProblemFacts problem_facts() const {
    std::vector<std::complex<double>> truth;
    for (const auto& z : matrix_.eigenvalues)
      truth.emplace_back(static_cast<double>(z.real()), static_cast<double>(z.imag()));
    return {matrix_.provenance, frobenius_norm(matrix_.A), !truth.empty(), plotted(truth)};
  }

  GeneralMatrix<T> matrix_;
};

AnyGeneral generate(const EigCase& wanted) {
  return generate_general({.generator = wanted.generator, .type = wanted.type, .n = wanted.n, .seed = wanted.seed});
}

AnyGeneral make_matrix(const EigCase& wanted, std::string_view key, const fs::path& cache) {
  if (is_general_file(wanted.generator)) return load_general(wanted.generator);
  if (wanted.n * wanted.n < cached_elements) return generate(wanted);
  return cached(
      cache_file(cache, key), [](const fs::path& file) { return read_general(file); }, [&] { return generate(wanted); },
      [](const fs::path& file, const AnyGeneral& matrix) { write_general(file, matrix); });
}

}  // namespace

std::unique_ptr<Problem> make_eig_problem(const EigCase& eig_case, std::string_view key, const fs::path& cache) {
  return std::visit(
      []<class T>(GeneralMatrix<T> matrix) -> std::unique_ptr<Problem> {
        return std::make_unique<EigProblem<T>>(std::move(matrix));
      },
      make_matrix(eig_case, key, cache));
}

}  // namespace pivotlab::experiments
