// SPDX-License-Identifier: BSD-3-Clause
// Computes [Y_p Y_q] := [Y_p Y_q]·Ẑ on tensor cores, in place.
//
// A warp loads 16 rows of all R real columns directly into registers as the left operand. The two rows of a fragment's
// lane are neighbours in memory, so loads and stores move 16 bytes per lane and 128 bytes per column.
// Every element of the result depends on all loaded elements, so nothing is overwritten before it has been read. Ẑ is
// in shared memory, one fragment after the other.
#pragma once

#include "kernels/gsvd/device/planes.hpp"

namespace pivotlab::device {

/// Ẑ as a real R × R matrix, in the complex case [Re −Im; Im Re] with respect to columns [Re Im]:
/// [16 rows][8 columns][half][lane][2], so that neighbouring lanes load neighbouring 16 bytes.
template <class Shape>
struct TransformationLayout {
  static constexpr int groups = Shape::real_columns / 8;
  static constexpr int blocks = Shape::real_columns / 16;
  static constexpr int elements = Shape::real_columns * Shape::real_columns;

  static constexpr PIVOTLAB_DEVICE int row(int element) {
    return element / (groups * 128) * 16 + element / 2 % 4 + element % 2 * 4 + element / 64 % 2 * 8;
  }
  static constexpr PIVOTLAB_DEVICE int column(int element) { return element / 128 % groups * 8 + element / 8 % 8; }
  static constexpr PIVOTLAB_DEVICE int element(int row, int column) {
    return (row / 16 * groups + column / 8) * 128 + row / 8 % 2 * 64 + (column % 8 * 4 + row % 4) * 2 + row / 4 % 2;
  }
};

/// Consecutive ones of the matrices that are multiplied: of F, G, Z.
struct MatrixRange {
  int first, end;
};

/// One block a (tile, matrix, chunk of strips of 16 rows). Short chunks keep the rows that are in work next to each
/// other in memory, which is faster as long as Ẑ is small beside them.
template <class Shape>
struct PostMultiply {
  using Layout = TransformationLayout<Shape>;
  struct Arguments {
    Planes matrix[3];
    const PivotPair* pairs;
    const double* transformations;  ///< [tile][Layout::elements]
    const int* moved;               ///< [tile]: 0 where Ẑ is the identity
    int first_chunk[4];             ///< of F, G, Z among the chunks of a tile, and their number
    int strips;                     ///< of 16 rows in a chunk, a multiple of the warps
  };
  // A warp needs 2·R registers a lane and more; as many warps as that allows.
  static constexpr int threads = Shape::real_columns == 128 ? 256 : 128;
  static constexpr int min_blocks = Shape::real_columns == 128 ? 1 : Shape::real_columns == 64 ? 3 : 4;
  static constexpr int most_strips = Shape::real_columns == 128 ? 8 : 2;  ///< of a warp
  static constexpr int shared_bytes = Layout::elements * 8;
  static constexpr int at_once = 2;  ///< groups of columns in work together

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int tile = context.block() / a.first_chunk[3];
    int chunk = context.block() % a.first_chunk[3];
    if (a.moved[tile] == 0) return;
    const int matrix = chunk < a.first_chunk[1] ? 0 : chunk < a.first_chunk[2] ? 1 : 2;
    chunk -= a.first_chunk[matrix];
    const Planes& Y = a.matrix[matrix];
    const PivotPair pair = a.pairs[tile];

    auto z = context.template shared<double>(0, Layout::elements);
    const double* source = a.transformations + static_cast<std::int64_t>(tile) * Layout::elements;
    for (int e = 2 * context.thread(); e < Layout::elements; e += 2 * threads) context.copy_async(z + e, source + e);
    context.commit();
    context.template wait<0>();
    context.sync();

    const int first = chunk * a.strips, all = static_cast<int>(Y.rows / 16);
    for (int strip = first + context.warp(); strip < first + a.strips && strip < all; strip += threads / 32)
      multiply(context, Y, pair, strip * std::int64_t(16), z);
  }

 private:
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void multiply(Context& context, const Planes& Y, PivotPair pair, std::int64_t row,
                                       const Array& z) {
    const int lane = context.lane();
    constexpr int panels = Shape::real_columns / Shape::width;
    double* panel[panels];  // the lane's rows in the first columns of the blocks
    for (int i = 0; i < panels; ++i) panel[i] = tile_column<Shape>(Y, pair, i * Shape::width) + row + lane / 4 * 2;
    double x[Layout::blocks][8];
#pragma unroll
    for (int k = 0; k < Layout::blocks; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int column = 16 * k + 4 * i;
        const DoublePair two =
            context.load2(panel[column / Shape::width] + (column % Shape::width + lane % 4) * Y.rows);
        x[k][2 * i] = two.x;
        x[k][2 * i + 1] = two.y;
      }
#pragma unroll 1
    for (int group = 0; group < Layout::groups; group += at_once) {
      double y[at_once][4] = {};
#pragma unroll
      for (int k = 0; k < Layout::blocks; ++k)
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
          const int at = (k * Layout::groups + group + j) * 128 + 2 * lane;
          const DoublePair low = context.load2(z + at), high = context.load2(z + at + 64);
          const double b[4] = {low.x, low.y, high.x, high.y};
          context.mma(y[j], x[k], b);
        }
      double* first = tile_column<Shape>(Y, pair, 8 * group) + lane % 4 * 2 * Y.rows + row + lane / 4 * 2;
#pragma unroll
      for (int j = 0; j < at_once; ++j)
#pragma unroll
        for (int i = 0; i < 2; ++i) context.store(first + (8 * j + i) * Y.rows, {y[j][i], y[j][2 + i]});
    }
  }
};

}  // namespace pivotlab::device
