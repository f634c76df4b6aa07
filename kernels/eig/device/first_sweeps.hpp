// SPDX-License-Identifier: BSD-3-Clause
// The first sweeps in single precision, by the rules of the host (../host/single_precision.hpp): the iterate E⁻¹·A·E is
// then formed in double precision, or nothing is changed if E is too ill-conditioned.
#pragma once

#include "kernels/eig/device/blocked_sweep.hpp"
#include "kernels/eig/device/device_matrix.hpp"
#include "kernels/eig/device/iteration.hpp"
#include "kernels/eig/device/similarity.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace pivotlab::eig_device {

/// Forms without these sweeps.
template <class Executor, class Sweep>
class FirstSweeps {
 public:
  template <class... Arguments>
  explicit FirstSweeps(const Arguments&...) {}
  std::optional<SweepRecord> run(std::vector<SweepRecord>&) { return {}; }
};

template <class Executor, int b>
class FirstSweeps<Executor, BlockedSweep<WithWorkspace<Executor>, b>> {
 public:
  using Memory = WithWorkspace<Executor>;

  /// E, Y and V are memory to work in, of which those with null planes are allocated here; E becomes the transformation
  /// of these sweeps.
  FirstSweeps(Memory& executor, const SolverPlan& plan, const Planes& A, const Planes& E, const Planes& Y,
              const Planes& V)
      : executor_(executor),
        plan_(plan),
        order_(static_cast<int>(plan.order)),
        A_(A),
        rough_(executor, plan.order),
        rough_E_(executor, plan.order),
        E_(given_or_own(E)),
        work_{given_or_own(Y), given_or_own(V), given_or_own({}), given_or_own({})},
        strips_(executor.template allocate<double>(4 * std::size_t(pivot_rows) * std::size_t(plan.order))),
        lines_(executor.template allocate<double>(4 * std::size_t(plan.order))),
        norms_(executor.template allocate<double>(norms_doubles + 2 * std::size_t(plan.order))),
        iteration_(executor, plan, rough_.planes(), rough_E_.planes(), {}) {}

  /// Does these sweeps with a copy of A, whose largest part is near 1. A and E become their results, the sweeps but the
  /// last are appended to the history, and the last one is returned. If nothing is returned, A is as before.
  std::optional<SweepRecord> run(std::vector<SweepRecord>& history) {
    executor_.template launch<BeginInSingle>(order_, 0, {A_, rough_.planes(), rough_E_.planes()});
    std::vector<SweepRecord> sweeps;
    iteration_.run(eig_detail::least_in_single_precision, std::min(plan_.max_sweeps, most_sweeps), sweeps);
    if (sweeps.size() < 2) return {};
    const auto start = stopwatch_.mark();
    const bool formed = form_iterate();
    const auto end = stopwatch_.mark();
    if (!formed) return {};
    SweepRecord last = std::move(sweeps.back());
    sweeps.pop_back();
    last.seconds += stopwatch_.seconds(start, end);
    history = std::move(sweeps);
    return last;
  }

 private:
  static constexpr int most_sweeps = eig_detail::most_in_single_precision;

  Planes given_or_own(const Planes& given) {
    if (given.re != nullptr) return given;
    own_.emplace_back(executor_, plan_.order);
    return own_.back().planes();
  }

  /// Computes A := E⁻¹·A·E, if the lower part becomes small and the residual is one of rounding.
  bool form_iterate() {
    const auto& [H, G, X, R] = work_;  // H and G are used again
    executor_.template launch<ConvertBasis>(order_, 0, {rough_E_.planes(), E_, H});
    multiply<false>(H, E_, {}, G);
    invert_positive_definite(executor_, G, strips_.data());
    multiply<false>(G, H, {}, X);
    const Planes &product = H, &iterate = G;
    multiply<false>(A_, E_, {}, product);
    multiply<false>(X, product, {}, iterate);
    for (int correction = 0; correction < 2; ++correction) {
      multiply<true>(E_, iterate, product, R);
      multiply<false>(X, R, iterate, iterate);
    }
    multiply<true>(E_, iterate, product, R);
    const Norms of_iterate = norms_of(iterate);
    const double residual = norms_of(R).squared, of_basis = norms_of(E_).squared;
    const double allowed = double(plan_.n) * std::numeric_limits<double>::epsilon();
    const double left_below = eig_detail::most_left_below;
    if (!(residual <= allowed * allowed * of_basis * of_iterate.squared)) return false;
    if (!(of_iterate.lower_squared <= left_below * left_below * of_iterate.squared)) return false;
    executor_.copy(A_.re, iterate.re, 2 * std::size_t(plan_.order) * std::size_t(plan_.order));
    return true;
  }

  template <bool subtract>
  void multiply(const Planes& A, const Planes& B, const Planes& X, const Planes& Y) {
    using Body = MultiplyPlanes<subtract>;
    executor_.template launch<Body>(Body::blocks(plan_.order), 0, {A, B, X, Y});
  }

  Norms norms_of(const Planes& X) {
    executor_.template launch<SumParts<>>(order_, SumParts<>::shared_bytes,
                                          {X, lines_.data(), norms_.data() + norms_doubles});
    executor_.template launch<CollectNorms>(1, CollectNorms::shared_bytes,
                                            {lines_.data(), plan_.order, nullptr, 0, norms_.data()});
    std::array<double, norms_doubles> found{};
    executor_.download(found.data(), norms_.data(), found.size());
    return {found[0], found[1], found[2], found[3], found[4]};
  }

  Memory& executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  const SolverPlan& plan_;
  int order_;
  Planes A_;
  DeviceMatrix<Memory, float> rough_, rough_E_;
  std::vector<DeviceMatrix<Memory>> own_;
  Planes E_;
  std::array<Planes, 4> work_;
  Buffer<double> strips_, lines_, norms_;
  Iteration<Executor, BlockedSweep<Memory, b, float>> iteration_;
};

}  // namespace pivotlab::eig_device
