// SPDX-License-Identifier: BSD-3-Clause
// The pointwise one-sided Jacobi iteration on a matrix with split parts: the inner level of the blocked iteration, and
// the whole iteration of the form PT. A step of the strategy forms the Gram matrices of all its pairs, then decides on
// all pairs together, then transforms. Pairs of a step share nothing: bits do not depend on the number of threads.
#pragma once

#include "kernels/gsvd/host/columns.hpp"
#include "kernels/jacobi/shared/rotation.hpp"
#include "kernels/numerics/split_matrix.hpp"
#include "variants/orderings/strategy_table.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace pivotlab::jacobi {

struct PointwiseCounters {
  std::uint64_t transformations = 0, big = 0, hyperbolic = 0, clamped = 0, null_columns = 0;
  double largest_cosine = 0, largest_tan = 0, largest_tanh = 0;
  int sweeps = 0;
};

/// Computes x := x + x_factor·(z̄·y + τ·x), y := y + y_factor·(z·x + y_tau·y) for columns p and q, and exchanges them if
/// `exchange` is set.
template <class T>
inline void update_columns(SplitMatrix<T>& A, Index p, Index q, const JacobiUpdate<RealOf<T>>& u, bool exchange) {
  using R = RealOf<T>;
  const Index m = A.rows();
  R* __restrict x = A.re(p);
  R* __restrict y = A.re(q);
  if constexpr (!is_complex<T>) {
#pragma omp simd
    for (Index i = 0; i < m; ++i) {
      R a = x[i], b = y[i];
      transform_elements(u, a, b);
      x[i] = exchange ? b : a, y[i] = exchange ? a : b;
    }
  } else {
    R* __restrict xi = A.im(p);
    R* __restrict yi = A.im(q);
#pragma omp simd
    for (Index i = 0; i < m; ++i) {
      R a = x[i], ai = xi[i], b = y[i], bi = yi[i];
      transform_elements(u, a, ai, b, bi);
      x[i] = exchange ? b : a, xi[i] = exchange ? bi : ai;
      y[i] = exchange ? a : b, yi[i] = exchange ? ai : bi;
    }
  }
}

/// Sweeps over the columns of G (as many as the order of the strategy table). The object owns the workspace of a step.
template <class T>
class PointwiseIteration {
 public:
  using R = RealOf<T>;

  PointwiseIteration(const StrategyTable& strategy, const JacobiRules<R>& rules, int threads = 1)
      : strategy_(&strategy), rules_(rules), threads_(threads) {
    for (auto* v :
         {&xx_,       &yy_,  &xy_re_,    &xy_im_, &sign_x_,  &sign_,   &noise_x_, &noise_y_, &z_re_,    &z_im_,
          &x_factor_, &tau_, &y_factor_, &y_tau_, &tangent_, &cosine_, &active_,  &big_,     &clamped_, &exchange_})
      v->resize(strategy.order / 2);
  }

  /// Does sweeps until one has no big transformation, at most max_sweeps. `J` has the signs of the columns; `noise` has
  /// the estimates of rounding errors in them (JacobiNoise), which it updates. V, if given, is multiplied by the
  /// transformations. After a sweep, columns of G that are not larger than their noise become zero.
  PointwiseCounters run(SplitMatrix<T>& G, SplitMatrix<T>* V, std::span<const R> J, std::span<R> noise,
                        int max_sweeps) {
    PointwiseCounters total;
    std::uint64_t big = 1;
    while (big > 0 && total.sweeps < max_sweeps) {
      big = total.big;
      for (Index s = 0; s < strategy_->steps; ++s) step(strategy_->step(s), G, V, J, noise, total);
      big = total.big - big;
      total.null_columns += clear_noise(G, noise);
      ++total.sweeps;
    }
    return total;
  }

 private:
  void step(std::span<const PivotPair> pairs, SplitMatrix<T>& G, SplitMatrix<T>* V, std::span<const R> J,
            std::span<R> noise, PointwiseCounters& total) {
    const std::size_t count = pairs.size();
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
    for (std::size_t l = 0; l < count; ++l) {
      const auto [p, q] = pairs[l];
      const PivotMatrix<R> m = pivot_matrix<false, true>(G, p, q);
      xx_[l] = m.xx, yy_[l] = m.yy, xy_re_[l] = m.xy_re, xy_im_[l] = m.xy_im;
      sign_x_[l] = J[p], sign_[l] = J[p] * J[q];
      noise_x_[l] = noise[p], noise_y_[l] = noise[q];
    }
    decide(count);
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
    for (std::size_t l = 0; l < count; ++l) {
      if (active_[l] == R(0)) continue;
      const auto [p, q] = pairs[l];
      const JacobiUpdate<R> update{z_re_[l], z_im_[l], x_factor_[l], tau_[l], y_factor_[l], y_tau_[l]};
      const bool exchange = exchange_[l] != R(0);
      update_columns(G, p, q, update, exchange);
      if (V != nullptr) update_columns(*V, p, q, update, exchange);
      noise[exchange ? q : p] = noise_x_[l], noise[exchange ? p : q] = noise_y_[l];
    }
    for (std::size_t l = 0; l < count; ++l) {
      if (active_[l] == R(0)) continue;
      ++total.transformations;
      total.big += big_[l] != R(0);
      total.largest_cosine = std::max(total.largest_cosine, static_cast<double>(cosine_[l]));
      double& largest = sign_[l] > R(0) ? total.largest_tan : total.largest_tanh;
      largest = std::max(largest, static_cast<double>(absolute(tangent_[l])));
      if (sign_[l] > R(0)) continue;
      ++total.hyperbolic;
      total.clamped += clamped_[l] != R(0);
    }
  }

  /// Decides on all pairs of a step, and computes the noise of their columns after the transformations.
  void decide(std::size_t count) {
    const JacobiRules<R> rules = rules_;
#pragma omp simd
    for (std::size_t l = 0; l < count; ++l) {
      const PivotMatrix<R> m{xx_[l], yy_[l], xy_re_[l], xy_im_[l]};
      const JacobiDecision<R> pair = decide_jacobi<is_complex<T>>(m, sign_[l], rules);
      const JacobiNoise<R> noise = transformed_noise<R>({noise_x_[l], noise_y_[l]}, m, sign_[l], pair);
      noise_x_[l] = noise.x, noise_y_[l] = noise.y;
      z_re_[l] = pair.update.z_re, z_im_[l] = pair.update.z_im;
      x_factor_[l] = pair.update.x_factor, tau_[l] = pair.update.tau;
      y_factor_[l] = pair.update.y_factor, y_tau_[l] = pair.update.y_tau;
      tangent_[l] = pair.t, cosine_[l] = pair.cosine, active_[l] = pair.active, big_[l] = pair.big,
      clamped_[l] = pair.clamped;
      exchange_[l] = changes_places(pair, sign_x_[l], sign_[l], rules) ? R(1) : R(0);
    }
  }

  std::uint64_t clear_noise(SplitMatrix<T>& G, std::span<const R> noise) {
    std::uint64_t cleared = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(+ : cleared) if (threads_ > 1)
    for (Index j = 0; j < G.cols(); ++j) {
      const R square = squared_norm<false>(G, j);
      if (square == R(0) || !is_rounding_noise(square, noise[j])) continue;
      G.scale_column(j, R(0));
      ++cleared;
    }
    return cleared;
  }

  const StrategyTable* strategy_;
  JacobiRules<R> rules_;
  int threads_;

  // These vectors have one entry per pair of the current step.
  std::vector<R> xx_, yy_, xy_re_, xy_im_, sign_x_, sign_, noise_x_, noise_y_;
  std::vector<R> z_re_, z_im_, x_factor_, tau_, y_factor_, y_tau_, tangent_, cosine_;
  std::vector<R> active_, big_, clamped_, exchange_;  // 0 or 1
};

}  // namespace pivotlab::jacobi
