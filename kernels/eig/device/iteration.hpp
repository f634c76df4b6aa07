// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a matrix in device memory: the recorded launches of a sweep, of the diagonal transformations that end it,
// and of the norms. Between sweeps the host reads five numbers and the diagonal.
#pragma once

#include "kernels/eig/device/device_solver.hpp"
#include "kernels/eig/shared/stagnation.hpp"
#include "kernels/exec/stopwatch.hpp"
#include "kernels/exec/workspace.hpp"

#include <limits>
#include <pivotlab/interrupt.hpp>
#include <vector>

namespace pivotlab::eig_device {

template <class Executor, class Sweep>
class Iteration {
 public:
  using R = typename Sweep::Real;
  using Memory = WithWorkspace<Executor>;

  /// Null planes are not requested. All must outlive the iteration.
  Iteration(Memory& executor, const SolverPlan& plan, const PlanesOf<R>& A, const PlanesOf<R>& E,
            const PlanesOf<R>& inverse_transposed)
      : executor_(executor),
        plan_(plan),
        order_(static_cast<int>(plan.order)),
        A_(A),
        E_(E),
        inverse_transposed_(inverse_transposed),
        sweep_(executor, plan, A, E, inverse_transposed),
        lines_(executor.template allocate<double>(8 * std::size_t(plan.order))),
        norms_(executor.template allocate<double>(norms_doubles + 2 * std::size_t(plan.order))),
        recording_(executor.record([&] { record_sweep(); })) {}

  /// Does sweeps until ‖lower part‖_F ≤ tolerance·‖A‖_F, until the history, to which it appends, has `most` sweeps, or
  /// until they stagnate. `before` is the sweep that led to A, if there was one. Returns whether the tolerance is met.
  bool run(double tolerance, int most, std::vector<SweepRecord>& history, const SweepRecord* before = nullptr) {
    executor_.fill_zero(sweep_.taus_squared().data(), sweep_.taus_squared().size());
    find_norms();
    double seconds = before == nullptr ? 0 : before->seconds;
    for (auto mark = stopwatch_.mark();;) {
      history.push_back(read_norms(seconds));
      Norms& norms = history.back().norms;
      if (before != nullptr) norms.largest_tau = before->norms.largest_tau;
      before = nullptr;
      const bool converged = square_root(norms.lower_squared) <= tolerance * square_root(norms.squared);
      const bool finite = norms.squared <= std::numeric_limits<double>::max();
      if (converged || !finite || static_cast<int>(history.size()) > most) return converged;
      if (plan_.stop_where_stagnating && eig_detail::has_stagnated(history, lower_share)) return false;
      throw_if_interrupted();
      executor_.replay(recording_);
      const auto after = stopwatch_.mark();
      seconds = stopwatch_.seconds(mark, after);
      mark = after;
    }
  }

 private:
  static double lower_share(const SweepRecord& sweep) {
    return square_root(sweep.norms.lower_squared) / square_root(sweep.norms.squared);
  }

  void record_sweep() {
    sweep_.run();
    if (plan_.diagonal)
      for (int step = 0; step < eig_detail::diagonal_steps; ++step) diagonal_step();
    find_norms();
  }

  void diagonal_step() {
    using Sums = SumLines<true, R>;
    executor_.template launch<Sums>(Sums::blocks(plan_.order), Sums::shared_bytes, {A_, line(0), line(1)});
    executor_.template launch<DiagonalParameters>(
        (order_ + DiagonalParameters::threads - 1) / DiagonalParameters::threads, 0,
        {line(0), line(1), plan_.order, norms_.data(), root_epsilon<R>, plan_.exponent / 2, line(2), line(3)});
    executor_.join();  // E has been multiplied
    const int matrices = 1 + int(E_.re != nullptr) + int(inverse_transposed_.re != nullptr);
    executor_.template launch<ScaleLines<R>>(matrices * order_, 0, {A_, E_, inverse_transposed_, line(2), line(3)});
  }

  void find_norms() {
    executor_.template launch<SumParts<R>>(order_, SumParts<R>::shared_bytes,
                                           {A_, line(4), norms_.data() + norms_doubles});
    executor_.template launch<CollectNorms>(1, CollectNorms::shared_bytes,
                                            {line(4), plan_.order, sweep_.taus_squared().data(),
                                             static_cast<int>(sweep_.taus_squared().size()), norms_.data()});
  }

  /// Returns the norms that find_norms() has computed.
  SweepRecord read_norms(double seconds) {
    std::vector<double> found(norms_doubles + 2 * static_cast<std::size_t>(plan_.n));
    executor_.download(found.data(), norms_.data(), found.size());
    return {{found[0], found[1], found[2], found[3], found[4]}, {found.begin() + norms_doubles, found.end()}, seconds};
  }

  /// Returns part i of the memory for sums and factors of rows and columns.
  double* line(int i) { return lines_.data() + std::int64_t(i) * plan_.order; }

  Memory& executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  const SolverPlan& plan_;
  int order_;
  PlanesOf<R> A_, E_, inverse_transposed_;
  Sweep sweep_;
  Buffer<double> lines_;
  Buffer<double> norms_;  // Norms, and the diagonal
  typename Executor::Recording recording_;
};

}  // namespace pivotlab::eig_device
