// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of pivot block pairs: S = XᵀX of the R real columns of a pair, upper triangle, on tensor cores.
//
// A fragment of X serves as the left and as the right operand, so a warp loads 8 rows of all its columns once, and
// multiplies every pair of 8-column groups that it owns. Rows are cut into chunks, chunks into strips of 8 rows that
// the teams of a block take in turn: a warp, or four warps where S is too large for the registers of one. A team copies
// the next strips to shared memory while it multiplies: registers have no room for two strips, and one would not keep
// the memory busy. Sums are formed within a warp, then over the teams of a block, then (by the kernel that reads them)
// over the chunks. Columns of floats have strips of 16 rows, which are as many bytes and two strips of 8 rows: a lane
// copies 16 bytes of a column, and multiplies two of their numbers at once.
#pragma once

#include "kernels/gsvd/device/planes.hpp"

namespace pivotlab::device {

/// Layout of a sum of products, that of the accumulators: [16 × 8 subtile][lane][4].
template <class Shape>
struct GramLayout {
  static constexpr int groups = Shape::real_columns / 8;
  static constexpr int subtiles = groups * groups / 4 + groups / 2;  ///< Σ over rows I of (groups − 2I)
  static constexpr int elements = subtiles * 128;

  /// Returns the number of the subtile of rows 16·i… and columns 8·j…, j ≥ 2i.
  static constexpr PIVOTLAB_DEVICE int subtile(int i, int j) { return i * groups - i * (i - 1) + j - 2 * i; }
  /// Returns the position of S(row, column), row ≤ column.
  static constexpr PIVOTLAB_DEVICE int element(int row, int column) {
    const int r = row % 16, c = column % 8;
    return (subtile(row / 16, column / 8) * 32 + (r % 8) * 4 + c / 2) * 4 + (r / 8) * 2 + c % 2;
  }
};

/// The part of S that one warp holds in registers: subtile rows [first_row, first_row + rows) of 16 rows, groups
/// [first_group, first_group + groups) of 8 columns; of a square on the diagonal only the upper half.
template <class Layout, int first_row, int rows, int first_group, int groups>
struct GramRegion {
  static constexpr bool diagonal = first_group == 2 * first_row;
  static constexpr int loaded = diagonal ? groups : 2 * rows + groups;

  double sum[rows][groups][4] = {};

  /// Returns the group of 8 columns of the tile that is operand g, 0 ≤ g < loaded.
  static constexpr PIVOTLAB_DEVICE int group_of(int g) {
    return diagonal || g < 2 * rows ? 2 * first_row + g : first_group + g - 2 * rows;
  }

  /// Adds the products of a strip, [group][lane][parts][2].
  template <int parts, class Context, class Array>
  PIVOTLAB_DEVICE void add(Context& context, const Array& strip) {
#pragma unroll 1  // registers have no room for two parts
    for (int part = 0; part < parts; ++part) {
      double x[loaded][2];
#pragma unroll
      for (int g = 0; g < loaded; ++g) {
        const DoublePair two = load_pair(context, strip + ((group_of(g) * 32 + context.lane()) * parts + part) * 2);
        x[g][0] = two.x;
        x[g][1] = two.y;
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const double a[4] = {x[2 * i][0], x[2 * i + 1][0], x[2 * i][1], x[2 * i + 1][1]};
#pragma unroll
        for (int j = diagonal ? 2 * i : 0; j < groups; ++j) context.mma(sum[i][j], a, x[diagonal ? j : 2 * rows + j]);
      }
    }
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE void store(Context& context, Array& target, int offset) const {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = diagonal ? 2 * i : 0; j < groups; ++j) {
        const int at = offset + (Layout::subtile(first_row + i, first_group + j) * 32 + context.lane()) * 4;
        context.store2(target + at, sum[i][j][0], sum[i][j][1]);
        context.store2(target + at + 2, sum[i][j][2], sum[i][j][3]);
      }
  }
};

/// Computes S. Grid: one block per (item, chunk of rows); item = tile for F, tiles + tile for G.
template <class Shape, class Stored = double>
struct Gram {
  using Layout = GramLayout<Shape>;
  struct Arguments {
    PlanesOf<Stored> matrix[2];
    const PivotPair* pairs;
    int tiles;
    int chunks;               ///< of each matrix
    std::int64_t chunk_rows;  ///< multiple of 16
    double* sums;             ///< [item][chunk][Layout::elements]
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr bool in_quarters = Layout::groups == 16;  ///< S is too large for one warp's registers
  static constexpr int team = in_quarters ? 4 : 1, teams = threads / 32 / team;
  static constexpr int parts = 8 / sizeof(Stored);  ///< of 8 rows in a strip
  static constexpr int strip_rows = 8 * parts * teams;
  static constexpr int stage_strips = in_quarters ? 2 : 1;  ///< of a team
  static constexpr int stages = in_quarters ? 3 : 2;
  static constexpr int strip_elements = Layout::groups * 64 * parts;
  static constexpr int queue_elements = stages * stage_strips * strip_elements;  ///< of a team
  static constexpr int sums_bytes = teams * Layout::elements * 8, queue_bytes = queue_elements * sizeof(Stored);
  static constexpr int queues_bytes = teams * queue_bytes;
  static constexpr int shared_bytes = sums_bytes < queues_bytes ? queues_bytes : sums_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int item = context.block() / a.chunks, chunk = context.block() % a.chunks;
    const PlanesOf<Stored>& Y = a.matrix[item / a.tiles];
    const PivotPair pair = a.pairs[item % a.tiles];
    const std::int64_t begin = chunk * a.chunk_rows;
    const std::int64_t end = begin + a.chunk_rows < Y.rows ? begin + a.chunk_rows : Y.rows;
    auto shared = context.template shared<double>(0, shared_bytes / 8);

    if constexpr (in_quarters) {
      switch (context.warp() % 4) {
        case 0:
          sum_region<0, 4, 0, 8>(context, Y, pair, begin, end, shared);
          break;
        case 1:
          sum_region<4, 4, 8, 8>(context, Y, pair, begin, end, shared);
          break;
        case 2:
          sum_region<0, 4, 8, 4>(context, Y, pair, begin, end, shared);
          break;
        default:
          sum_region<0, 4, 12, 4>(context, Y, pair, begin, end, shared);
      }
    } else {
      sum_region<0, Layout::groups / 2, 0, Layout::groups>(context, Y, pair, begin, end, shared);
    }
    context.sync();
    double* sums = a.sums + static_cast<std::int64_t>(context.block()) * Layout::elements;
    for (int e = context.thread(); e < Layout::elements; e += threads) {
      double sum = shared[e];
      for (int t = 1; t < teams; ++t) sum += shared[t * Layout::elements + e];
      sums[e] = sum;
    }
  }

 private:
  template <int first_row, int rows, int first_group, int groups, class Context, class Array>
  PIVOTLAB_DEVICE static void sum_region(Context& context, const PlanesOf<Stored>& Y, PivotPair pair,
                                         std::int64_t begin, std::int64_t end, Array& shared) {
    GramRegion<Layout, first_row, rows, first_group, groups> region;
    const int which = context.warp() / team;
    add_strips(context, region, Y, pair, begin, begin + 8 * parts * which, end,
               context.template shared<Stored>(which * queue_bytes, queue_elements));
    context.sync();  // the sums take the memory of the queues
    region.store(context, shared, which * Layout::elements);
  }

  /// Adds the strips of a team from row `begin` on. Warps that wait for each other run the loop equally often.
  template <class Context, class Region, class Array>
  PIVOTLAB_DEVICE static void add_strips(Context& context, Region& region, const PlanesOf<Stored>& Y, PivotPair pair,
                                         std::int64_t begin_of_block, std::int64_t begin, std::int64_t end,
                                         const Array& queue) {
    constexpr int copied = Layout::groups / team, adjacent = 2 * parts;
    constexpr std::int64_t stage_rows = stage_strips * strip_rows;
    const int member = context.warp() % team, lane = context.lane();
    const Stored* source[copied];
#pragma unroll
    for (int g = 0; g < copied; ++g)
      source[g] = tile_column<Shape>(Y, pair, 8 * (member + g * team) + lane / 4) + lane % 4 * adjacent;
    const auto copy_stage = [&](std::int64_t row, int slot) {
#pragma unroll
      for (int s = 0; s < stage_strips; ++s, row += strip_rows)
        if (row < end)
#pragma unroll
          for (int g = 0; g < copied; ++g)
            context.copy_async(
                queue + ((slot * stage_strips + s) * strip_elements + ((member + g * team) * 32 + lane) * adjacent),
                source[g] + row);
      context.commit();
    };
    for (int slot = 0; slot < stages - 1; ++slot) copy_stage(begin + slot * stage_rows, slot);
    int slot = 0;
    for (std::int64_t row = begin, done = team == 1 ? begin : begin_of_block; done < end;
         row += stage_rows, done += stage_rows) {
      const int previous = slot == 0 ? stages - 1 : slot - 1;
      if constexpr (team == 1) {  // a lane reads what it has copied
        copy_stage(row + (stages - 1) * stage_rows, previous);
        context.template wait<stages - 1>();
      } else {
        context.template wait<stages - 2>();
        context.sync();  // and all warps have read the previous stage
        copy_stage(row + (stages - 1) * stage_rows, previous);
      }
#pragma unroll
      for (int s = 0; s < stage_strips; ++s)
        if (team == 1 || row + s * strip_rows < end)
          region.template add<parts>(context, queue + (slot * stage_strips + s) * strip_elements);
      slot = slot + 1 == stages ? 0 : slot + 1;
    }
  }
};

/// Sums S of one item over the chunks of its rows, and expands it to a square matrix in shared memory; a warp takes
/// some of the subtiles.
template <class Shape, int threads, class Context, class Array>
PIVOTLAB_DEVICE inline void add_chunks(Context& context, const double* first_chunk, int chunks, const Array& gram) {
  using Layout = GramLayout<Shape>;
  const int lane = context.lane();
  int subtile = 0;
  for (int i = 0; i < Layout::groups / 2; ++i)
    for (int j = 2 * i; j < Layout::groups; ++j, ++subtile) {
      if (subtile % (threads / 32) != context.warp()) continue;
      const double* sums = first_chunk + subtile * 128 + 4 * lane;
      double sum[4] = {};
#pragma unroll 4  // the loads of several chunks are on their way together
      for (int chunk = 0; chunk < chunks; ++chunk, sums += Layout::elements)
#pragma unroll
        for (int e = 0; e < 4; e += 2) {
          const DoublePair two = context.load2(sums + e);
          sum[e] += two.x;
          sum[e + 1] += two.y;
        }
      for (int e = 0; e < 4; ++e)
        gram[(8 * j + lane % 4 * 2 + e % 2) * Shape::real_columns + 16 * i + lane / 4 + e / 2 * 8] = sum[e];
    }
}

/// Computes conj(x_i)·x_j from the products of real columns that add_chunks has summed.
template <class Shape, class Array>
PIVOTLAB_DEVICE inline void load_element(const Array& gram, int i, int j, double (&value)[Shape::parts]) {
  constexpr int k = Shape::order, R = Shape::real_columns;
  const int low = i < j ? i : j, high = i < j ? j : i;
  if constexpr (Shape::parts == 1) {
    value[0] = gram[high * R + low];
  } else {
    value[0] = gram[high * R + low] + gram[(k + high) * R + k + low];
    value[1] = gram[(k + j) * R + i] - gram[(k + i) * R + j];
  }
}

}  // namespace pivotlab::device
