// SPDX-License-Identifier: BSD-3-Clause
// Square factors of pivot block pairs: the Cholesky factor of a Gram matrix, A = RᴴR (section 2.3), also with diagonal
// pivoting. A tile whose pivot is lost to rounding is marked for qr_factor.hpp.
#pragma once

#include "kernels/gsvd/device/gram.hpp"
#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

#include <type_traits>

namespace pivotlab::device {

/// Factors of all tiles of a step: those of F, then those of G. A factor is column-major, k × k, the imaginary plane
/// after the real one.
struct Factors {
  double* element;       ///< [item][Shape::elements]
  double* independence;  ///< [item]: smallest quotient of a pivot and its original diagonal element; 0: lost
  int* lost;             ///< [item]: whether the item is left to QrFactor
};

__extension__ typedef unsigned __int128 Set128;

/// Computes Cholesky factors. Grid: one block per item (tiles of F, then of G); 16 × 16 threads. A thread keeps every
/// 16th row and column of A in registers, of the upper triangle unless pivots are searched. Each row of the elimination
/// is broadcast through shared memory, with one barrier per row. All rows are scaled by the roots of their pivots at
/// the end, so that a step's latency is a barrier, one reciprocal and two multiplications.
template <class Shape, bool pivoted>
struct CholeskyFactor {
  using Layout = GramLayout<Shape>;
  static constexpr int k = Shape::order;
  static constexpr int parts = Shape::parts;
  static constexpr int grid = 16;  ///< threads × threads
  using ColumnSet = std::conditional_t<(k > 64), Set128, std::uint64_t>;
  static constexpr int own = k / grid;

  struct Arguments {
    Planes matrix[2];
    const PivotPair* pairs;
    int tiles;
    const double* sums;  ///< of Gram
    int chunks;
    Factors factors;
  };
  static constexpr int threads = grid * grid;
  static constexpr int min_blocks = Shape::real_columns == 128 ? 1 : 2;
  static constexpr int gram_bytes = Shape::real_columns * Shape::real_columns * 8;
  static constexpr int shared_bytes = gram_bytes + (2 * parts * k + 5 * k) * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int item = context.block(), thread = context.thread();
    int next = gram_bytes;
    const auto shared = [&](int elements) {
      next += elements * 8;
      return context.template shared<double>(next - elements * 8, elements);
    };
    auto gram = context.template shared<double>(0, Shape::real_columns * Shape::real_columns);
    auto rows = context.template shared<double>(0, Shape::elements);  // reuses the memory of gram
    auto row = shared(2 * parts * k);                                 // two buffers
    auto diagonal = shared(2 * k);                                    // two buffers
    auto original = shared(k);
    auto pivots = shared(k);
    auto diagonals = shared(k);  // original ones, in the order of the pivots

    add_chunks<Shape, threads>(context, a.sums + std::int64_t(item) * a.chunks * Layout::elements, a.chunks, gram);
    context.sync();

    const int first_i = thread % grid, first_j = thread / grid;
    double A[own][own][parts];
    for (int y = 0; y < own; ++y)
      for (int x = 0; x < own; ++x) load_element<Shape>(gram, first_i + x * grid, first_j + y * grid, A[y][x]);
    double norm[parts];
    load_element<Shape>(gram, thread % k, thread % k, norm);
    if (thread < k) original[thread] = norm[0];
    const ColumnSet zero = context.count(norm[0] == 0) > 0 ? find_zero_columns(context, a, original) : 0;
    for (int x = 0; x < own; ++x)
      if (first_i == first_j && (zero >> (first_i + x * grid) & 1) != 0) A[x][x][0] = 1;
    if (thread < k && (zero >> thread & 1) != 0) original[thread] = 1;

    ColumnSet used = 0;
    bool lost = false;
    for (int s = 0; s < k && !lost; ++s) {
      const int buffer = s % 2;
      int pivot = s;
      if constexpr (pivoted) {
        publish_diagonal(A, first_i, first_j, diagonal, buffer * k);
        context.sync();
        pivot = largest(diagonal, buffer * k, used);
      }
      publish_row(A, first_i, first_j, pivot, row, buffer * parts * k);
      context.sync();
      const double d = row[buffer * parts * k + pivot];
      lost = !(d > lost_pivot<double>(k) * original[pivot]);
      if (thread < k) {
        for (int part = 0; part < parts; ++part)
          rows[part * k * k + thread * k + s] =
              finished(used, thread, s) ? 0.0 : row[(buffer * parts + part) * k + thread];
        if (thread == pivot) {
          pivots[s] = d;
          diagonals[s] = original[pivot];
        }
      }
      if constexpr (pivoted) used |= ColumnSet(1) << pivot;
      eliminate(A, first_i, first_j, row, buffer * parts * k, 1.0 / d);
    }
    context.sync();
    store_independence(context, pivots, diagonals, lost, a.factors);
    if (lost) return;
    double* factor = a.factors.element + static_cast<std::int64_t>(item) * Shape::elements;
    const double root = square_root(pivots[thread % k]);
    for (int e = thread; e < Shape::elements; e += threads)
      factor[e] = (zero >> (e / k % k) & 1) != 0 ? 0.0 : rows[e] / root;
  }

 private:
  /// Returns the first of a thread's columns that row x of its elements is needed for: without pivoting the upper
  /// triangle of A is enough.
  PIVOTLAB_DEVICE static constexpr int first_block(int x) { return pivoted ? 0 : x; }

  /// Returns whether column j has been a pivot before step s.
  PIVOTLAB_DEVICE static bool finished(ColumnSet used, int j, int s) { return pivoted ? (used >> j & 1) != 0 : j < s; }

  template <class Context, class Array>
  PIVOTLAB_DEVICE static void store_independence(Context& context, const Array& pivots, const Array& diagonals,
                                                 bool lost, const Factors& factors) {
    constexpr int lanes = 32;
    const int thread = context.thread();
    if (thread >= lanes) return;
    double smallest = 1;
    for (int s = thread; s < k && !lost; s += lanes) smallest = smaller(smallest, pivots[s] / diagonals[s]);
    for (int mask = lanes / 2; mask > 0; mask /= 2) smallest = smaller(smallest, context.shuffle_xor(smallest, mask));
    if (thread != 0) return;
    factors.independence[context.block()] = lost ? 0 : smallest;
    factors.lost[context.block()] = lost;
  }

  PIVOTLAB_DEVICE static double smaller(double x, double y) { return y < x ? y : x; }

  /// Returns the columns of the tile that are exactly zero (not only their squares), as a bit set. With a one on the
  /// diagonal of such a column the factorization treats it as an independent column.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static ColumnSet find_zero_columns(Context& context, const Arguments& a, const Array& original) {
    const Planes& Y = a.matrix[context.block() / a.tiles];
    const PivotPair pair = a.pairs[context.block() % a.tiles];
    ColumnSet zero = 0;
    for (int j = 0; j < k; ++j) {
      if (original[j] != 0) continue;
      bool nonzero = false;
      for (int part = 0; part < parts; ++part) {
        const double* column = tile_column<Shape>(Y, pair, part * k + j);
        for (std::int64_t i = context.thread(); i < Y.rows; i += threads) nonzero |= column[i] != 0;
      }
      if (context.count(nonzero) == 0) zero |= ColumnSet(1) << j;
    }
    context.sync();
    return zero;
  }

  template <class Array>
  PIVOTLAB_DEVICE static void publish_diagonal(const double (&A)[own][own][parts], int first_i, int first_j,
                                               Array& diagonal, int at) {
    if (first_i != first_j) return;
#pragma unroll
    for (int x = 0; x < own; ++x) diagonal[at + first_i + x * grid] = A[x][x][0];
  }

  template <class Array>
  PIVOTLAB_DEVICE static int largest(const Array& diagonal, int at, ColumnSet used) {
    int best = -1;
    for (int i = 0; i < k; ++i)
      if ((used >> i & 1) == 0 && (best < 0 || diagonal[at + i] > diagonal[at + best])) best = i;
    return best;
  }

  template <class Array>
  PIVOTLAB_DEVICE static void publish_row(const double (&A)[own][own][parts], int first_i, int first_j, int pivot,
                                          Array& row, int at) {
#pragma unroll
    for (int x = 0; x < own; ++x)
      if (first_i + x * grid == pivot)
#pragma unroll
        for (int y = first_block(x); y < own; ++y)
#pragma unroll
          for (int part = 0; part < parts; ++part) row[at + part * k + first_j + y * grid] = A[y][x][part];
  }

  /// Subtracts conj(A(pivot, i))·A(pivot, j)/d from A(i, j).
  template <class Array>
  PIVOTLAB_DEVICE static void eliminate(double (&A)[own][own][parts], int first_i, int first_j, const Array& row,
                                        int at, double inverse) {
#pragma unroll
    for (int x = 0; x < own; ++x) {
      const int i = at + first_i + x * grid;
      const double re = row[i] * inverse;
      const double im = parts == 2 ? row[i + k] * inverse : 0.0;
#pragma unroll
      for (int y = first_block(x); y < own; ++y) {
        const int j = at + first_j + y * grid;
        A[y][x][0] = fused(-re, row[j], A[y][x][0]);
        if constexpr (parts == 2) {
          A[y][x][0] = fused(-im, row[j + k], A[y][x][0]);
          A[y][x][1] = fused(-re, row[j + k], A[y][x][1]);
          A[y][x][1] = fused(im, row[j], A[y][x][1]);
        }
      }
    }
  }
};

}  // namespace pivotlab::device
