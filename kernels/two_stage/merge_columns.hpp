// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix: columns of vectors are grouped, multiplied and put back.
#pragma once

#include "kernels/two_stage/merge_tree.hpp"

namespace pivotlab::two_stage {

/// Copies the columns of Q: those of the upper group and of both, their upper rows only; of both and the lower group,
/// lower rows; then deflated ones. A body of EachColumn, for a column of the copy.
struct GatherColumns {
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const MergeArguments& a, const Merge& merge,
                                  const MergeSizes& sizes, int c) {
    const int* const source = a.source + merge.begin;
    const auto copy = [&](Index begin, Index end, int column) {
      double* const to = a.copy.data + (merge.begin + c) * a.copy.stride;
      const double* const from = a.Q.data + column * a.Q.stride;
      for (Index row = begin + context.lane(); row < end; row += warp_size) to[row] = from[row];
    };
    if (c >= sizes.kept || a.of_boundaries) return copy(a.begin_of_rows(merge), a.end_of_rows(merge), source[c]);
    if (c < sizes.upper_or_both()) copy(merge.begin, merge.middle, source[c]);
    if (c < sizes.both_or_lower()) copy(merge.middle, merge.end, source[sizes.upper + c]);
  }
};

/// Puts deflated columns back behind the others, and sorts eigenvalues by counting those before each. A body of
/// EachColumn.
struct FinishColumns {
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const MergeArguments& a, const Merge& merge,
                                  const MergeSizes& sizes, int c) {
    const double *const lambda = a.lambda + merge.begin, own = lambda[c];
    int before = 0;
    for (int i = context.lane(); i < merge.size(); i += warp_size)
      before += lambda[i] < own || (lambda[i] == own && i < c);
    before = warp_sum(context, before);
    const Index column = merge.begin + c;
    if (context.lane() == 0)
      a.values[merge.begin + before] = own, a.order[merge.begin + before] = static_cast<int>(column);
    if (c < sizes.kept) return;
    for (Index row = a.begin_of_rows(merge) + context.lane(); row < a.end_of_rows(merge); row += warp_size)
      a.Q.data[row + column * a.Q.stride] = a.copy.data[row + column * a.copy.stride];
  }
};

/// Multiplies the gathered columns by the vectors of the rank-one updates, for all merges of a level: upper rows by the
/// upper groups' rows of S, lower ones by the lower groups'.
///
/// A block for each tile of 64 × 64 of the result, of 4 warps with 32 × 32 each, on tensor cores. Shared memory: 16
/// columns of the left factor (+ 4 rows, against bank conflicts) and 64 of the right one (+ 4 rows).
struct MultiplyColumns {
  using Arguments = MergeArguments;
  static constexpr int tile = 64, depth = 16, threads = 128, min_blocks = 3;
  static constexpr int left_stride = tile + 4, right_stride = depth + 4, left_size = depth * left_stride,
                       right_size = tile * right_stride;
  static constexpr int shared_bytes = (left_size + right_size) * static_cast<int>(sizeof(double));

  /// Returns the blocks of a launch.
  static Index blocks(const Level& level) { return level.parts() * tiles_of_merge(level); }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index part = context.block() / tiles_of_merge(a.level);
    Index number = context.block() % tiles_of_merge(a.level);
    const Merge merge = a.level.merge(part);
    const MergeSizes& sizes = a.sizes[part];
    const bool lower = number % 2 == 1;
    number /= 2;
    const Index begin = lower ? merge.middle : merge.begin, end = lower ? merge.end : merge.middle,
                row = begin + number % tile_rows(a.level) * tile, column = number / tile_rows(a.level) * tile;
    if (row >= end || column >= sizes.kept) return;
    const int inner = lower ? sizes.both_or_lower() : sizes.upper_or_both();
    const Index first = merge.begin + (lower ? sizes.upper : 0);
    const MatrixView<double> left{a.copy.data + row + merge.begin * a.copy.stride, end - row, inner, a.copy.stride},
        right{a.S.data + first + (merge.begin + column) * a.S.stride, inner, sizes.kept - column, a.S.stride},
        to{a.Q.data + row + (merge.begin + column) * a.Q.stride, left.rows, right.cols, a.Q.stride};
    multiply(context, left, right, to);
  }

 private:
  PIVOTLAB_DEVICE static Index most_rows(const Level& level) { return (level.order >> level.bits) + 1; }
  PIVOTLAB_DEVICE static Index tile_rows(const Level& level) { return (most_rows(level) / 2 + tile) / tile; }
  PIVOTLAB_DEVICE static Index tiles_of_merge(const Level& level) {
    return 2 * tile_rows(level) * ((most_rows(level) + tile - 1) / tile);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void multiply(Context& context, const MatrixView<double>& A, const MatrixView<double>& B,
                                       const MatrixView<double>& to) {
    const auto left = context.template shared<double>(0, left_size);
    const auto right = context.template shared<double>(left_size * static_cast<int>(sizeof(double)), right_size);
    const int thread = context.thread(), group = context.lane() / 4, in_group = context.lane() % 4;
    const int first_row = context.warp() % 2 * 32, first_column = context.warp() / 2 * 32;
    double sums[2][4][4] = {};
    for (Index k = 0; k < A.cols; k += depth) {
      for (int e = thread; e < tile * depth; e += threads) {
        const int i = e % tile, l = e / tile, inner = e % depth, j = e / depth;
        left[l * left_stride + i] = i < A.rows && k + l < A.cols ? A.data[i + (k + l) * A.stride] : 0;
        right[j * right_stride + inner] = k + inner < B.rows && j < B.cols ? B.data[k + inner + j * B.stride] : 0;
      }
      context.sync();
      double b[4][4];
      for (int n = 0; n < 4; ++n)
        for (int e = 0; e < 4; ++e) b[n][e] = right[(first_column + 8 * n + group) * right_stride + in_group + 4 * e];
      for (int m = 0; m < 2; ++m) {
        double c[8];
        for (int e = 0; e < 8; ++e)
          c[e] = left[(in_group + 4 * (e / 2)) * left_stride + first_row + 16 * m + group + 8 * (e % 2)];
        for (int n = 0; n < 4; ++n) context.mma(sums[m][n], c, b[n]);
      }
      context.sync();
    }
    for (int m = 0; m < 2; ++m)
      for (int n = 0; n < 4; ++n)
        for (int e = 0; e < 4; ++e) {
          const Index i = first_row + 16 * m + group + 8 * (e / 2), j = first_column + 8 * n + 2 * in_group + e % 2;
          if (i < to.rows && j < to.cols) to.data[i + j * to.stride] = sums[m][n][e];
        }
  }
};

}  // namespace pivotlab::two_stage
