#include <experiments/common/problem_cache.hpp>
#include <experiments/common/solved.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/eigh/eigh_problem.hpp>
#include <experiments/eigh/eigh_sections.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/ldlt/ldlt_estimate.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

template <class T>
class EighProblem final : public Problem {
 public:
  explicit EighProblem(SymmetricMatrix<T> matrix) : matrix_(std::move(matrix)), truth_(eigh_truth(matrix_.A)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_eigh(axes)); }

  std::unique_ptr<Solution> solve(const EighCase& wanted) const {
    if (!wanted.variant)
      return std::make_unique<Solved<EighResult<T>>>(
          solve_eigh_with_baseline<T>(wanted.solver, matrix_.A, wanted.threads));
    return std::make_unique<Solved<EighResult<T>>>(eigh<T>(
        matrix_.A, {.variant = *wanted.variant, .backend = parse_backend(wanted.backend), .threads = wanted.threads}));
  }

  Judgement judge(const EighCase& judged, const Solution& solution) const {
    const EighResult<T>& result = static_cast<const Solved<EighResult<T>>&>(solution).result;
    Judgement judgement;
    judgement.problem = write_rows(eigh_problem_rows(), problem_facts());
    if (judged.variant) {
      judgement.variant = variant_section(eigh_names(), judged.solver);
      judgement.convergence = write_rows(eigh_convergence_rows(), EighConvergence(result));
    }
    if (std::ssize(result.eigenvalues) != matrix_.A.rows()) return judgement;  // a baseline that did not converge
    const EighMetrics metrics = judge_eigh(matrix_.A, truth_, result);
    add_metrics(judgement, metrics, write_judged(eigh_metric_rows(), metrics));
    return judgement;
  }

 private:
  EighProblemFacts problem_facts() const {
    EighProblemFacts facts{.provenance = matrix_.provenance, .norm_f = frobenius_norm(matrix_.A)};
    for (const Quad& value : truth_.eigenvalues) {
      const double size = std::abs(static_cast<double>(value));
      facts.smallest_eigenvalue = std::min(facts.smallest_eigenvalue.value_or(size), size);
      facts.largest_eigenvalue = std::max(facts.largest_eigenvalue.value_or(size), size);
    }
    return facts;
  }

  SymmetricMatrix<T> matrix_;
  EighTruth truth_;
};

AnySymmetric generate(const EighCase& wanted) {
  return generate_symmetric({.generator = wanted.generator, .type = wanted.type, .n = wanted.n, .seed = wanted.seed});
}

AnySymmetric make_matrix(const EighCase& wanted, std::string_view key, const fs::path& cache) {
  if (is_matrix_file(wanted.generator)) return load_matrix(wanted.generator, Symmetry::hermitian, wanted.seed);
  if (wanted.n * wanted.n < cached_elements || !is_slow_to_generate(wanted.generator)) return generate(wanted);
  return cached(
      cache_file(cache, key), [](const fs::path& file) { return read_symmetric(file); },
      [&] { return generate(wanted); },
      [](const fs::path& file, const AnySymmetric& matrix) { write_symmetric(file, matrix); });
}

}  // namespace

std::unique_ptr<Problem> make_eigh_problem(const EighCase& eigh_case, std::string_view key, const fs::path& cache) {
  return std::visit(
      []<class T>(SymmetricMatrix<T> matrix) -> std::unique_ptr<Problem> {
        return std::make_unique<EighProblem<T>>(std::move(matrix));
      },
      make_matrix(eigh_case, key, cache));
}

}  // namespace pivotlab::experiments
