// SPDX-License-Identifier: BSD-3-Clause
// The problem of the symmetric indefinite factorization, and its solution by a variant or a baseline.
#pragma once

#include <experiments/commands/activity.hpp>
#include <experiments/generic/batch_arrays.hpp>
#include <experiments/ldlt/ldlt_metrics.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/own/results.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <pivotlab/baselines.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>
#include <variant>
#include <vector>

namespace pivotlab::experiments {

/// A matrix and right-hand sides, whose true solution is known in a sweep.
template <class T>
struct LdltProblem : SymmetricMatrix<T> {
  Matrix<T> B = {};       ///< without columns if there are none
  Matrix<T> X_true = {};  ///< without columns if it is unknown

  bool is_of_sweep() const { return X_true.cols() > 0; }
};

/// The options of the library's calls.
struct LdltCall : LdltOptions {
  std::optional<InertiaOptions> certify = {};  ///< whether, and how, the inertia is certified
  std::optional<Inertia> wanted = {};          ///< the inertia to which shifts are searched
  bool gjg = false;                            ///< whether to compare G·J·G* with its computation in Quad
  std::vector<Index> pictures = {};            ///< stages of which there shall be pictures

  /// Returns what counts as zero in a baseline's D, relative to max|A|.
  double zero() const { return rank_tolerance.value_or(std::numeric_limits<double>::epsilon()); }
};

/// The part of a solution that does not depend on the scalar.
struct LdltOutcome {
  double compute_seconds = 0;
  std::optional<double> flops = {};
  Status status = Status::passed;
  std::string message = {};
  Status solution = Status::passed;  ///< of the user's system; passed without one
  std::string remark = {};           ///< on the solution
  std::optional<double> backward_error = {}, forward_error = {};
  std::optional<Index> refinements = {};
  std::optional<InertiaReport> inertia = {};
  std::optional<double> certify_seconds = {};
  std::optional<Inertia> claimed = {};                        ///< the inertia that a solver of the user's has found
  std::optional<InertiaShift> shift = {}, shift_of_all = {};  ///< to the wanted inertia, of the leading rows and of all
};

template <class T>
struct LdltSolved : LdltOutcome {
  std::variant<LdltFactorization<T>, LdltBaselineResult<T>> factors;
  std::string baseline = {};  ///< its name; empty for a solver of the user's
  Matrix<T> X = {};           ///< of a variant, for the user's system
};

/// The metrics, and what a record states of the solver.
struct LdltJudged : LdltMetrics {
  LdltSolverFacts facts = {};
};

/// The members of the experiment that solve and judge. T is double or std::complex<double>.
struct LdltSolver {
  using Options = LdltCall;
  using Metrics = LdltJudged;

  /// Factors the matrix by a variant, and solves a user's system with refinement.
  template <class T>
  static LdltSolved<T> solve(const LdltProblem<T>& problem, const Options& options);
  template <class T>
  static LdltSolved<T> solve_by_baseline(const LdltProblem<T>& problem, const std::string& name,
                                         const Options& options);
  /// Factors; the results also solve the right-hand sides, which takes no time of the batch. What is zero in D is the
  /// decision of the batch, as it is that of a solver of the user's.
  template <class T>
  static std::function<LdltSolved<T>(Index)> solve_batch(const std::vector<const LdltProblem<T>*>& problems,
                                                         const Options& options, BatchArrays& arrays);
  template <class T>
  static LdltSolved<T> own_result(const LdltProblem<T>& problem, const OwnAnswer& answer);
  /// Adds certificate, shifts and growth of a variant, and the error of a baseline's X.
  template <class T>
  static void examine(const LdltProblem<T>& problem, const Options& options, LdltSolved<T>& solved, Activity& activity);
  /// Judges the factors and, in a sweep, a solution without refinement; certifies the inertia where the options want it
  /// and the solution does not have it. A user's solution that is not passed has its own status as verdict.
  template <class T>
  static Metrics judge(const LdltProblem<T>& problem, const Options& call, const LdltSolved<T>& solved,
                       const JudgeOptions& options);
};

}  // namespace pivotlab::experiments
