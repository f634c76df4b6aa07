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
/// One block of threads for each block of reflectors, two threads for each of the 2b rows, of which one has the row of
/// W. W·T⁻¹ = V with T⁻¹ = diag(1/τ) + strict upper triangle of VᴴV gives W a column at a time. Shared memory: V, then
/// W, by columns of 2b rows (+ 1); VᴴV by columns of b rows (+ 1); τ.
template <class T>
struct PackBlocks {
  static constexpr int b = bandwidth;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int rows = 2 * b, threads = 2 * rows, min_blocks = 2 / parts;
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
    const int row = context.thread() % rows, half = context.thread() / rows;

#pragma unroll 8
    for (int i = half; i < b; i += 2) {
      const bool exists = (group * b + i) + 1 + position * b < a.order;  // the sweep reaches the position
      const int k = row - i;
      V[i * v_stride + row] = exists && k >= 0 && k < b ? a.reflectors[(block * b + i) * b + k] : T(0);
      if (row == i) tau[i] = exists ? a.tau[block * b + i] : T(0);
    }
    context.sync();
    for (int e = context.thread(); e < b * b; e += threads) {
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
    for (int j = 0; half == 0 && j < b; ++j) {
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
/// the halves of the window and S, by columns of b rows (+ 2 or, complex, 4, against bank conflicts), and for each warp
/// a ring of the pieces that it multiplies next. Each lane copies what it will read itself, so that the ring needs no
/// barrier.
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

  // In doubles, as all of X and of shared memory. A piece of the ring has all parts.
  static constexpr int stride = parts * (b + 2 * parts), half = columns * stride;
  static constexpr int piece = parts * Pack::piece, ring_pieces = is_complex<T> ? 2 : 6;
  static constexpr int ring_elements = ring_pieces * piece;
  static constexpr int shared_bytes = (3 * half + 4 * ring_elements) * static_cast<int>(sizeof(double));

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
          next_(arguments.packed + Pack::first_piece(i_) * Pack::piece + 2 * lane_),
          end_(arguments.packed + arguments.groups * (arguments.groups + 1) / 2 * Pack::block_elements) {}

    PIVOTLAB_DEVICE void run() {
      for (int k = 0; k < ring_pieces; ++k) fetch(k);
      for (Index group = arguments_.groups - 1; group >= 0; --group) {
        const Index positions = arguments_.groups - group;
        load(0, group);
        if (positions > 1) load(1, group + 1);
        context_.commit();
        context_.template wait<0>();
        context_.sync();
        for (Index t = 0; t < positions; ++t) {
          apply(static_cast<int>(t % 2), group + t, positions - t);
          context_.template wait<pieces_after_load>();
          context_.sync();
        }
      }
    }

   private:
    PIVOTLAB_DEVICE Array of_window(int place) { return context_.template shared<double>(place * half * 8, half); }
    /// Begins to copy b rows of X to a half of the window.
    PIVOTLAB_DEVICE void load(int place, Index half_of_x) {
      const Array to = of_window(place);
      constexpr int pairs = parts * b / 2;
      for (int e = context_.thread(); e < columns * pairs; e += threads) {
        const int column = e / pairs, row = e % pairs * 2;
        context_.copy_async(to + (column * stride + row), of_x(column, half_of_x) + row);
      }
    }
    /// Returns where b rows of a column of X are.
    PIVOTLAB_DEVICE double* of_x(int column, Index half_of_x) const {
      return X_ + parts * (column * arguments_.stride + 1 + half_of_x * b);
    }

    PIVOTLAB_DEVICE Array of_ring(int place) {
      return context_.template shared<double>((3 * half + context_.warp() * ring_elements + place * piece) * 8, piece) +
             2 * lane_;
    }
    /// Begins to copy the next piece, if there is one, to a place of the ring.
    PIVOTLAB_DEVICE void fetch(int place) {
      if (next_ < end_) {
        const Array to = of_ring(place);
#pragma unroll
        for (int j = 0; j < 4 * parts; ++j) context_.copy_async(to + j * 64, next_ + j * 64);
        next_ += piece;
        if (++fetched_ == 13 - i_) fetched_ = 0, next_ += Pack::block_elements - (13 - i_) * piece;
      }
      context_.commit();
    }
    /// Waits for the next piece, calls f with its place, and goes on to the piece after it.
    template <class F>
    PIVOTLAB_DEVICE void use_piece(const F& f) {
      context_.template wait<ring_pieces - 1>();
      f(place_);
      place_ = place_ + 1 < ring_pieces ? place_ + 1 : 0;
    }
    PIVOTLAB_DEVICE void skip_piece() {
      use_piece([&](int place) { fetch(place); });
    }
    /// Adds the next piece times 16 rows of B to the sums.
    PIVOTLAB_DEVICE void multiply(Sums& sums, const Array& B, int row_block) {
      use_piece([&](int place) {
        const Array from = of_ring(place);
        double fragment[parts][8];
#pragma unroll
        for (int j = 0; j < 4 * parts; ++j) {
          const DoublePair pair = context_.load2(from + j * 64);
          fragment[j / 4][j % 4 * 2] = pair.x, fragment[j / 4][j % 4 * 2 + 1] = pair.y;
        }
#pragma unroll
        for (int n = 0; n < Tiles; ++n) {
          multiply_tile(sums[n], fragment,
                        B + ((8 * n + lane_ / 4) * stride + parts * (16 * row_block + Pack::inner_index(lane_, 0))));
          if (n == 0) fetch(place);  // the fragment has been read
        }
      });
    }
    PIVOTLAB_DEVICE void multiply_tile(double (&sums)[parts][4], const double (&fragment)[parts][8],
                                       const Array& from) {
      if constexpr (is_complex<T>) {
        double re[4], im[4], negative[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const DoublePair x = context_.load2(from + 8 * j);
          re[j] = x.x, im[j] = x.y, negative[j] = -x.y;
        }
        context_.mma(sums[0], fragment[0], re);
        context_.mma(sums[1], fragment[0], im);
        context_.mma(sums[0], fragment[1], negative);
        context_.mma(sums[1], fragment[1], re);
      } else {
        const DoublePair low = context_.load2(from), high = context_.load2(from + 2);
        const double column[4] = {low.x, low.y, high.x, high.y};
        context_.mma(sums[0], fragment[0], column);
      }
    }

    /// Calls f(column, place, sum) for all sums, `place` being that of the first part of an element in b rows of the
    /// column.
    template <class F>
    PIVOTLAB_DEVICE void for_sums(Sums& sums, const F& f) {
#pragma unroll
      for (int n = 0; n < Tiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          double element[parts];
#pragma unroll
          for (int part = 0; part < parts; ++part) element[part] = sums[n][part][e];
          f(8 * n + 2 * (lane_ % 4) + e % 2, parts * (row_ + 8 * (e / 2)), element);
#pragma unroll
          for (int part = 0; part < parts; ++part) sums[n][part][e] = element[part];
        }
    }
    /// Stores the sums to b rows of columns.
    template <class Columns>
    PIVOTLAB_DEVICE void put(Sums& sums, const Columns& columns_at) {
      for_sums(sums, [&](int column, int place, double(&x)[parts]) {
        const auto to = columns_at(column) + place;
        if constexpr (is_complex<T>)
          context_.store2(to, x[0], x[1]);
        else
          *to = x[0];
      });
    }
    PIVOTLAB_DEVICE void take(Sums& sums, const Array& from) {
      for_sums(sums, [&](int column, int place, double(&x)[parts]) {
        if constexpr (is_complex<T>) {
          const DoublePair pair = context_.load2(from + (column * stride + place));
          x[0] = pair.x, x[1] = pair.y;
        } else {
          x[0] = from[column * stride + place];
        }
      });
    }

    /// Applies a block of reflectors to the window, whose upper half is in this place.
    PIVOTLAB_DEVICE void apply(int upper_place, Index half_of_x, Index positions) {
      const Array upper = of_window(upper_place), lower = of_window(1 - upper_place), S = of_window(2);
      const auto in = [&](const Array& half_of_window) {
        return [&](int column) { return half_of_window + column * stride; };
      };
      const bool last = positions == 1;
      Sums sums = {};
#pragma unroll
      for (int c = 0; c < 5; ++c) {  // S = LᴴX₁ + UᴴX₂
        if (c < 4 - i_)
          multiply(sums, upper, i_ + c);
        else if (!last)
          multiply(sums, lower, c - 4 + i_);
        else
          skip_piece();
      }
      put(sums, in(S));
      take(sums, upper);
      context_.sync();
      if (positions > 2) load(upper_place, half_of_x + 2);
#pragma unroll
      for (int c = 0; c < 4; ++c) multiply(sums, S, c);  // X₁ −= W₁·S
      put(sums, [&](int column) { return of_x(column, half_of_x); });
      if (last) {
        for (int c = i_; c < 4; ++c) skip_piece();
        return;
      }
      take(sums, lower);
#pragma unroll
      for (int c = 0; c < 4; ++c)  // X₂ −= W₂·S
        if (i_ + c < 4) multiply(sums, S, i_ + c);
      put(sums, in(lower));
    }

    /// A warp fetches at least as many pieces between a half of the window and the end of a block of reflectors.
    static constexpr int pieces_after_load = 4;

    Context& context_;
    const Arguments& arguments_;
    double* X_;
    int i_, row_, lane_;
    const double *next_, *end_;    // pieces to be fetched
    int fetched_ = 0, place_ = 0;  // of the block of reflectors; in the ring
  };
};

}  // namespace pivotlab::two_stage
