// SPDX-License-Identifier: BSD-3-Clause
// Kernels for upload and download of a matrix of the host, and for M in device memory.
#pragma once

#include "kernels/ldlt/device/given_matrix.hpp"
#include "kernels/ldlt/device/row_sizes.hpp"
#include "kernels/ldlt/device/strips.hpp"

#include <limits>
#include <pivotlab/matrix.hpp>

namespace pivotlab::ldlt_device {

/// Converts columns of a packed triangle to strips. One block per column.
template <class T>
struct ImportColumns {
  struct Arguments {
    const T* packed;  ///< from element (first, first) on
    std::int64_t first;
    Strips<T> A;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t columns = context.block(), j = a.first + columns;
    // The preceding columns have order − first, order − first − 1, … elements.
    const T* column = a.packed + columns * (a.A.order - a.first) - columns * (columns - 1) / 2 - j;
    for (std::int64_t i = j + 1 + context.thread(); i < a.A.order; i += threads) a.A.at(i, j) = column[i];
  }
};

/// Copies the diagonal to strips. One block per strip.
template <class T>
struct ImportDiagonal {
  struct Arguments {
    const T* diagonal;
    Strips<T> A;
  };
  static constexpr int threads = strip_rows;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t i = std::int64_t(context.block()) * strip_rows + context.thread();
    if (i < a.A.order) a.A.at(i, i) = a.diagonal[i];
  }
};

/// Copies the part on one side of the diagonal of columns of a matrix to strips, and raises `fault` unless its elements
/// are finite and the diagonal of a Hermitian matrix is real. One block per column.
template <class T, bool hermitian>
struct ImportDense {
  struct Arguments {
    GivenMatrix<T> given;  ///< the lower part is copied if it is read
    std::int64_t first;    ///< column of the first block
    TriangleView<T> A;
    std::int32_t* fault;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = a.first + context.block();
    const bool lower = a.given.lower;
    bool is_valid = true;
    for (std::int64_t i = (lower ? j : 0) + context.thread(); i < (lower ? a.A.A.order : j + 1); i += threads) {
      const T x = a.given.at(i, j), y = ldlt_detail::across<hermitian>(x);
      is_valid = is_valid && larger_part(x) <= std::numeric_limits<double>::max() &&
                 (i != j || larger_part(difference(x, y)) == 0);
      (lower ? a.A.at(i, j) : a.A.at(j, i)) = lower || i == j ? x : y;
    }
    if (!is_valid) context.raise(a.fault, 1);
  }
};

/// Raises `fault` unless the elements above the diagonal of columns of a matrix agree with the triangle that has been
/// imported. One block per column.
template <class T, bool hermitian>
struct CompareDense {
  using Arguments = typename ImportDense<T, hermitian>::Arguments;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = a.first + context.block();
    bool agrees = true;
    for (std::int64_t i = context.thread(); i < j; i += threads) {
      const T y = ldlt_detail::across<hermitian>(a.A.at(j, i));
      agrees = agrees && larger_part(difference(a.given.at(i, j), y)) == 0;  // false for NaN
    }
    if (!agrees) context.raise(a.fault, 1);
  }
};

/// Converts rows from `first_row` on of columns of the unit lower triangular M to a dense matrix, and finds the largest
/// modulus below the diagonal of each column. One block per column.
template <class T>
struct ExportColumns {
  struct Arguments {
    Strips<T> A;
    std::int64_t first, first_row;  ///< column of the first block, and first row
    std::int64_t end;               ///< columns from `end` on are those of the identity
    MatrixView<T> target;           ///< element (i, block) is that of row i of M
    ColumnSize* sizes;              ///< [column]; `modulus` is set
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(ColumnSize));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = a.first + context.block();
    T* column = a.target.data + context.block() * a.target.stride;
    ColumnSize own;
    for (std::int64_t i = a.first_row + context.thread(); i < a.A.order; i += threads) {
      const T x = i > j && j < a.end ? a.A.at(i, j) : T(0);
      own.modulus = larger_or_nan(own.modulus, ldlt_detail::modulus(x));
      column[i] = i == j ? T(1) : x;
    }
    const ColumnSize size = best_of_block(context, own);
    if (context.thread() == 0) a.sizes[j] = size;
  }
};

}  // namespace pivotlab::ldlt_device
