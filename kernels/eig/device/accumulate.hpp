// SPDX-License-Identifier: BSD-3-Clause
// Computes the transformations of inner sweeps as matrices M and M⁻¹, in the layout of operands of products.
//
// Every row of M is multiplied from the right by the transformations, one after the other; every row of (M⁻¹)ᵀ, that is
// every column of M⁻¹, by the transposed inverses. Each warp has rows of its own.
#pragma once

#include "kernels/eig/device/fragments.hpp"
#include "kernels/eig/device/pair_lanes.hpp"

namespace pivotlab::eig_device {

/// The matrices of an inner sweep by which every pair of blocks is multiplied.
template <int b>
struct Multipliers {
  static constexpr int order = 2 * b;
  static constexpr int elements = 2 * order * order;

  double* M;                   ///< [inner 16][group of 8 columns][RightFragment]
  double* inverse;             ///< M⁻¹: [inner 16][16 rows][LeftFragment]
  double* inverse_transposed;  ///< layout of M; null unless left vectors are requested
};

/// Grid: one block per (pair of blocks, M or M⁻¹, 8 rows of it or of its transpose: half of a fragment). R is the type
/// of the transformations; operands of products are doubles.
template <int b, class R = double>
struct AccumulateTile {
  static constexpr int order = 2 * b, pairs = b;
  static constexpr int own_rows = 8;
  static constexpr int slices = order / own_rows;
  struct Arguments {
    const Pair* strategy;  ///< [steps][pairs]
    int steps;
    const R* transformations;  ///< [pair of blocks][step][8][pair]
    Multipliers<b> to;
  };
  static constexpr int threads = own_rows * pairs;
  static constexpr int min_blocks = 1;
  static constexpr int stride = own_rows + 1;
  static constexpr int rows_bytes = 2 * int(sizeof(R)) * order * stride;
  static constexpr int steps_at_most = order;
  static constexpr int step_numbers = pairs * transformation_numbers;
  static constexpr int strategy_at = rows_bytes + int(sizeof(R)) * steps_at_most * step_numbers;
  static constexpr int shared_bytes = strategy_at + int(sizeof(Pair)) * steps_at_most * pairs;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int tile = context.block() / (2 * slices), slice = context.block() % slices;
    const bool of_inverse = context.block() / slices % 2 != 0;
    const auto X = shared_matrix<R>(context, 0, order, stride);
    const auto transformations = context.template shared<R>(rows_bytes, steps_at_most * step_numbers);
    const auto by_pairs = context.template shared<RealPair<R>>(rows_bytes, steps_at_most * step_numbers / 2);
    const auto strategy = context.template shared<Pair>(strategy_at, steps_at_most * pairs);
    const R* from = a.transformations + std::int64_t(tile) * a.steps * step_numbers;
    constexpr int at_once = 16 / sizeof(R);
    for (int e = at_once * context.thread(); e < a.steps * step_numbers; e += at_once * threads)
      context.copy_async(transformations + e, from + e);
    context.commit();
    for (int e = context.thread(); e < a.steps * pairs; e += threads) strategy[e] = a.strategy[e];
    const int row = context.thread() / pairs, own = context.thread() % pairs;
    for (int col = own; col < order; col += pairs)
      X.set(row, col, ComplexParts<R>(own_rows * slice + row == col ? R(1) : R(0)));
    context.template wait<0>();
    context.sync();

    const auto transformation_of = [&](int s) {
      const TransformationOf<R> m = load_transformation(by_pairs + s * step_numbers / 2, own, pairs);
      return of_inverse ? transposed(inverse(m)) : m;
    };
    Pair pair = strategy[own];
    TransformationOf<R> m = transformation_of(0);
    for (int s = 0; s < a.steps; ++s) {
      const int next = s + 1 < a.steps ? s + 1 : s;  // loaded while the current one is applied
      const Pair next_pair = strategy[next * pairs + own];
      const TransformationOf<R> next_m = transformation_of(next);
      transform_row(X, row, pair, m);
      context.sync_warp();
      pair = next_pair, m = next_m;
    }
    context.sync();
    const std::int64_t target = std::int64_t(tile) * Multipliers<b>::elements + slice / 2 * (32 * order);
    const int first = slice % 2 * own_rows;  // of the 16 rows of a fragment
    if (!of_inverse)
      store_right(context, X, first, a.to.M + target);
    else {
      store_left(context, X, first, a.to.inverse + target);
      if (a.to.inverse_transposed != nullptr) store_right(context, X, first, a.to.inverse_transposed + target);
    }
  }

 private:
  /// Computes rows of a right operand.
  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static void store_right(Context& context, const Matrix& X, int first, double* to) {
    using Fragment = RightFragment;
    for (int e = context.thread(); e < 32 * order; e += threads) {
      const int at = e % Fragment::doubles, group = e / Fragment::doubles, row = Fragment::row(at) - first;
      if (row >= 0 && row < own_rows) to[e] = X.part(row, 8 * group + Fragment::column(at), Fragment::part(at));
    }
  }
  /// Computes rows of X as columns of a left operand.
  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static void store_left(Context& context, const Matrix& X, int first, double* to) {
    using Fragment = LeftFragment;
    for (int e = context.thread(); e < 32 * order; e += threads) {
      const int at = e % Fragment::doubles, strip = e / Fragment::doubles, row = Fragment::column(at) - first;
      if (row >= 0 && row < own_rows) to[e] = X.part(row, 16 * strip + Fragment::row(at), Fragment::part(at));
    }
  }
};

}  // namespace pivotlab::eig_device
