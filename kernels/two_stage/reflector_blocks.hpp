// SPDX-License-Identifier: BSD-3-Clause
// The reflectors of the second stage (bulge_chase.hpp), collected into blocks.
//
// Sweep s belongs to group g = ⌊s/b⌋ as its column i = s mod b. Block (g, t) has the reflectors of position t:
// B = I − V·T·Vᵀ acts on 2b rows from row (g + t)·b + 1 on, and column i of V begins i rows lower. So V = [L; U] with a
// unit lower and a strictly upper triangle. The product of all reflectors is that of the blocks, groups ascending from
// the left, and within a group positions descending.
//
// Blocks are numbered in the order of their application to a matrix from the left: groups descending, positions
// ascending.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

#include <pivotlab/matrix.hpp>
#include <utility>

namespace pivotlab::two_stage {

inline constexpr int bandwidth = 64;

/// Returns the number of groups, which is that of positions in the first one, for a matrix of order n.
PIVOTLAB_DEVICE inline Index group_count(Index n) {
  return n > 1 ? (n - 2) / bandwidth + 1 : 0;
}
PIVOTLAB_DEVICE inline Index block_count(Index n) {
  return group_count(n) * (group_count(n) + 1) / 2;
}
PIVOTLAB_DEVICE inline Index block_number(Index groups, Index group, Index position) {
  return (groups - 1 - group) * (groups - group) / 2 + position;
}

/// Packs V and −W, W = V·T, of each block as fragments of products on tensor cores. Rows i·16, …, i·16 + 15 of both
/// (i < 4) are products of 13 − i pieces of 16 × 16: Lᵀ from the diagonal on and Uᵀ up to it (5 in all), then the upper
/// half of −W (4), and the upper triangle of its lower half (4 − i).
///
/// One block of threads for each block of reflectors, a thread for each of the 2b rows. W·T⁻¹ = V with T⁻¹ = diag(1/τ)
/// + strict upper triangle of VᵀV gives W a column at a time. Shared memory: V, then W, by columns of 2b rows (+ 1);
/// VᵀV by columns of b rows (+ 1); τ.
struct PackBlocks {
  static constexpr int b = bandwidth;
  static constexpr int threads = 2 * b, min_blocks = 2;
  static constexpr int piece = 256, pieces = 46, block_elements = pieces * piece;

  struct Arguments {
    const double *reflectors, *tau;  ///< b columns of b elements a block; b a block
    Index order;                     ///< of the matrix
    double* packed;                  ///< block_elements a block
  };

  static constexpr int v_stride = 2 * b + 1, gram_stride = b + 1;
  static constexpr int gram = b * v_stride, taus = gram + b * gram_stride, doubles = taus + b;
  static constexpr int shared_bytes = doubles * static_cast<int>(sizeof(double));

  PIVOTLAB_DEVICE static constexpr int first_piece(int row_block) {
    return row_block * 13 - row_block * (row_block - 1) / 2;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index groups = group_count(a.order), block = context.block();
    Index q = 0;  // of the groups from the last one on
    while ((q + 1) * (q + 2) / 2 <= block) ++q;
    const Index group = groups - 1 - q, position = block - q * (q + 1) / 2;
    const auto V = context.template shared<double>(0, gram);
    const auto G = context.template shared<double>(gram * 8, b * gram_stride);
    const auto tau = context.template shared<double>(taus * 8, b);
    const int row = context.thread();

    for (int i = 0; i < b; ++i) {
      const bool exists = (group * b + i) + 1 + position * b < a.order;  // the sweep reaches the position
      const int k = row - i;
      V[i * v_stride + row] = exists && k >= 0 && k < b ? a.reflectors[(block * b + i) * b + k] : 0.0;
      if (row == i) tau[i] = exists ? a.tau[block * b + i] : 0.0;
    }
    context.sync();
    for (int e = row; e < b * b; e += threads) {
      const int l = e % b, j = e / b;
      double product = 0;
      if (l < j)
        for (int r = j; r < l + b; ++r) product = fused(V[l * v_stride + r], V[j * v_stride + r], product);
      G[j * gram_stride + l] = product;
    }
    double* const packed = a.packed + block * block_elements;
    pack(context, 0, 5, packed, V);
    context.sync();
    for (int j = 0; j < b; ++j) {
      double w = V[j * v_stride + row];
      for (int l = 0; l < j; ++l) w = fused(-V[l * v_stride + row], G[j * gram_stride + l], w);
      V[j * v_stride + row] = tau[j] * w;
    }
    context.sync();
    pack(context, 5, 13, packed, V);
  }

 private:
  /// Writes pieces first, …, end − 1 of each block of 16 rows. An element pair [j][lane][half] of a piece is row
  /// lane/4 + 8·half, inner index 4·(lane mod 4) + j.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void pack(Context& context, int first, int end, double* packed, const Array& V) {
    for (int i = 0; i < 4; ++i) {
      const int last = end < 13 - i ? end : 13 - i;
      for (int e = first * piece + context.thread(); e < last * piece; e += threads) {
        const int c = e / piece, j = e / 64 % 4, lane = e / 2 % 32;
        const int m = 16 * i + lane / 4 + 8 * (e % 2), inner = 4 * (lane % 4) + j;
        double x;
        if (c < 5)
          x = V[m * v_stride + (c < 4 - i ? 16 * (i + c) : b + 16 * (c - 4 + i)) + inner];
        else if (c < 9)
          x = -V[(16 * (c - 5) + inner) * v_stride + m];
        else
          x = -V[(16 * (i + c - 9) + inner) * v_stride + b + m];
        packed[first_piece(i) * piece + e] = x;
      }
    }
  }
};

/// Computes X := Q·X for the product Q of all reflectors, from packed blocks. Row 0 of X does not change.
///
/// One block of 4 warps for each 8·Tiles columns, which it takes down a window of 2b rows, a block of reflectors at a
/// time: S = VᵀX, X −= W·S. Warp i has rows 16·i, …, 16·i + 15 of S and of both halves of the window. Shared memory:
/// halves of the window (two, and one that arrives), and S, by columns of b rows (+ 2, against bank conflicts).
/// Fragments come from the cache three pieces or more ahead of their use.
template <int Tiles>
struct ApplyBlocks {
  static constexpr int b = bandwidth;
  static constexpr int threads = 128, min_blocks = 2, columns = 8 * Tiles;

  struct Arguments {
    double* X;  ///< row 1 is aligned to 16 bytes; it has group_count·b + 1 rows and whole groups of columns
    Index stride;
    Index groups;
    const double* packed;
  };

  static constexpr int stride = b + 2, half = columns * stride;
  static constexpr int shared_bytes = 4 * half * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Slab<Context>(context, a).run();
  }

 private:
  template <class Context>
  class Slab {
    using Array = decltype(std::declval<Context&>().template shared<double>(0, 0));

   public:
    PIVOTLAB_DEVICE Slab(Context& context, const Arguments& arguments)
        : context_(context),
          arguments_(arguments),
          X_(arguments.X + context.block() * columns * arguments.stride),
          i_(context.block() < (context.blocks() + 1) / 2 ? context.warp() : 3 - context.warp()),
          row_(16 * i_ + context.lane() / 4),
          lane_(context.lane()),
          packed_(arguments.packed + PackBlocks::first_piece(i_) * PackBlocks::piece) {}

    PIVOTLAB_DEVICE void run() {
      fetch(0, 0), fetch(1, 1), fetch(2, 2);
      for (Index group = arguments_.groups - 1; group >= 0; --group) {
        const Index positions = arguments_.groups - group;
        load(0, group);
        if (positions > 1) load(1, group + 1);
        arrive();
        for (Index t = 0; t < positions; ++t) {
          const bool last = t + 1 == positions;
          if (t + 2 < positions) load((t + 2) % 3, group + t + 2);
          const bool more = group > 0 || !last;
          apply(of_window(t % 3), of_window((t + 1) % 3), last, group + t, more);
          packed_ += PackBlocks::block_elements;
          if (more) fetch(2, 2);
          arrive();
        }
      }
    }

   private:
    PIVOTLAB_DEVICE Array of_window(Index place) {
      return context_.template shared<double>(static_cast<int>(place) * half * 8, half);
    }
    /// Begins to copy b rows of X to a place of the window.
    PIVOTLAB_DEVICE void load(Index place, Index half_of_x) {
      const Array to = of_window(place);
      for (int e = context_.thread(); e < columns * (b / 2); e += threads) {
        const int column = e / (b / 2), row = e % (b / 2) * 2;
        context_.copy_async(to + (column * stride + row), X_ + column * arguments_.stride + 1 + half_of_x * b + row);
      }
      context_.commit();
    }
    PIVOTLAB_DEVICE void arrive() {
      context_.template wait<0>();
      context_.sync();
    }

    /// Where the fragment of a piece is: the first two have places of their own, so that they can be loaded early.
    PIVOTLAB_DEVICE static constexpr int slot(int piece) { return piece < 2 ? 4 + piece : piece % 4; }
    /// Loads the fragment of a piece; `pieces` more is the same one of the next block.
    PIVOTLAB_DEVICE void fetch(int to, int piece) {
      const int place = slot(to);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const DoublePair pair = context_.load2_constant(packed_ + piece * PackBlocks::piece + (j * 32 + lane_) * 2);
        fragment_[place][2 * j] = pair.x, fragment_[place][2 * j + 1] = pair.y;
      }
    }
    /// Adds a piece times 16 rows of B to the sums.
    PIVOTLAB_DEVICE void multiply(double (&sums)[Tiles][4], int piece, const Array& B, int row_block) {
#pragma unroll
      for (int n = 0; n < Tiles; ++n) {
        const Array from = B + ((8 * n + lane_ / 4) * stride + 16 * row_block + 4 * (lane_ % 4));
        const DoublePair low = context_.load2(from), high = context_.load2(from + 2);
        const double column[4] = {low.x, low.y, high.x, high.y};
        context_.mma(sums[n], fragment_[slot(piece)], column);
      }
    }
    /// Calls f(column, row, sum) for all sums.
    template <class F>
    PIVOTLAB_DEVICE void for_sums(double (&sums)[Tiles][4], const F& f) {
#pragma unroll
      for (int n = 0; n < Tiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e) f(8 * n + 2 * (lane_ % 4) + e % 2, row_ + 8 * (e / 2), sums[n][e]);
    }

    PIVOTLAB_DEVICE void apply(const Array& upper, const Array& lower, bool last, Index half_of_x, bool more) {
      const Array S = of_window(3);
      double sums[Tiles][4] = {};
#pragma unroll
      for (int c = 0; c < 5; ++c) {  // S = LᵀX₁ + UᵀX₂
        fetch(c + 3, c + 3);
        if (c < 4 - i_)
          multiply(sums, c, upper, i_ + c);
        else if (!last)
          multiply(sums, c, lower, c - 4 + i_);
      }
      for_sums(sums, [&](int column, int row, double& x) { S[column * stride + row] = x; });
      for_sums(sums, [&](int column, int row, double& x) { x = upper[column * stride + row]; });
      context_.sync();
      if (more) {
        constexpr int next_block = PackBlocks::pieces;
        fetch(0, next_block), fetch(1, next_block + 1);
      }
#pragma unroll
      for (int c = 5; c < 9; ++c) {  // X₁ −= W₁·S
        if (c + 3 < 13 - i_) fetch(c + 3, c + 3);
        multiply(sums, c, S, c - 5);
      }
      for_sums(sums,
               [&](int column, int row, double& x) { X_[column * arguments_.stride + 1 + half_of_x * b + row] = x; });
      if (last) return;
      for_sums(sums, [&](int column, int row, double& x) { x = lower[column * stride + row]; });
#pragma unroll
      for (int c = 9; c < 13; ++c) {  // X₂ −= W₂·S
        if (c >= 13 - i_) continue;
        if (c + 3 < 13 - i_) fetch(c + 3, c + 3);
        multiply(sums, c, S, i_ + c - 9);
      }
      for_sums(sums, [&](int column, int row, double& x) { lower[column * stride + row] = x; });
    }

    Context& context_;
    const Arguments& arguments_;
    double* X_;
    int i_, row_, lane_;
    const double* packed_;
    double fragment_[6][8];
  };
};

}  // namespace pivotlab::two_stage
