// SPDX-License-Identifier: BSD-3-Clause
// Operations on elements, for ForEach and ReduceColumns (kernels/numerics/elements.hpp). Plain: a device compiler
// reads it, too.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/elements.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

/// largest[j] = the largest part of column j of the lower triangle; NaN if there is one.
template <class T>
struct LargestBelow {
  using Value = double;
  using Combine = Largest;
  MatrixView<const T> A;
  double* largest;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return i < j ? 0 : larger_part(at(A, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double x) const { largest[j] = x; }
};

/// Makes the upper triangle of a Hermitian matrix the adjoint of the lower one: a block of threads for each tile below
/// the diagonal, by a tile in shared memory, so that both are read and written along columns.
template <class T>
struct Mirror {
  static constexpr int threads = 256, min_blocks = 4, tile = 32, rows_at_once = threads / tile;
  static constexpr int shared_bytes = tile * (tile + 1) * static_cast<int>(sizeof(T));
  struct Arguments {
    MatrixView<T> A;
  };
  static Index blocks(Index n) {
    const Index tiles = (n + tile - 1) / tile;
    return tiles * tiles;
  }
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index tiles = (a.A.rows + tile - 1) / tile, block_row = context.block() % tiles,
                block_column = context.block() / tiles;
    if (block_row < block_column) return;
    const auto shared = context.template shared<T>(0, tile * (tile + 1));
    const int row = context.thread() % tile, column = context.thread() / tile;
    for (int c = column; c < tile; c += rows_at_once) {
      const Index i = block_row * tile + row, j = block_column * tile + c;
      if (i < a.A.rows && j < a.A.rows) shared[row * (tile + 1) + c] = a.A.data[i + j * a.A.stride];
    }
    context.sync();
    for (int c = column; c < tile; c += rows_at_once) {
      const Index i = block_column * tile + row, j = block_row * tile + c;
      if (i < j && j < a.A.rows) a.A.data[i + j * a.A.stride] = conjugate(T(shared[c * (tile + 1) + row]));
    }
  }
};

template <class T, class Machine>
void mirror(const Machine& machine, MatrixView<T> A) {
  machine.template launch<Mirror<T>>(static_cast<int>(Mirror<T>::blocks(A.rows)), Mirror<T>::shared_bytes, {A});
}

/// T⁻¹ of reflectors from 1/τ and the upper triangle of VᴴV.
template <class T>
struct InverseTriangle {
  MatrixView<const T> gram;
  const T* inverse_tau;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(to, i, j) = i < j ? at(gram, i, j) : i == j ? inverse_tau[i] : T(0);
  }
};

/// to[i] = A(i, i), or its real part.
template <class T, class To>
struct TakeDiagonal {
  MatrixView<const T> A;
  To* to;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    const T& x = at(A, i, i);
    if constexpr (is_complex<To>)
      to[i] = x;
    else
      to[i] = real_part(x);
  }
};

/// Copies a matrix to one of its kind or, if it is real, to a complex one, whose further rows and columns become zero.
/// Columns are taken in an order, if there is one.
template <class From, class T>
struct CopyWithZeros {
  MatrixView<const From> from;
  MatrixView<T> to;
  const int* order = nullptr;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const bool is_given = i < from.rows && j < from.cols;
    at(to, i, j) = is_given ? T(at(from, i, order ? order[j] : j)) : T(0);
  }
};

/// lambda[i] := factor·lambda[i]
struct ScaleValues {
  double* lambda;
  double factor;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const { lambda[i] *= factor; }
};

}  // namespace pivotlab::two_stage
