// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/inertia_certificate.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_solved.hpp>
#include <experiments/metrics/threaded_norms.hpp>

#include <cmath>
#include <complex>
#include <kernels/ldlt/factors/refine.hpp>
#include <support/timer.hpp>

namespace pivotlab::experiments {
namespace {

template <class T>
LdltMetrics judge_factors(const LdltProblem<T>& problem, const LdltFactors<T>& factors, const LdltClaims& claims,
                          const Matrix<T>& X, const JudgeOptions& options) {
  const bool is_solved = X.rows() == problem.A.rows() && X.cols() == problem.B.cols();
  const LdltSystem<T> system{problem.B, problem.X_true, is_solved ? &X : nullptr};
  return judge_ldlt<T>(problem, factors, claims, problem.is_of_sweep() ? &system : nullptr, options);
}

template <class T>
LdltJudged judged_by(const LdltProblem<T>& problem, const LdltCall& call, const LdltSolved<T>& solved,
                     const LdltFactorization<T>& f, const JudgeOptions& options) {
  Matrix<T> X;
  if (problem.is_of_sweep()) X = f.solve_refined(problem.A, problem.B, InputTriangle::whole, 0).X;
  LdltJudged judged{judge_factors(problem, factors_of(f), claims_of(f), X, options)};
  judged.facts = {.max_growth = f.max_growth(),
                  .swaps_1x1 = f.swaps_1x1,
                  .swaps_2x2 = f.swaps_2x2,
                  .tolerance = f.tolerance,
                  .stages = listed(f.stages),
                  .certificate = solved.inertia};
  if (!judged.facts.certificate && call.certify)
    judged.facts.certificate = certify_inertia<T>(problem.A, *call.certify);
  if (f.pivoting() == Pivoting::complete) judged.facts.remainder = f.remainder;
  if (f.variant.pivoting == Pivoting::none) judged.facts.refusal = f.refusal;
  if (call.gjg) judged.facts.gjg = compare_gjg<T>(problem, f, call.zero(), 0);
  if (judged.facts.certificate && problem.inertia)
    judged.inertia_agrees = agrees(*judged.facts.certificate, *problem.inertia);
  return judged;
}

/// The growth of a baseline is unknown; that of a solver of the user's is computed from its factors, and every element
/// of its D counts in rank and inertia: what is zero is its decision.
template <class T>
LdltJudged judged_by(const LdltProblem<T>& problem, const LdltCall& call, const LdltSolved<T>& solved,
                     const LdltBaselineResult<T>& f, const JudgeOptions& options) {
  const double zero = solved.baseline.empty() ? 0 : call.zero();
  const LdltFactors<T> factors = factors_of(f, zero, largest_modulus(problem.A, options.threads));
  LdltJudged judged{judge_factors(problem, factors,
                                  solved.baseline.empty() ? LdltClaims{.inertia = solved.claimed}
                                                          : claims_of_baseline(solved.baseline, scalar_type<T>),
                                  f.X, options)};
  judged.facts.tolerance = factors.zero;
  if (f.tridiagonal) return judged;
  if (solved.baseline.empty()) {
    if (judged.residual <= 1 && problem.A.rows() <= growth_order) {
      const auto stages = stages_of(factors, problem.symmetry, largest_modulus(problem.A, options.threads));
      judged.facts.max_growth = largest_growth(stages);
      judged.facts.stages = listed(stages);
    }
    if (call.certify) judged.facts.certificate = certify_inertia<T>(problem.A, *call.certify);
    if (judged.facts.certificate && judged.inertia && !problem.inertia)
      judged.inertia_agrees = agrees(*judged.facts.certificate, *judged.inertia);
    return judged;
  }
  judged.facts.swaps_1x1 = count_swaps(f.interchanges, 1);
  judged.facts.swaps_2x2 = count_swaps(f.interchanges, 2);
  return judged;
}

/// Checks the solution of a user's system by a baseline.
template <class T>
void check_solution(const LdltProblem<T>& problem, const Matrix<T>& X, LdltSolved<T>& solved) {
  if (X.rows() == problem.A.rows()) {
    const ldlt_detail::ScaledColumns<T> columns({}, problem.B);
    solved.backward_error = ldlt_detail::backward_error<T>(problem.A, columns, X);
    if (std::isfinite(*solved.backward_error)) return;
  }
  solved.solution = Status::failed;
  solved.remark =
      solved.backward_error ? "the solution is not finite" : "D is singular; the routine does not solve the system";
}

template <class T>
double nominal_flops(const LdltProblem<T>& problem) {
  const auto n = static_cast<double>(problem.A.rows());
  return (is_complex<T> ? 4 : 1) * n * n * n / 3;
}

}  // namespace

template <class T>
LdltSolved<T> LdltSolver::solve(const LdltProblem<T>& problem, const LdltCall& call) {
  LdltSolved<T> solved{{}, ldlt<T>(problem.A, call)};
  const auto& f = std::get<LdltFactorization<T>>(solved.factors);
  solved.compute_seconds = f.compute_seconds, solved.flops = nominal_flops(problem);
  if (problem.is_of_sweep() || problem.B.cols() == 0) return solved;
  LdltSolution<T> solution = f.solve_refined(problem.A, problem.B);
  solved.solution = solution.status, solved.remark = std::move(solution.message);
  solved.backward_error = solution.backward_error, solved.forward_error = solution.forward_error;
  solved.refinements = solution.refinements;
  solved.X = std::move(solution.X);
  return solved;
}

template <class T>
LdltSolved<T> LdltSolver::solve_by_baseline(const LdltProblem<T>& problem, const std::string& baseline,
                                            const LdltCall& call) {
  auto f = factor_with_baseline<T>(baseline, problem.A, problem.B, call.symmetry, call.threads);
  return {{.compute_seconds = f.compute_seconds, .flops = nominal_flops(problem)}, std::move(f), baseline};
}

template <class T>
std::function<LdltSolved<T>(Index)> LdltSolver::solve_batch(const std::vector<const LdltProblem<T>*>& problems,
                                                            const LdltCall& call, BatchArrays& arrays) {
  const auto A = arrays.given<T>([&](Index k) { return problems[k]->A.view(); });
  const LdltBatch<T> batch{.M = arrays.matrices<T>(A.rows, A.cols),
                           .diagonal = arrays.numbers<T>(A.cols),
                           .subdiagonal = arrays.numbers<T>(A.cols),
                           .permutation = arrays.numbers<int>(A.cols),
                           .inertia = arrays.numbers<int>(3),
                           .status = arrays.status(),
                           .doubtful = arrays.numbers<int>(1)};
  arrays.run([&] { ldlt_batch<T>(A, batch, {arrays.options(), call.variant, call.triangle}); });
  return [&arrays, batch, problems](Index k) {
    const LdltProblem<T>& problem = *problems[k];
    std::vector<int> permutation = arrays.values(batch.permutation, k), inertia = arrays.values(batch.inertia, k);
    LdltBaselineResult<T> f;
    f.M = arrays.matrix(batch.M, k);
    f.diagonal = arrays.values(batch.diagonal, k), f.subdiagonal = arrays.values(batch.subdiagonal, k);
    f.permutation.assign(permutation.begin(), permutation.end());
    find_pivots(f);
    int status = static_cast<int>(arrays.status_of(k));
    Matrix<T> X = problem.B;
    const auto one = [](Matrix<T>& Y) -> MatrixBatch<T> { return {Y.data(), Y.rows(), Y.cols(), Y.rows(), 0, 1}; };
    pivotlab::solve_batch<T>(
        {one(f.M), f.diagonal.data(), f.subdiagonal.data(), permutation.data(), inertia.data(), &status}, one(X));
    if (status == static_cast<int>(Status::passed)) f.X = std::move(X);
    LdltSolved<T> solved{{.flops = nominal_flops(problem)}, std::move(f)};
    if (arrays.values(batch.doubtful, k).front() == 0) solved.claimed = Inertia{inertia[0], inertia[1], inertia[2]};
    return solved;
  };
}

template <class T>
LdltSolved<T> LdltSolver::own_result(const LdltProblem<T>& problem, const OwnAnswer& answer) {
  OwnLdlt<T> own = own_ldlt<T>(answer, problem.A.rows(), problem.symmetry);
  return {{.compute_seconds = own.factors.compute_seconds, .flops = nominal_flops(problem), .claimed = own.inertia},
          std::move(own.factors)};
}

template <class T>
void LdltSolver::examine(const LdltProblem<T>& problem, const LdltCall& call, LdltSolved<T>& solved,
                         Activity& activity) {
  auto* const f = std::get_if<LdltFactorization<T>>(&solved.factors);
  if (f == nullptr) {
    if (problem.B.cols() > 0) check_solution(problem, std::get<LdltBaselineResult<T>>(solved.factors).X, solved);
    return;
  }
  if (call.certify) {
    activity.now("certifying the inertia");
    const Timer timer;
    solved.inertia = certify_inertia<T>(problem.A, *call.certify);
    solved.certify_seconds = timer.seconds();
  }
  if (call.wanted) {
    activity.now("searching the shift to the wanted inertia");
    const auto& [n, m, zero] = *call.wanted;
    solved.shift = shift_for_inertia<T>(problem.A, n, m, n, *call.certify);
    if (m > 0) solved.shift_of_all = shift_for_inertia<T>(problem.A, n, m, n + m, *call.certify);
  }
  f->measure_growth(call.threads);
}

template <class T>
LdltJudged LdltSolver::judge(const LdltProblem<T>& problem, const LdltCall& call, const LdltSolved<T>& solved,
                             const JudgeOptions& options) {
  LdltJudged judged = std::visit(
      [&](const auto& factors) { return judged_by(problem, call, solved, factors, options); }, solved.factors);
  judged.facts.flops = solved.flops;
  if (judged.verdict == Status::passed) judged.verdict = solved.solution, judged.message = solved.remark;
  return judged;
}

using Complex = std::complex<double>;
template LdltSolved<double> LdltSolver::solve(const LdltProblem<double>&, const LdltCall&);
template LdltSolved<Complex> LdltSolver::solve(const LdltProblem<Complex>&, const LdltCall&);
template LdltSolved<double> LdltSolver::solve_by_baseline(const LdltProblem<double>&, const std::string&,
                                                          const LdltCall&);
template LdltSolved<Complex> LdltSolver::solve_by_baseline(const LdltProblem<Complex>&, const std::string&,
                                                           const LdltCall&);
template std::function<LdltSolved<double>(Index)> LdltSolver::solve_batch(
    const std::vector<const LdltProblem<double>*>&, const LdltCall&, BatchArrays&);
template std::function<LdltSolved<Complex>(Index)> LdltSolver::solve_batch(
    const std::vector<const LdltProblem<Complex>*>&, const LdltCall&, BatchArrays&);
template LdltSolved<double> LdltSolver::own_result(const LdltProblem<double>&, const OwnAnswer&);
template LdltSolved<Complex> LdltSolver::own_result(const LdltProblem<Complex>&, const OwnAnswer&);
template void LdltSolver::examine(const LdltProblem<double>&, const LdltCall&, LdltSolved<double>&, Activity&);
template void LdltSolver::examine(const LdltProblem<Complex>&, const LdltCall&, LdltSolved<Complex>&, Activity&);
template LdltJudged LdltSolver::judge(const LdltProblem<double>&, const LdltCall&, const LdltSolved<double>&,
                                      const JudgeOptions&);
template LdltJudged LdltSolver::judge(const LdltProblem<Complex>&, const LdltCall&, const LdltSolved<Complex>&,
                                      const JudgeOptions&);

}  // namespace pivotlab::experiments
