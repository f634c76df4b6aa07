#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/ldlt/inertia_certificate.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <pivotlab/baselines.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

constexpr Index kRightHandSides = 4;

template <class T>
class LdltProblem final : public Problem {
 public:
  explicit LdltProblem(SymmetricMatrix<T> matrix)
      : matrix_(std::move(matrix)), system_(make_system(matrix_.A, kRightHandSides)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_ldlt(axes)); }

  std::unique_ptr<Solution> solve(const LdltCase& wanted) const {
    if (!wanted.variant)
      return std::make_unique<Solved<LdltBaselineResult<T>>>(
          factor_with_baseline<T>(wanted.solver, matrix_.A, system_.B, wanted.symmetry, wanted.threads));
    LdltOptions options;
    options.variant = *wanted.variant;
    options.backend = parse_backend(wanted.backend);
    options.symmetry = wanted.symmetry;
    options.storage = wanted.storage;
    options.rank_tolerance = wanted.tolerance;
    options.threads = wanted.threads;
    return std::make_unique<Solved<LdltFactorization<T>>>(ldlt<T>(matrix_.A, options));
  }

  Judgement judge(const LdltCase& judged, const Solution& solution) const {
    Judgement judgement;
    judgement.problem = write_rows(ldlt_problem_rows(), problem_facts());
    if (judged.variant) {
      judge_variant(static_cast<const Solved<LdltFactorization<T>>&>(solution).result, judged, judgement);
    } else {
      judge_baseline(judged, static_cast<const Solved<LdltBaselineResult<T>>&>(solution).result, judgement);
    }
    return judgement;
  }

 private:
  void judge_variant(const LdltFactorization<T>& f, const LdltCase& judged, Judgement& judgement) const {
    const auto unrefined = f.solve_refined(matrix_.A, system_.B, InputTriangle::whole, 0);
    LdltMetrics metrics = judge(factors_of(f), claims_of(f), &unrefined.X);
    LdltSolverFacts facts{.max_growth = f.max_growth(),
                          .swaps_1x1 = f.swaps_1x1,
                          .swaps_2x2 = f.swaps_2x2,
                          .tolerance = f.tolerance,
                          .stages = listed(f.stages),
                          .certificate = certificate(judged)};
    if (f.variant.pivoting == Pivoting::complete) facts.remainder = f.remainder;
    if (judged.gjg) facts.gjg = compare_gjg(matrix_, f, judged.tolerance, 0);
    if (facts.certificate && matrix_.inertia) metrics.inertia_agrees = agrees(*facts.certificate, *matrix_.inertia);
    write(metrics, facts, judgement);
  }

  /// Certifies the inertia if that takes no longer than judging: on a GPU, or for a matrix that is not large, because
  /// it may require further factorizations. Exact arithmetic would tell the signs of a generator's rounding errors.
  std::optional<InertiaReport> certificate(const LdltCase& judged) const {
    InertiaOptions options{.equilibrate = judged.variant->equilibrate, .highest = InertiaLevel::in_double};
    const bool on_gpu = judged.backend == "cuda";
    if (on_gpu) options.backend = Backend::cuda;
    if (is_complex<T> && matrix_.symmetry == Symmetry::symmetric) return std::nullopt;
    if (matrix_.A.rows() > options.residual_limit && !on_gpu) return std::nullopt;
    return certify_inertia<T>(matrix_.A, options);
  }

  /// Judges the factors of a library; the growth is unknown.
  void judge_baseline(const LdltCase& judged, const LdltBaselineResult<T>& result, Judgement& judgement) const {
    const LdltFactors<T> factors = factors_of(result, judged.tolerance, largest_);
    const LdltClaims claims = claims_of_baseline(judged.solver, scalar_type<T>);
    LdltSolverFacts facts{.tolerance = factors.zero};
    if (!result.tridiagonal) {
      facts.swaps_1x1 = count_swaps(result.interchanges, 1);
      facts.swaps_2x2 = count_swaps(result.interchanges, 2);
    }
    write(judge(factors, claims, result.X.rows() == matrix_.A.rows() ? &result.X : nullptr), facts, judgement);
  }

  LdltMetrics judge(const LdltFactors<T>& factors, const LdltClaims& claims, const Matrix<T>* X) const {
    const LdltSystem<T> system{system_.B, system_.X_true, X};
    return judge_ldlt(matrix_, factors, claims, &system);
  }

  void write(const LdltMetrics& metrics, LdltSolverFacts facts, Judgement& judgement) const {
    const auto n = static_cast<double>(matrix_.A.rows());
    judgement.flops = (is_complex<T> ? 4 : 1) * n * n * n / 3;
    facts.flops = judgement.flops;
    add_metrics(judgement, metrics, write_judged(ldlt_metric_rows(), metrics));
    judgement.metrics.update(write_rows(ldlt_solver_rows(), facts));
  }

  LdltProblemFacts problem_facts() const {
    LdltProblemFacts facts{.provenance = matrix_.provenance,
                           .largest_element = largest_,
                           .norm_inf = norm_1(matrix_.A, 0, 0),
                           .inertia = matrix_.inertia};
    if (const auto& eigenvalues = matrix_.eigenvalues; !eigenvalues.empty()) {
      const auto smaller = [](const Quad& x, const Quad& y) { return abs(x) < abs(y); };
      const auto [least, most] = std::ranges::minmax_element(eigenvalues, smaller);
      facts.smallest_eigenvalue = static_cast<double>(abs(*least));
      facts.largest_eigenvalue = static_cast<double>(abs(*most));
    }
    return facts;
  }

  SymmetricMatrix<T> matrix_;
  KnownSystem<T> system_;
  double largest_ = largest_modulus(matrix_.A, 0);
};

}  // namespace

std::unique_ptr<Problem> make_ldlt_problem(AnySymmetric any) {
  return std::visit(
      []<class T>(SymmetricMatrix<T>& matrix) -> std::unique_ptr<Problem> {
        return std::make_unique<LdltProblem<T>>(std::move(matrix));
      },
      any);
}

}  // namespace pivotlab::experiments
