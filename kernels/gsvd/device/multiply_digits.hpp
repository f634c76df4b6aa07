// SPDX-License-Identifier: BSD-3-Clause
// Computes [Y_p Y_q] := [Y_p Y_q]·Ẑ in single precision, in place, by products of digits (column_digits.hpp).
//
// A warp copies 32 rows of all R real columns to shared memory while it multiplies the rows before, and splits them as
// the left operand. So all of them have been read before they are overwritten. The digits of Ẑ are in shared memory,
// one fragment after the other. The inner index is permuted so that a lane has every fourth column of Y.
#pragma once

#include "kernels/gsvd/device/column_digits.hpp"

#include <algorithm>

namespace pivotlab::device {

/// One block a (tile, matrix, chunk of rows).
template <class Shape>
struct MultiplyDigits {
  using Layout = DigitLayout<Shape>;
  static constexpr int R = Shape::real_columns;
  struct Arguments {
    PlanesOf<float> matrix[3];
    const PivotPair* pairs;
    TransformationDigits<Shape> by;
    ColumnSizes sizes;  ///< of columns of moved tiles: zero before
    const int* moved;   ///< [tile]: 0 where Ẑ is the identity
    MatrixRange range;  ///< that is multiplied
    int chunks;         ///< of the matrix with most rows
    std::int64_t chunk_rows;
  };
  static constexpr int warps = R == 128 ? 8 : 4, threads = 32 * warps;
  static constexpr int min_blocks = R == 128 ? 1 : 3;
  static constexpr int fragments = 2, lane_rows = 2 * fragments;  ///< of 16 rows, of a warp at once; rows of a lane
  static constexpr int unrolled_groups = R == 128 ? 1 : 2;
  static constexpr int warp_rows = 16 * fragments, block_rows = warp_rows * warps;
  static constexpr int factors_at = Layout::words * 4, units_at = factors_at + 4 * R, sizes_at = units_at + 4 * R;
  static constexpr int copies_at = sizes_at + 4 * R, copies_of_warp = warp_rows * R;  ///< floats
  static constexpr int shared_bytes = copies_at + warps * 4 * copies_of_warp;

  /// Returns the rows of a chunk of (tile, matrix), of which there are `items`: so many that Ẑ is little beside them,
  /// if 32 warps for each of 132 multiprocessors remain.
  static std::int64_t chunk_rows(std::int64_t rows, int items) {
    constexpr int wanted_blocks = 32 * 132 / warps, most = 8;
    const std::int64_t units = (rows + block_rows - 1) / block_rows;
    return std::clamp<std::int64_t>(units * items / wanted_blocks, 1, most) * block_rows;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int chunks = (a.range.end - a.range.first) * a.chunks;
    const int tile = context.block() / chunks, part = context.block() % chunks;
    const int matrix = a.range.first + part / a.chunks;
    const PlanesOf<float>& Y = a.matrix[matrix];
    const std::int64_t begin = part % a.chunks * a.chunk_rows;
    if (a.moved[tile] == 0 || begin >= Y.rows) return;

    const std::int64_t transformation = 3 * tile + matrix;
    const auto Z = context.template shared<std::uint32_t>(0, Layout::words);
    const std::uint32_t* source = a.by.words + transformation * Layout::words;
    for (int e = 4 * context.thread(); e < Layout::words; e += 4 * threads) context.copy_async(Z + e, source + e);
    context.commit();
    const auto factors = context.template shared<float>(factors_at, R),
               units = context.template shared<float>(units_at, R);
    const auto sizes = context.template shared<std::int32_t>(sizes_at, R);
    for (int c = context.thread(); c < R; c += threads) {
      factors[c] = a.by.factors[transformation * R + c];
      units[c] = a.by.units[transformation * R + c];
      sizes[c] = 0;
    }
    const std::int64_t end = begin + a.chunk_rows < Y.rows ? begin + a.chunk_rows : Y.rows;
    const auto copies = context.template shared<float>(copies_at + 4 * context.warp() * copies_of_warp, copies_of_warp);
    std::int64_t row = begin + warp_rows * context.warp();
    copy(context, Y, a.pairs[tile], row, end, copies);
    context.template wait<0>();
    context.sync();
    for (; row < end; row += block_rows) {
      std::uint32_t left[fragments][Layout::blocks][digits::count][4];
      context.template wait<0>();
      context.sync_warp();
      split(context, copies, factors, end - row, left);
      context.sync_warp();
      copy(context, Y, a.pairs[tile], row + block_rows, end, copies);
      multiply(context, Y, a.pairs[tile], row, left, Z, units, sizes);
    }
    context.sync();
    for (int c = context.thread(); c < R; c += threads)
      context.raise(a.sizes.template of<Shape>(matrix, a.pairs[tile], c), sizes[c]);
  }

 private:
  /// Adjacent rows of one column: those of a lane.
  struct alignas(16) Rows {
    float x[lane_rows];
  };

  /// Returns where rows 4i… of a column are copied to, in an order without bank conflicts.
  PIVOTLAB_DEVICE static int copy_at(int column, int i) { return (column * 8 + (i + 2 * column) % 8) * lane_rows; }

  template <class Context, class Copies>
  PIVOTLAB_DEVICE static void copy(Context& context, const PlanesOf<float>& Y, PivotPair pair, std::int64_t row,
                                   std::int64_t end, const Copies& to) {
    const int i = context.lane() % 8;
    if (row + i * lane_rows < end)
#pragma unroll
      for (int column = 0; column < R; column += 4) {
        const int own = column + context.lane() / 8;
        context.copy_async(to + copy_at(own, i),
                           tile_column<Shape>(Y, pair, column) + context.lane() / 8 * Y.rows + (row + i * lane_rows));
      }
    context.commit();
  }

  /// Splits copied rows, of which `rows` exist, as left operands.
  template <class Context, class Copies, class Floats>
  PIVOTLAB_DEVICE static void split(Context& context, const Copies& copies, const Floats& factors, std::int64_t rows,
                                    std::uint32_t (&left)[fragments][Layout::blocks][digits::count][4]) {
    const int lane = context.lane();
    const bool exists = lane / 4 * lane_rows < rows;
#pragma unroll
    for (int i = 0; i < 2 * Layout::blocks; ++i) {
      Rows x[4];
      float factor[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int column = 4 * (4 * i + j) + lane % 4;
        x[j] = exists ? read(copies + copy_at(column, lane / 4)) : Rows{};
        factor[j] = factors[column];
      }
#pragma unroll
      for (int r = 0; r < lane_rows; ++r) {
        std::uint32_t of_digit[digits::count];
        digits::split({x[0].x[r], x[1].x[r], x[2].x[r], x[3].x[r]}, factor, of_digit);
#pragma unroll
        for (int d = 0; d < digits::count; ++d) left[r / 2][i / 2][d][r % 2 + i % 2 * 2] = of_digit[d];
      }
    }
  }
  PIVOTLAB_DEVICE static Rows read(const float* from) {
    return *reinterpret_cast<const Rows*>(from);
  }
  template <class Array>
  PIVOTLAB_DEVICE static Rows read(const Array& from) {
    return {{from[0], from[1], from[2], from[3]}};
  }

  /// Computes and stores the rows of the product, and raises the sizes of their columns.
  template <class Context, class Array, class Floats, class Sizes>
  PIVOTLAB_DEVICE static void multiply(Context& context, const PlanesOf<float>& Y, PivotPair pair, std::int64_t row,
                                       const std::uint32_t (&left)[fragments][Layout::blocks][digits::count][4],
                                       const Array& Z, const Floats& units, const Sizes& sizes) {
    const int lane = context.lane();
    row += lane / 4 * lane_rows;
    const bool exists = row < Y.rows;
#pragma unroll unrolled_groups
    for (int group = 0; group < Layout::groups; ++group) {
      digits::Sum sum[fragments];
#pragma unroll
      for (int block = 0; block < Layout::blocks; ++block) {
        std::uint32_t right[digits::count][2];
#pragma unroll
        for (int d = 0; d < digits::count; ++d)
          for (int i = 0; i < 2; ++i) right[d][i] = Z[Layout::at(group, d, block) + 2 * lane + i];
#pragma unroll
        for (int f = 0; f < fragments; ++f) sum[f].add(context, left[f][block], right);
      }
      const int column = 8 * group + lane % 4 * 2;
      float* const to = tile_column<Shape>(Y, pair, 8 * group) + lane % 4 * 2 * Y.rows + row;
      std::int32_t size[2] = {};
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float unit = units[column + c];
        float y[lane_rows];
#pragma unroll
        for (int r = 0; r < lane_rows; ++r) {
          y[r] = sum[r / 2].value(r % 2 * 2 + c) * unit;
          size[c] = digits::larger(size[c], digits::size_of(y[r]));
        }
        if (exists) context.store(to + c * Y.rows, y);
      }
#pragma unroll
      for (int mask = 4; mask < 32; mask *= 2)
#pragma unroll
        for (int c = 0; c < 2; ++c) size[c] = digits::larger(size[c], context.shuffle_xor(size[c], mask));
      if (lane < 4)
        for (int c = 0; c < 2; ++c) context.raise(sizes + column + c, size[c]);
    }
  }
};

}  // namespace pivotlab::device
