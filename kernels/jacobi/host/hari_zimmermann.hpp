// SPDX-License-Identifier: BSD-3-Clause
// The pointwise implicit Hari–Zimmermann algorithm for (F, G; J) on whole columns: F*JF and G*G become diagonal. Pairs
// of a step share nothing: bits do not depend on the number of threads.
#pragma once

#include "kernels/gsvd/host/columns.hpp"
#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/signed_decision.hpp"
#include "kernels/numerics/split_matrix.hpp"
#include "support/timer.hpp"
#include "variants/orderings/strategy.hpp"

#include <algorithm>
#include <cstdint>
#include <pivotlab/interrupt.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// The last iterate: columns of F by sign of the row, of G, and of Z, and the noise of the columns of F and of G
/// (JacobiNoise).
template <class T>
struct SignedIterate {
  SplitMatrix<T> plus, minus, G, Z;
  std::vector<RealOf<T>> noise, noise_g;
};

/// Distributes the rows of F by their signs. An odd number of columns is bordered by a zero column of F and a unit
/// column in a new row of G.
template <class T>
SignedIterate<T> signed_iterate(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J) {
  const Index n = F.cols(), order = bordered(n, 2);
  Index negative = 0;
  for (Index i = 0; i < F.rows(); ++i) negative += is_negative(J, i) ? 1 : 0;
  Matrix<T> plus(F.rows() - negative, order), minus(negative, order), bordered_g(G.rows() + order - n, order);
  for (Index j = 0; j < n; ++j) {
    Index next_plus = 0, next_minus = 0;
    for (Index i = 0; i < F.rows(); ++i) (is_negative(J, i) ? minus(next_minus++, j) : plus(next_plus++, j)) = F(i, j);
    std::ranges::copy(G.col(j), bordered_g.col(j).begin());
  }
  for (Index j = n; j < order; ++j) bordered_g(G.rows() + j - n, j) = T(1);
  const auto split = [&](const Matrix<T>& A) {
    SplitMatrix<T> result(A.rows(), A.cols());
    result.assign(A.view());
    return result;
  };
  const std::vector<RealOf<T>> none(order, RealOf<T>(0));
  return {split(plus), split(minus), split(bordered_g), split(Matrix<T>::identity(order)), none, none};
}

/// Products of columns p and q.
template <class T>
SignedPivots<RealOf<T>> signed_pivots(const SignedIterate<T>& a, Index p, Index q) {
  using R = RealOf<T>;
  const PivotMatrix<R> f = pivot_matrix<false, true>(a.plus, p, q), h = pivot_matrix<false, true>(a.minus, p, q);
  return {{R(f.xx - h.xx), R(f.yy - h.yy), R(f.xy_re - h.xy_re), R(f.xy_im - h.xy_im)},
          R(f.xx + h.xx),
          R(f.yy + h.yy),
          pivot_matrix<false, true>(a.G, p, q)};
}

/// Transforms columns p and q unless they are orthogonal in both products, and counts that.
template <class T>
void process_pair(SignedIterate<T>& a, const PivotPair& pair, const JacobiRules<RealOf<T>>& rules,
                  HsvdSweep& counters) {
  using R = RealOf<T>;
  const Index p = pair.p, q = pair.q;
  const SignedPivots<R> pivots = signed_pivots(a, p, q);
  const SignedDecision<R> decision = decide_signed<is_complex<T>>(pivots, rules);
  if (!decision.active) return;
  for (SplitMatrix<T>* A : {&a.plus, &a.minus, &a.G, &a.Z}) transform_columns(*A, p, q, decision.z);
  const auto transform = [&](std::vector<R>& noise, const R& xx, const R& yy) {
    R &x = noise[p], &y = noise[q];
    const JacobiNoise<R> next = transformed_noise<R>({std::max(x, xx), std::max(y, yy)}, decision.z);
    x = next.x, y = next.y;
  };
  transform(a.noise, pivots.f_xx, pivots.f_yy);
  transform(a.noise_g, pivots.B.xx, pivots.B.yy);
  counters.transformations = 1;
  counters.big = decision.big ? 1 : 0;
  counters.largest_cosine = static_cast<double>(decision.cosine);
  counters.largest_tan = std::min(1.0, static_cast<double>(decision.tangent));
}

/// Sets the columns of F that are not larger than their noise to zero, and returns their number.
template <class T>
std::uint64_t clear_noise(SignedIterate<T>& a) {
  std::uint64_t cleared = 0;
  for (Index j = 0; j < a.G.cols(); ++j) {
    const RealOf<T> square = squared_norm<false>(a.plus, j) + squared_norm<false>(a.minus, j);
    if (square == RealOf<T>(0) || !is_rounding_noise(square, a.noise[j])) continue;
    a.plus.scale_column(j, RealOf<T>(0)), a.minus.scale_column(j, RealOf<T>(0));
    ++cleared;
  }
  return cleared;
}

/// Does sweeps until one ends the iteration or their number is max_sweeps.
template <class T>
std::vector<HsvdSweep> iterate(SignedIterate<T>& a, const HsvdOptions& options, int threads) {
  const Index rows = std::max(a.plus.rows() + a.minus.rows(), a.G.rows());
  const StrategyTable table = make_strategy_table(options.variant.strategy, a.G.cols());
  const JacobiRules<RealOf<T>> rules = jacobi_rules<RealOf<T>>(rows);
  std::vector<HsvdSweep> sweeps, counters(static_cast<std::size_t>(table.order / 2));
  bool converged = false;
  while (!converged && std::ssize(sweeps) < options.max_sweeps) {
    const Timer timer;
    HsvdSweep sweep{.max_inner_sweeps = 1};
    for (Index s = 0; s < table.steps; ++s) {
      throw_if_interrupted();
      const auto pairs = table.step(s);
      std::ranges::fill(counters, HsvdSweep{});
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
      for (std::size_t l = 0; l < pairs.size(); ++l) process_pair(a, pairs[l], rules, counters[l]);
      for (const HsvdSweep& c : counters) add(sweep, c);
    }
    sweep.null_columns = clear_noise(a);
    sweep.seconds = timer.seconds();
    sweeps.push_back(sweep);
    converged = ends_iteration<RealOf<T>>(sweep, rows);
  }
  return sweeps;
}

}  // namespace pivotlab::jacobi
