// SPDX-License-Identifier: BSD-3-Clause
// The problem of a method in a worker: its solution by a variant or a baseline, and its judgement.
#pragma once

#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/engine/section.hpp>
#include <experiments/generic/experiment.hpp>
#include <memory>
#include <utility>

namespace pivotlab::experiments {

/// The problem P of an experiment E (experiment.hpp).
template <class E, class P>
class ProblemOf final : public Problem {
 public:
  explicit ProblemOf(P problem) : problem_(std::move(problem)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret<E>(axes)); }

  std::unique_ptr<Solution> solve(const typename E::Case& wanted) const {
    const auto options = options_of_case<E>(wanted);
    return std::make_unique<Solved<Result>>(
        wanted.by_baseline() ? E::solve_by_baseline(problem_, wanted.solver, options) : E::solve(problem_, options));
  }

  Judgement judge(const typename E::Case& judged, const Solution& solution) const {
    const Result& result = static_cast<const Solved<Result>&>(solution).result;
    const auto options = options_of_case<E>(judged);
    Judgement judgement;
    judgement.problem = problem_section();
    if constexpr (requires { E::convergence_rows(); })
      if (!judged.by_baseline())
        judgement.convergence = write_rows(E::convergence_rows(), E::convergence(problem_, options, result));
    if constexpr (requires { result.flops; }) judgement.flops = result.flops.value_or(0);
    if (!has_factors<E>(problem_, result)) return judgement;
    const auto metrics = E::judge(problem_, options, result, {});
    if constexpr (requires { E::write_metrics(metrics); })
      add_metrics(judgement, metrics, E::write_metrics(metrics));
    else
      add_metrics(judgement, metrics, write_judged(E::metric_rows(), metrics));
    if constexpr (requires { E::solution_rows(); })
      judgement.metrics.update(write_rows(E::solution_rows(), E::solution_facts(metrics, result)));
    return judgement;
  }

 private:
  using Result = decltype(E::solve(std::declval<const P&>(), std::declval<const typename E::Options&>()));

  const nlohmann::json& problem_section() const {
    if (section_.is_null()) section_ = write_rows(E::problem_rows(), E::problem_facts(problem_));
    return section_;
  }

  P problem_;
  mutable nlohmann::json section_;  ///< computed on first use, because it may be expensive and is the same for all
};

}  // namespace pivotlab::experiments
