// SPDX-License-Identifier: BSD-3-Clause
// Batches of a method in a worker: a few problems of consecutive seeds, of which problem k is number k modulo their
// number, solved at once by the library or one by one by a baseline. All that are different are judged.
#pragma once

#include <fmt/format.h>
#include <omp.h>
#include <algorithm>
#include <exception>
#include <experiments/generic/batch_arrays.hpp>
#include <experiments/generic/batch_case.hpp>
#include <experiments/generic/problem.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pivotlab::experiments {

/// A solved batch. The results are those of the judged problems, the statuses those of all.
template <class Result>
struct SolvedBatch : Solution {
  std::vector<std::optional<Result>> results;
  std::vector<Status> statuses;
  std::unique_ptr<BatchArrays> arrays;  ///< null for a baseline
};

/// Sets status and message of the solution by the statuses of all problems.
void set_status(Solution& solution, const std::vector<Status>& statuses);

/// Returns a number that is larger for a worse judgement: the largest metric over its bound, infinite for one that is
/// not passed.
double severity(const Judgement& judgement);

/// Adds to the judgement of a problem what the record says of its batch.
void describe_batch(const std::vector<Status>& statuses, std::size_t judged, const BatchArrays* arrays,
                    Judgement& judgement);

/// The problem P of an experiment E (experiment.hpp), several times.
template <class E, class P>
class BatchProblemOf final : public Problem {
 public:
  /// `problems` are those that are judged.
  explicit BatchProblemOf(std::vector<P> problems) {
    for (P& problem : problems) problems_.push_back(std::make_unique<ProblemOf<E, P>>(std::move(problem)));
  }

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret<E>(axes)); }

  std::unique_ptr<Solution> solve(const typename E::Case& wanted) const {
    auto solved = std::make_unique<SolvedBatch<Result>>();
    if (wanted.by_baseline())
      solve_by_loop(wanted, *solved);
    else
      solve_at_once(wanted, *solved);
    set_status(*solved, solved->statuses);
    return solved;
  }

  /// Returns the worst judgement.
  Judgement judge(const typename E::Case& wanted, const Solution& solution) const {
    const auto& solved = static_cast<const SolvedBatch<Result>&>(solution);
    std::optional<Judgement> worst;
    for (std::size_t k = 0; k < problems_.size(); ++k) {
      Judgement one = judge_one(k, wanted, solved);
      if (!worst || severity(one) > severity(*worst)) worst = std::move(one);
    }
    describe_batch(solved.statuses, problems_.size(), solved.arrays.get(), *worst);
    return std::move(*worst);
  }

 private:
  using Result = typename ProblemOf<E, P>::Result;

  const P& problem(Index k) const { return problems_[k]->problem(); }
  Index judged() const { return std::ssize(problems_); }

  void solve_at_once(const typename E::Case& wanted, SolvedBatch<Result>& solved) const {
    const auto options = options_of_case<E>(wanted);
    BatchOptions place;
    place.backend = options.backend, place.threads = options.threads;
    solved.arrays = std::make_unique<BatchArrays>(place, wanted.batch, judged());
    std::vector<const P*> problems;
    for (Index k = 0; k < judged(); ++k) problems.push_back(&problem(k));
    const auto result_of = E::solve_batch(problems, options, *solved.arrays);
    solved.compute_s = solved.arrays->seconds();
    for (Index k = 0; k < wanted.batch; ++k) solved.statuses.push_back(solved.arrays->status_of(k));
    for (Index k = 0; k < judged(); ++k) {
      solved.results.emplace_back(result_of(k));
      solved.results.back()->status = solved.statuses[k];
    }
  }

  /// Solves one problem after the other, on the host with a thread for each, side by side. The time is that of the
  /// thread whose compute phases took longest.
  void solve_by_loop(const typename E::Case& wanted, SolvedBatch<Result>& solved) const {
    auto options = options_of_case<E>(wanted);
    std::vector<double> seconds(wanted.threads);
    options.threads = 1;
    solved.results.resize(problems_.size()), solved.statuses.resize(wanted.batch);
    std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(wanted.threads)
    for (Index k = 0; k < wanted.batch; ++k) try {
        Result result = E::solve_by_baseline(problem(k % judged()), wanted.solver, options);
        seconds[omp_get_thread_num()] += result.compute_seconds;
        solved.statuses[k] = result.status;
        if (k < judged()) solved.results[k] = std::move(result);
      } catch (...) {
#pragma omp critical(pivotlab_loop)
        error = std::current_exception();
      }
    if (error) std::rethrow_exception(error);
    solved.compute_s = std::ranges::max(seconds);
  }

  /// Only a solution that its solver calls passed is judged.
  Judgement judge_one(std::size_t k, const typename E::Case& wanted, const SolvedBatch<Result>& solved) const {
    if (solved.statuses[k] == Status::passed) return problems_[k]->judge(wanted, Solved<Result>(*solved.results[k]));
    Judgement judgement;
    judgement.status = solved.statuses[k];
    judgement.problem = problems_[k]->problem_section();
    return judgement;
  }

  std::vector<std::unique_ptr<ProblemOf<E, P>>> problems_;
};

}  // namespace pivotlab::experiments
