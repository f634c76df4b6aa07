// SPDX-License-Identifier: BSD-3-Clause
// The blocked one-sided Jacobi iteration on the host.
//
//   for every sweep, every step of the strategy, all pivot block pairs (p, q) of the step at once:
//     R := square factor of [G_p G_q]                       (gsvd/host/tile_columns.hpp)
//     V̂ := pointwise iteration on (R, signs of the columns): one sweep (BO), or until none is needed (FB)
//     [G_p G_q] := [G_p G_q]·V̂, V alike                     (skipped without a transformation)
//   columns of G that are rounding noise become zero after every sweep
//
// Each tile is computed by one thread, and tiles of a step share nothing: bits do not depend on the number of threads.
#pragma once

#include "kernels/gsvd/host/tile_columns.hpp"
#include "kernels/jacobi/host/pointwise.hpp"
#include "kernels/jacobi/shared/problem.hpp"

#include <pivotlab/jacobi.hpp>

namespace pivotlab::jacobi {

/// Transforms tiles of order k = 2w. Each thread has its own solver.
template <class T>
class TileSolver {
 public:
  using R = RealOf<T>;

  TileSolver(const HsvdVariant& variant, const StrategyTable& inner, int max_sweeps)
      : variant_(variant),
        max_sweeps_(variant.form == JacobiForm::BO ? 1 : max_sweeps),
        iteration_(inner, rules_of<R>(variant, inner.order)),
        columns_(variant.width),
        square_(inner.order, inner.order),
        factor_(inner.order, inner.order),
        transformation_(inner.order, inner.order),
        signs_(static_cast<std::size_t>(inner.order)),
        tile_noise_(signs_.size()),
        noise_(signs_.size()) {}

  /// Transforms columns [p, p + w) and [q, q + w) of G and, unless it is empty, of V, and the noise of these columns.
  HsvdSweep process(MatrixView<T> G, MatrixView<T> V, std::span<const R> J, std::span<R> noise, Index p, Index q) {
    HsvdSweep counters;
    counters.qr_tiles = columns_.factor(G, p, q, variant_.factor, square_).replaced;
    factor_.assign(square_.view());
    transformation_.set_identity();
    for (Index j = 0; j < square_.cols(); ++j) {
      signs_[j] = J[column(p, q, j)];
      tile_noise_[j] = squared_norm<false>(factor_, j);
    }
    const PointwiseCounters inner = iteration_.run(factor_, &transformation_, signs_, tile_noise_, max_sweeps_);
    counters.transformations = inner.transformations;
    counters.big = inner.big;
    counters.hyperbolic = inner.hyperbolic;
    counters.clamped = inner.clamped;
    counters.largest_cosine = inner.largest_cosine;
    counters.largest_tan = inner.largest_tan;
    counters.largest_tanh = inner.largest_tanh;
    counters.max_inner_sweeps = inner.sweeps;
    counters.skipped_tiles = inner.transformations == 0;
    if (inner.transformations == 0) return counters;

    transformation_.copy_to(square_);
    if (variant_.fix) fix();
    columns_.multiply(G, p, q, square_);
    if (V.cols > 0) columns_.multiply(V, p, q, square_);
    transform_noise(noise, p, q);
    return counters;
  }

 private:
  /// Returns the column of G that is column j of the tile.
  std::size_t column(Index p, Index q, Index j) const {
    return static_cast<std::size_t>(j < variant_.width ? p + j : q + j - variant_.width);
  }

  /// Does one Newton step towards V*ĴV = Ĵ: E := V*ĴV − Ĵ, V := V·(I − ½·Ĵ·E).
  void fix() {
    const Index k = square_.cols();
    Matrix<T> signed_v = square_;
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i) signed_v(i, j) *= R(signs_[i]);
    Matrix<T> E = product_of<T>(adjoint(square_), signed_v);
    for (Index j = 0; j < k; ++j) E(j, j) -= T(signs_[j]);
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i) E(i, j) *= R(signs_[i] / R(-2));
    const Matrix<T> correction = product_of<T>(square_, E);
    for (Index i = 0; i < square_.size(); ++i) square_.data()[i] += correction.data()[i];
  }

  /// Computes ν² := max(|V̂|²ᵀ·ν², (ε·‖g‖)²) for the columns of the tile.
  void transform_noise(std::span<R> noise, Index p, Index q) {
    const Index k = square_.cols();
    for (Index j = 0; j < k; ++j) {
      R largest(0), sum(0);
      for (Index i = 0; i < k; ++i) {
        noise_[i] = modulus(square_(i, j)) * noise[column(p, q, i)];
        largest = std::max(largest, noise_[i]);
      }
      for (Index i = 0; largest > R(0) && i < k; ++i) {
        const R ratio = noise_[i] / largest;
        sum = fused(ratio, ratio, sum);
      }
      tile_noise_[j] = std::max<R>(largest * square_root(sum), noise_norm<R>(squared_norm<false>(factor_, j)));
    }
    for (Index j = 0; j < k; ++j) noise[column(p, q, j)] = tile_noise_[j];
  }

  HsvdVariant variant_;
  int max_sweeps_;
  PointwiseIteration<T> iteration_;
  TileColumns<T> columns_;
  Matrix<T> square_;  // k × k: factor, then transformation
  SplitMatrix<T> factor_, transformation_;
  std::vector<R> signs_, tile_noise_, noise_;
};

}  // namespace pivotlab::jacobi
