// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the Hermitian eigensolver besides the factorization and the sweeps.
#pragma once

#include "kernels/jacobi/device/eigh_device.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::jacobi {

// Functions of an element, for ForEach (kernels/exec/for_each.hpp).

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

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    U.data[i + j * U.stride] = order[j] < 0 ? T(0) : Y.data[i + order[j] * Y.stride];
  }
};

/// Sets X to 2^exponent·A.
template <class T>
struct ScaledMatrix {
  MatrixView<const T> A;
  int exponent;
  MatrixView<T> X;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T a = A.data[i + j * A.stride];
    if constexpr (is_complex<T>)
      X.data[i + j * X.stride] = T(std::ldexp(a.real(), exponent), std::ldexp(a.imag(), exponent));
    else
      X.data[i + j * X.stride] = std::ldexp(a, exponent);
  }
};

/// Sets column j of Y to factors[j] times column columns[j] of X.
template <class T>
struct ScaledColumns {
  MatrixView<const T> X;
  const int* columns;
  const double* factors;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    Y.data[i + j * Y.stride] = multiply(X.data[i + columns[j] * X.stride], T(factors[j]));
  }
};

/// Sets Y to diag(signs)·factor·X, in place if Y is X.
template <class T>
struct SignedRows {
  MatrixView<const T> X;
  const double* signs;
  double factor;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    Y.data[i + j * Y.stride] = multiply(X.data[i + j * X.stride], T(signs[i] * factor));
  }
};

/// Sets E to E − diag(signs).
template <class T>
struct SubtractSigns {
  MatrixView<T> E;
  const double* signs;

  PIVOTLAB_DEVICE void operator()(Index j, Index) const {
    E.data[j + j * E.stride] = sum(E.data[j + j * E.stride], T(-signs[j]));
  }
};

/// Sets Y to Y + X.
template <class T>
struct AddMatrix {
  MatrixView<const T> X;
  MatrixView<T> Y;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    Y.data[i + j * Y.stride] = sum(Y.data[i + j * Y.stride], X.data[i + j * X.stride]);
  }
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
      const double x = modulus(E.data[i + j * E.stride]);
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

/// Sums the squares of |G|*·|Y|·diag(1/sigma) over 64 rows of this product. Grid: a block for each tile of 64 × 64
/// elements, tiles of a column of tiles one after the other. Thread (x, y) of 16 × 16 has the elements
/// (x + 16·a, y + 16·b), a, b < 4, in registers; 16 rows of G and Y at a time are in shared memory, which then has the
/// sums of the threads.
template <class T>
struct ModulusProducts {
  struct Arguments {
    MatrixView<const T> G, Y;  ///< with equally many rows
    const double* sigma;       ///< [column of Y]; 0 gives the sum 0
    double* partial;           ///< [tile of columns of G][column of Y]
  };
  static constexpr int tile = 64, depth = 16, side = 16, own = tile / side;
  static constexpr int threads = side * side, min_blocks = 2;
  static constexpr int panel = depth * (tile + 1);
  static constexpr int shared_bytes = 2 * panel * 8;

  static constexpr PIVOTLAB_DEVICE Index tiles(Index columns) { return (columns + tile - 1) / tile; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index row_tiles = tiles(a.G.cols), row_tile = context.block() % row_tiles;
    const Index first_g = row_tile * tile, first_y = context.block() / row_tiles * tile;
    const int x = context.thread() % side, y = context.thread() / side;
    auto g = context.template shared<double>(0, panel);
    auto u = context.template shared<double>(8 * panel, panel);
    double products[own][own] = {};
    for (Index k = 0; k < a.G.rows; k += depth) {
      for (int e = context.thread(); e < depth * tile; e += threads) {
        const int i = e % depth, j = e / depth;
        g[i * (tile + 1) + j] = modulus_at(a.G, k + i, first_g + j);
        u[i * (tile + 1) + j] = modulus_at(a.Y, k + i, first_y + j);
      }
      context.sync();
      for (int i = 0; i < depth; ++i)
        for (int b = 0; b < own; ++b)
          for (int c = 0; c < own; ++c)
            products[b][c] = fused(g[i * (tile + 1) + x + side * b], u[i * (tile + 1) + y + side * c], products[b][c]);
      context.sync();
    }
    for (int c = 0; c < own; ++c) {
      const Index j = first_y + y + side * c;
      const double sigma = j < a.Y.cols ? a.sigma[j] : 0;
      double sum = 0;
      for (int b = 0; b < own; ++b) {
        const double ratio = sigma > 0 ? products[b][c] / sigma : 0;
        sum = fused(ratio, ratio, sum);
      }
      g[x * tile + y + side * c] = sum;
    }
    context.sync();
    const Index j = first_y + context.thread();
    if (context.thread() >= tile || j >= a.Y.cols) return;
    double sum = 0;
    for (int i = 0; i < side; ++i) sum += g[i * tile + context.thread()];
    a.partial[row_tile * a.Y.cols + j] = sum;
  }

 private:
  PIVOTLAB_DEVICE static double modulus_at(const MatrixView<const T>& A, Index i, Index j) {
    return i < A.rows && j < A.cols ? modulus(A.data[i + j * A.stride]) : 0.0;
  }
};

}  // namespace pivotlab::jacobi
