// SPDX-License-Identifier: BSD-3-Clause
// The reflectors of the second stage (bulge_chase.hpp), collected into blocks.
//
// Sweep s belongs to group g = ⌊s/b⌋ as its column i = s mod b. Block (g, t) has the reflectors of position t:
// B = I − V·T·Vᴴ acts on 2b rows from row (g + t)·b + 1 on, and column i of V begins i rows lower. So V = [L; U] with a
// unit lower and a strictly upper triangle. The product of all reflectors is that of the blocks, groups ascending from
// the left, and within a group positions descending.
//
// Blocks are numbered in the order of their application to a matrix from the left: groups descending, positions
// ascending.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
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
/// (i < 4) are products of 13 − i pieces of 16 × 16: Lᴴ from the diagonal on and Uᴴ up to it (5 in all), then the upper
/// half of −W (4), and the upper triangle of its lower half (4 − i). A complex piece is two: real parts, then imaginary
/// ones.
///
/// One block of threads for each block of reflectors, a thread for each of the 2b rows. W·T⁻¹ = V with T⁻¹ = diag(1/τ)
/// + strict upper triangle of VᴴV gives W a column at a time. Shared memory: V, then W, by columns of 2b rows (+ 1);
/// VᴴV by columns of b rows (+ 1); τ.
template <class T>
struct PackBlocks {
  static constexpr int b = bandwidth;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int threads = 2 * b, min_blocks = 2 / parts;
  static constexpr int piece = 256, pieces = 46 * parts, block_elements = pieces * piece;

  struct Arguments {
    const T *reflectors, *tau;  ///< b columns of b elements a block; b a block
    Index order;                ///< of the matrix
    double* packed;             ///< block_elements a block
  };

  static constexpr int size = static_cast<int>(sizeof(T));
  static constexpr int v_stride = 2 * b + 1, gram_stride = b + 1;
  static constexpr int gram = b * v_stride, taus = gram + b * gram_stride;
  static constexpr int shared_bytes = (taus + b) * size;

  /// Returns the number of pieces before those of a block of 16 rows.
  PIVOTLAB_DEVICE static constexpr int first_piece(int row_block) {
    return parts * (row_block * 13 - row_block * (row_block - 1) / 2);
  }
  /// Returns the inner index of element j of a lane in a fragment. Its order makes loads of the other factor from
  /// shared memory free of bank conflicts.
  PIVOTLAB_DEVICE static constexpr int inner_index(int lane, int j) {
    return is_complex<T> ? lane % 4 + 4 * j : 4 * (lane % 4) + j;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index groups = group_count(a.order), block = context.block();
    Index q = 0;  // of the groups from the last one on
    while ((q + 1) * (q + 2) / 2 <= block) ++q;
    const Index group = groups - 1 - q, position = block - q * (q + 1) / 2;
    const auto V = context.template shared<T>(0, gram);
    const auto G = context.template shared<T>(gram * size, b * gram_stride);
    const auto tau = context.template shared<T>(taus * size, b);
    const int row = context.thread();

    for (int i = 0; i < b; ++i) {
      const bool exists = (group * b + i) + 1 + position * b < a.order;  // the sweep reaches the position
      const int k = row - i;
      V[i * v_stride + row] = exists && k >= 0 && k < b ? a.reflectors[(block * b + i) * b + k] : T(0);
      if (row == i) tau[i] = exists ? a.tau[block * b + i] : T(0);
    }
    context.sync();
    for (int e = row; e < b * b; e += threads) {
      const int l = e % b, j = e / b;
      T product(0);
      if (l < j)
        for (int r = j; r < l + b; ++r)
          product = multiply_add(conjugate(T(V[l * v_stride + r])), T(V[j * v_stride + r]), product);
      G[j * gram_stride + l] = product;
    }
    double* const packed = a.packed + block * block_elements;
    pack(context, 0, 5, packed, V);
    context.sync();
    for (int j = 0; j < b; ++j) {
      T w = V[j * v_stride + row];
      for (int l = 0; l < j; ++l) w = multiply_add(negated(T(V[l * v_stride + row])), T(G[j * gram_stride + l]), w);
      V[j * v_stride + row] = multiply(T(tau[j]), w);
    }
    context.sync();
    pack(context, 5, 13, packed, V);
  }

 private:
  /// Writes pieces first, …, end − 1 of each block of 16 rows. An element pair [j][lane][half] of a piece is row
  /// lane/4 + 8·half, inner_index(lane, j).
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void pack(Context& context, int first, int end, double* packed, const Array& V) {
    for (int i = 0; i < 4; ++i) {
      const int last = end < 13 - i ? end : 13 - i;
      for (int e = first * piece + context.thread(); e < last * piece; e += threads) {
        const int c = e / piece, j = e / 64 % 4, lane = e / 2 % 32;
        const int m = 16 * i + lane / 4 + 8 * (e % 2), inner = inner_index(lane, j);
        T x;
        if (c < 5)
          x = conjugate(T(V[m * v_stride + (c < 4 - i ? 16 * (i + c) : b + 16 * (c - 4 + i)) + inner]));
        else if (c < 9)
          x = negated(T(V[(16 * (c - 5) + inner) * v_stride + m]));
        else
          x = negated(T(V[(16 * (i + c - 9) + inner) * v_stride + b + m]));
        double* const to = packed + (first_piece(i) + parts * c) * piece + e % piece;
        if constexpr (is_complex<T>)
          to[0] = x.real(), to[piece] = x.imag();
        else
          to[0] = x;
      }
    }
  }
};

/// Computes X := Q·X for the product Q of all reflectors, from packed blocks. Row 0 of X does not change.
///
/// One block of 4 warps for each 8·Tiles columns, which it takes down a window of 2b rows, a block of reflectors at a
/// time: S = VᴴX, X −= W·S. Warp i has rows 16·i, …, 16·i + 15 of S and of both halves of the window. Shared memory:
/// halves of the window (two, and one that arrives), and S, by columns of b rows (+ 2 or, complex, 4, against bank
/// conflicts). Fragments come from the cache three pieces or more ahead of their use.
template <class T, int Tiles>
struct ApplyBlocks {
  static constexpr int b = bandwidth;
  using Pack = PackBlocks<T>;
  static constexpr int parts = Pack::parts;
  static constexpr int threads = 128, min_blocks = 2, columns = 8 * Tiles;

  struct Arguments {
    T* X;  ///< row 1 is aligned to 16 bytes; it has group_count·b + 1 rows and whole groups of columns
    Index stride;
    Index groups;
    const double* packed;
  };

  // In doubles, as all of X and of shared memory.
  static constexpr int stride = parts * (b + 2 * parts), half = columns * stride;
  static constexpr int shared_bytes = 4 * half * static_cast<int>(sizeof(double));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Slab<Context>(context, a).run();
  }

 private:
  template <class Context>
  class Slab {
    using Array = decltype(std::declval<Context&>().template shared<double>(0, 0));
    using Sums = double[Tiles][parts][4];

   public:
    PIVOTLAB_DEVICE Slab(Context& context, const Arguments& arguments)
        : context_(context),
          arguments_(arguments),
          X_(reinterpret_cast<double*>(arguments.X) + context.block() * columns * parts * arguments.stride),
          i_(context.block() < (context.blocks() + 1) / 2 ? context.warp() : 3 - context.warp()),
          row_(16 * i_ + context.lane() / 4),
          lane_(context.lane()),
          packed_(arguments.packed + Pack::first_piece(i_) * Pack::piece) {}

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
          packed_ += Pack::block_elements;
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
      constexpr int pairs = parts * b / 2;
      for (int e = context_.thread(); e < columns * pairs; e += threads) {
        const int column = e / pairs, row = e % pairs * 2;
        context_.copy_async(to + (column * stride + row), of_x(column, half_of_x) + row);
      }
      context_.commit();
    }
    /// Returns where b rows of a column of X are.
    PIVOTLAB_DEVICE double* of_x(int column, Index half_of_x) const {
      return X_ + parts * (column * arguments_.stride + 1 + half_of_x * b);
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
        const DoublePair pair = context_.load2_constant(packed_ + piece * Pack::piece + (j * 32 + lane_) * 2);
        fragment_[place][2 * j] = pair.x, fragment_[place][2 * j + 1] = pair.y;
      }
    }
    /// Adds a piece times 16 rows of B to the sums.
    PIVOTLAB_DEVICE void multiply(Sums& sums, int piece, const Array& B, int row_block) {
      const auto& fragment = fragment_[slot(piece)];
#pragma unroll
      for (int n = 0; n < Tiles; ++n) {
        const Array from = B + ((8 * n + lane_ / 4) * stride + parts * (16 * row_block + Pack::inner_index(lane_, 0)));
        if constexpr (is_complex<T>) {
          const bool imaginary = piece % 2 == 1;
          double re[4], im[4];
#pragma unroll
          for (int j = 0; j < 4; ++j) {
            const DoublePair x = context_.load2(from + 8 * j);
            re[j] = imaginary ? -x.y : x.x, im[j] = imaginary ? x.x : x.y;
          }
          context_.mma(sums[n][0], fragment, re);
          context_.mma(sums[n][1], fragment, im);
        } else {
          const DoublePair low = context_.load2(from), high = context_.load2(from + 2);
          const double column[4] = {low.x, low.y, high.x, high.y};
          context_.mma(sums[n][0], fragment, column);
        }
      }
    }
    /// Calls f(column, place, sum) for all sums, `place` being that of a double in the b rows of the column.
    template <class F>
    PIVOTLAB_DEVICE void for_sums(Sums& sums, const F& f) {
#pragma unroll
      for (int n = 0; n < Tiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e)
#pragma unroll
          for (int part = 0; part < parts; ++part)
            f(8 * n + 2 * (lane_ % 4) + e % 2, parts * (row_ + 8 * (e / 2)) + part, sums[n][part][e]);
    }

    PIVOTLAB_DEVICE void apply(const Array& upper, const Array& lower, bool last, Index half_of_x, bool more) {
      const Array S = of_window(3);
      Sums sums = {};
#pragma unroll
      for (int piece = 0; piece < 5 * parts; ++piece) {  // S = LᴴX₁ + UᴴX₂
        const int c = piece / parts;
        fetch(piece + 3, piece + 3);
        if (c < 4 - i_)
          multiply(sums, piece, upper, i_ + c);
        else if (!last)
          multiply(sums, piece, lower, c - 4 + i_);
      }
      for_sums(sums, [&](int column, int place, double& x) { S[column * stride + place] = x; });
      for_sums(sums, [&](int column, int place, double& x) { x = upper[column * stride + place]; });
      context_.sync();
      if (more) {
        constexpr int next_block = Pack::pieces;
        fetch(0, next_block), fetch(1, next_block + 1);
      }
      const int end = parts * (13 - i_);
#pragma unroll
      for (int piece = 5 * parts; piece < 9 * parts; ++piece) {  // X₁ −= W₁·S
        if (piece + 3 < end) fetch(piece + 3, piece + 3);
        multiply(sums, piece, S, piece / parts - 5);
      }
      for_sums(sums, [&](int column, int place, double& x) { of_x(column, half_of_x)[place] = x; });
      if (last) return;
      for_sums(sums, [&](int column, int place, double& x) { x = lower[column * stride + place]; });
#pragma unroll
      for (int piece = 9 * parts; piece < 13 * parts; ++piece) {  // X₂ −= W₂·S
        if (piece >= end) continue;
        if (piece + 3 < end) fetch(piece + 3, piece + 3);
        multiply(sums, piece, S, i_ + piece / parts - 9);
      }
      for_sums(sums, [&](int column, int place, double& x) { lower[column * stride + place] = x; });
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
