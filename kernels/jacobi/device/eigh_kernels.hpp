// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the Hermitian eigensolver besides the factorization and the sweeps.
#pragma once

#include "kernels/jacobi/device/eigh_device.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/elements.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::jacobi {

// Functions of an element, for ForEach (kernels/numerics/elements.hpp).

/// Sets element (rows[i], j) of G.
template <class T>
struct MakeG {
  ldlt_device::Strips<T> M;
  const SignedColumn<T>* columns;
  const int* rows;
  MatrixView<T> G;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const SignedColumn<T> c = columns[j];
    const T x = element(i, c.first);
    const T value =
        c.pair ? multiply_add(x, c.upper, multiply(element(i, c.first + 1), c.lower)) : multiply(x, c.upper);
    G.data[rows[i] + j * G.stride] = value;
  }

 private:
  PIVOTLAB_DEVICE T element(Index i, Index j) const { return i > j ? M.at(i, j) : i == j ? T(1) : T(0); }
};

/// Sets norms[i] to the norm of row rows[i] of the first leading[i] columns of G.
template <class T>
struct LeadingRowNorms {
  MatrixView<const T> G;
  const int *rows, *leading;
  double* norms;

  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    const T* row = G.data + rows[i];
    double sum = 0;
#pragma unroll 8
    for (Index j = 0; j < leading[i]; ++j) sum += squared_magnitude(row[j * G.stride]);
    norms[i] = std::sqrt(sum);
  }
};

/// Sets column j of U to column order[j] of Y, or to zero for −1.
template <class T>
struct OrderedColumns {
  MatrixView<const T> Y;
  const int* order;
  MatrixView<T> U;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(U, i, j) = order[j] < 0 ? T(0) : at(Y, i, order[j]); }
};

/// Sets X to 2^exponent·A.
template <class T>
struct ScaledMatrix {
  MatrixView<const T> A;
  int exponent;
  MatrixView<T> X;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(X, i, j) = times_power_of_two(at(A, i, j), exponent); }
};

/// Sets column j of Y to factors[j] times column columns[j] of X.
template <class T>
struct ScaledColumns {
  MatrixView<const T> X;
  const int* columns;
  const double* factors;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(Y, i, j) = multiply(at(X, i, columns[j]), T(factors[j]));
  }
};

/// Sets Y to diag(signs)·factor·X, in place if Y is X.
template <class T>
struct SignedRows {
  MatrixView<const T> X;
  const double* signs;
  double factor;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(Y, i, j) = multiply(at(X, i, j), T(signs[i] * factor)); }
};

/// Sets E to E − diag(signs).
template <class T>
struct SubtractSigns {
  MatrixView<T> E;
  const double* signs;

  PIVOTLAB_DEVICE void operator()(Index j, Index) const { at(E, j, j) = sum(at(E, j, j), T(-signs[j])); }
};

/// Sets Y to Y + X.
template <class T>
struct AddMatrix {
  MatrixView<const T> X;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(Y, i, j) = sum(at(Y, i, j), at(X, i, j)); }
};

/// Sets largest[j] to the largest modulus in column j of E, or NaN.
template <class T>
struct LargestOfColumn {
  MatrixView<const T> E;
  double* largest;

  PIVOTLAB_DEVICE void operator()(Index j, Index) const {
    double most = 0;
#pragma unroll 8
    for (Index i = 0; i < E.rows; ++i) {
      const double x = modulus(at(E, i, j));
      if (!(x <= most)) most = x;
    }
    largest[j] = most;
  }
};

/// Sets norms[j] to the root of the sum over the tiles of partial[tile][j].
struct RootOfSums {
  const double* partial;
  Index tiles, columns;
  double* norms;

  PIVOTLAB_DEVICE void operator()(Index j, Index) const {
    double sum = 0;
    for (Index t = 0; t < tiles; ++t) sum += partial[t * columns + j];
    norms[j] = std::sqrt(sum);
  }
};

/// Computes 64 × 64 elements of |G|*·|Y| by a block of threads, on tensor cores. A warp has 16 × 32 of them in
/// registers; 16 rows of G and Y at a time are in shared memory, and the next ones in registers.
template <class T>
struct ModulusTile {
  static constexpr int size = 64, depth = 16, threads = 256, fragments = 4;
  static constexpr int pitch = size + 4;  ///< avoids bank conflicts
  static constexpr int panel = depth * pitch, shared_bytes = 2 * panel * 8;

  double products[fragments][4] = {};  ///< of 16 × 8 elements each

  static constexpr PIVOTLAB_DEVICE Index count(Index columns) { return (columns + size - 1) / size; }
  /// The place of products[fragment][i] in the tile.
  static PIVOTLAB_DEVICE int row(int thread, int i) { return thread / 32 % 4 * 16 + thread % 32 / 4 + i / 2 * 8; }
  static PIVOTLAB_DEVICE int column(int thread, int fragment, int i) {
    return thread / 128 * 32 + fragment * 8 + thread % 4 * 2 + i % 2;
  }

  template <class Context>
  PIVOTLAB_DEVICE ModulusTile(Context& context, const MatrixView<const T>& G, const MatrixView<const T>& Y,
                              Index first_g, Index first_y) {
    auto g = context.template shared<double>(0, panel);
    auto u = context.template shared<double>(8 * panel, panel);
    double next_g[held], next_u[held];
    load(context.thread(), G, 0, first_g, next_g), load(context.thread(), Y, 0, first_y, next_u);
    for (Index k = 0; k < G.rows; k += depth) {
      for (int e = 0; e < held; ++e) {
        const int element = context.thread() + e * threads, at = element % depth * pitch + element / depth;
        g[at] = next_g[e], u[at] = next_u[e];
      }
      context.sync();
      load(context.thread(), G, k + depth, first_g, next_g), load(context.thread(), Y, k + depth, first_y, next_u);
      multiply(context, g, u);
      context.sync();
    }
  }

 private:
  static constexpr int held = depth * size / threads;

  static PIVOTLAB_DEVICE void load(int thread, const MatrixView<const T>& A, Index first, Index first_column,
                                   double (&held_elements)[held]) {
    for (int e = 0; e < held; ++e) {
      const int element = thread + e * threads;
      const Index i = first + element % depth, j = first_column + element / depth;
      held_elements[e] = i < A.rows && j < A.cols ? modulus(at(A, i, j)) : 0.0;
    }
  }

  template <class Context, class Shared>
  PIVOTLAB_DEVICE void multiply(Context& context, const Shared& g, const Shared& u) {
    const int lane = context.thread() % 32, group = lane / 4, in_group = lane % 4;
    const int first_row = row(context.thread() - lane, 0), first_column = column(context.thread() - lane, 0, 0);
    double x[8];
    for (int i = 0; i < 8; ++i) x[i] = g[(in_group + i / 2 * 4) * pitch + first_row + group + i % 2 * 8];
    for (int f = 0; f < fragments; ++f) {
      double y[4];
      for (int i = 0; i < 4; ++i) y[i] = u[(in_group + i * 4) * pitch + first_column + f * 8 + group];
      context.mma(products[f], x, y);
    }
  }
};

/// Sums the squares of |G|*·|Y|·diag(1/sigma) over 64 rows of this product. Grid: a block for each tile, tiles of a
/// column of tiles one after the other.
template <class T>
struct ModulusProducts {
  using Tile = ModulusTile<T>;
  struct Arguments {
    MatrixView<const T> G, Y;  ///< with equally many rows
    const double* sigma;       ///< [column of Y]; 0 gives the sum 0
    double* partial;           ///< [tile of columns of G][column of Y]
  };
  static constexpr int threads = Tile::threads, min_blocks = 2, shared_bytes = Tile::shared_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    constexpr int rows = Tile::size / 2;  // a thread has the sums of two rows
    const Index row_tiles = Tile::count(a.G.cols), row_tile = context.block() % row_tiles;
    const Index first_y = context.block() / row_tiles * Tile::size;
    const Tile tile(context, a.G, a.Y, row_tile * Tile::size, first_y);
    auto sums = context.template shared<double>(0, rows * Tile::size);
    const int row = context.thread() / 32 % 4 * 8 + context.thread() % 32 / 4;
    for (int f = 0; f < Tile::fragments; ++f)
      for (int i = 0; i < 2; ++i) {
        const int column = Tile::column(context.thread(), f, i);
        const double sigma = first_y + column < a.Y.cols ? a.sigma[first_y + column] : 0;
        const double upper = sigma > 0 ? tile.products[f][i] / sigma : 0,
                     lower = sigma > 0 ? tile.products[f][i + 2] / sigma : 0;
        sums[row * Tile::size + column] = fused(lower, lower, upper * upper);
      }
    context.sync();
    const Index j = first_y + context.thread();
    if (context.thread() >= Tile::size || j >= a.Y.cols) return;
    double sum = 0;
    for (int i = 0; i < rows; ++i) sum += sums[i * Tile::size + context.thread()];
    a.partial[row_tile * a.Y.cols + j] = sum;
  }
};

/// Sets C(i, j) and C(j, i) to the smaller one of `most` and |y_i|ᵀ·|y_j|. Grid: a block for each tile of C, of which
/// those below the diagonal do nothing.
template <class T>
struct BoundedCosines {
  using Tile = ModulusTile<T>;
  struct Arguments {
    MatrixView<const T> Y;
    double most;
    MatrixView<double> C;
  };
  static constexpr int threads = Tile::threads, min_blocks = 2, shared_bytes = Tile::shared_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index tiles = Tile::count(a.Y.cols), first_row = context.block() % tiles * Tile::size,
                first_column = context.block() / tiles * Tile::size;
    if (first_row > first_column) return;
    const Tile tile(context, a.Y, a.Y, first_row, first_column);
    for (int f = 0; f < Tile::fragments; ++f)
      for (int e = 0; e < 4; ++e) {
        const Index i = first_row + Tile::row(context.thread(), e),
                    j = first_column + Tile::column(context.thread(), f, e);
        if (i > j || j >= a.C.cols) continue;
        const double cosine = tile.products[f][e] < a.most ? tile.products[f][e] : a.most;
        a.C.data[i + j * a.C.stride] = a.C.data[j + i * a.C.stride] = cosine;
      }
  }
};

/// Sets sums[j] to norms[j] plus the sum of C(j, i)·p[i] over the columns i whose places are before that of j.
struct AddComponents {
  MatrixView<const double> C;
  const int* places;
  const double *norms, *p;
  double* sums;

  PIVOTLAB_DEVICE void operator()(Index j, Index) const {
    double sum = norms[j];
#pragma unroll 8
    for (Index i = 0; i < C.cols; ++i) sum = fused(at(C, j, i), places[i] < places[j] ? p[i] : 0.0, sum);
    sums[j] = sum;
  }
};

}  // namespace pivotlab::jacobi
