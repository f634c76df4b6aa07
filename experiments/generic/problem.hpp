// The problem of a method in a worker: its solution by a variant or a baseline, and its judgement.
#pragma once

#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/engine/section.hpp>
#include <memory>
#include <utility>

namespace pivotlab::experiments {

/// The problem P of an experiment E (method.hpp).
template <class E, class P>
class ProblemOf final : public Problem {
 public:
  explicit ProblemOf(P problem) : problem_(std::move(problem)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, E::interpret(axes)); }

  std::unique_ptr<Solution> solve(const typename E::Case& wanted) const {
    const auto options = E::options(wanted);
    return std::make_unique<Solved<Result>>(wanted.variant ? E::solve(problem_, options)
                                                           : E::solve_by_baseline(problem_, wanted.solver, options));
  }

  Judgement judge(const typename E::Case& judged, const Solution& solution) const {
    const Result& result = static_cast<const Solved<Result>&>(solution).result;
    Judgement judgement;
    judgement.problem = E::problem_section(problem_);
    if (judged.variant) judgement.convergence = E::convergence_section(result);
    if (!E::has_factors(problem_, result)) return judgement;  // of a baseline that did not converge
    const auto metrics = E::judge(problem_, E::options(judged), result, {});
    add_metrics(judgement, metrics, write_judged(E::metric_rows(), metrics));
    if constexpr (requires { E::solution_section(result); }) judgement.metrics.update(E::solution_section(result));
    return judgement;
  }

 private:
  using Result = decltype(E::solve(std::declval<const P&>(), std::declval<const typename E::Options&>()));

  P problem_;
};

}  // namespace pivotlab::experiments
