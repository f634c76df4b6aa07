// SPDX-License-Identifier: BSD-3-Clause
// The problem of a method in a worker: its solution by a variant, a baseline or a solver of the user's, and its
// judgement.
#pragma once

#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/engine/section.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/generic/experiment.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/own/own_solver.hpp>
#include <memory>
#include <pivotlab/error.hpp>
#include <set>
#include <string>
#include <utility>

namespace pivotlab::experiments {

/// The problem P of an experiment E (experiment.hpp).
template <class E, class P>
class ProblemOf final : public Problem {
 public:
  explicit ProblemOf(P problem) : problem_(std::move(problem)) {}

  using Result = decltype(E::solve(std::declval<const P&>(), std::declval<const typename E::Options&>()));

  std::unique_ptr<Run> prepare(const Case& axes) const override {
    typename E::Case wanted = interpret<E>(axes);
    if (!wanted.by_own()) return prepared(*this, std::move(wanted));
    if constexpr (requires(const OwnAnswer& answer) { E::own_result(problem_, answer); })
      return std::make_unique<OwnRun>(*this, std::move(wanted));
    else
      throw NotSupported("the method takes no solvers of your own; leave them out");
  }

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
    const auto metrics = E::judge(problem_, options, result, judge_options_of_environment());
    if constexpr (requires { E::write_metrics(metrics); })
      add_metrics(judgement, metrics, E::write_metrics(metrics));
    else
      add_metrics(judgement, metrics, write_judged(E::metric_rows(), metrics));
    if constexpr (requires { E::solution_rows(); })
      judgement.metrics.update(write_rows(E::solution_rows(), E::solution_facts(metrics, result)));
    return judgement;
  }

  const P& problem() const { return problem_; }
  const nlohmann::json& problem_section() const {
    if (section_.is_null()) section_ = write_rows(E::problem_rows(), E::problem_facts(problem_));
    return section_;
  }

 private:
  /// The run of a solver of the user's: its process computes, and its arrays are judged as a result of the library.
  class OwnRun final : public Run {
   public:
    OwnRun(const ProblemOf& problem, typename E::Case wanted) : problem_(problem), wanted_(std::move(wanted)) {}

    void start(double memory_bytes) override {
      solver_ = make_own_solver(wanted_.solver, wanted_.solver_digest, {memory_bytes, wanted_.threads});
      given_ = own_problem(E::texts.name, problem_.problem_);
      solver_->start(given_);
    }
    std::unique_ptr<Solution> solve() const override { return std::make_unique<OwnSolution>(solver_->solve()); }
    Judgement judge(const Solution& solution) const override {
      const OwnAnswer& answer = static_cast<const OwnSolution&>(solution).answer;
      return problem_.judge(wanted_, Solved<Result>(E::own_result(problem_.problem_, answer)));
    }
    bool differs(const Solution& solution) const override {
      return seen_.size() < most_judged && seen_.insert(digest_of(solution)).second;
    }
    std::string own_section() const override { return solver_ ? solver_->section() : ""; }

   private:
    struct OwnSolution : Solution {
      explicit OwnSolution(OwnAnswer given) : answer(std::move(given)) { compute_s = answer.seconds; }
      OwnAnswer answer;
    };

    static std::string digest_of(const Solution& solution) {
      std::string digests;
      for (const auto& [name, array] : static_cast<const OwnSolution&>(solution).answer.arrays)
        digests += name + digest(array.bytes);
      return digests;
    }

    static constexpr std::size_t most_judged = 4;  // different solutions of a case
    mutable std::set<std::string> seen_;
    const ProblemOf& problem_;
    typename E::Case wanted_;
    OwnProblem given_;
    std::unique_ptr<OwnSolver> solver_;
  };

  P problem_;
  mutable nlohmann::json section_;  ///< computed on first use, because it may be expensive and is the same for all
};

}  // namespace pivotlab::experiments
