// SPDX-License-Identifier: BSD-3-Clause
// A matrix that the caller has in device memory: checks of its elements, and its triangle as strips.
#pragma once

#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/shared/products.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab::ldlt_device {

/// A matrix and which of its triangles are read; if both are, they must agree.
template <class T>
struct GivenMatrix {
  MatrixView<const T> A;
  bool lower = true, upper = true;

  PIVOTLAB_DEVICE bool reads(std::int64_t i, std::int64_t j) const { return i == j || (i > j ? lower : upper); }
  PIVOTLAB_DEVICE const T& at(std::int64_t i, std::int64_t j) const { return A.data[i + j * A.stride]; }
};

/// The largest numbers of a column, of the elements that are read; NaN where one is.
struct ColumnSize {
  double part = 0;       ///< |Re a_ij|, |Im a_ij|
  double modulus = 0;    ///< |a_ij|
  double asymmetry = 0;  ///< |a_ij − across(a_ji)|
};

PIVOTLAB_DEVICE inline ColumnSize better(const ColumnSize& x, const ColumnSize& y) {
  return {larger_or_nan(x.part, y.part), larger_or_nan(x.modulus, y.modulus), larger_or_nan(x.asymmetry, y.asymmetry)};
}

/// Computes the size of each column. One block per column.
template <class T, bool hermitian>
struct MeasureColumns {
  struct Arguments {
    GivenMatrix<T> given;
    ColumnSize* sizes;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(ColumnSize));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    ColumnSize own;
    for (std::int64_t i = context.thread(); i < a.given.A.rows; i += threads) {
      if (!a.given.reads(i, j)) continue;
      const T x = a.given.at(i, j);
      own = better(own, {larger_part(x), ldlt_detail::modulus(x), 0});
      if (i >= j && a.given.reads(j, i)) {
        const T difference =
            ldlt_detail::sum(x, ldlt_detail::negated(ldlt_detail::across<hermitian>(a.given.at(j, i))));
        own.asymmetry = larger_or_nan(own.asymmetry, ldlt_detail::modulus(difference));
      }
    }
    const ColumnSize size = best_of_block(context, own);
    if (context.thread() == 0) a.sizes[j] = size;
  }
};

/// Converts 2^exponent times a matrix to strips. One block per column.
template <class T, bool hermitian>
struct ImportGiven {
  struct Arguments {
    GivenMatrix<T> given;
    int exponent;
    Strips<T> A;
    T* diagonal;  ///< null: it belongs to the strips
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = j + context.thread(); i < a.A.order; i += threads) {
      const T x = times_power_of_two(
          a.given.lower || i == j ? a.given.at(i, j) : ldlt_detail::across<hermitian>(a.given.at(j, i)), a.exponent);
      (i == j && a.diagonal != nullptr ? a.diagonal[j] : a.A.at(i, j)) = x;
    }
  }
};

}  // namespace pivotlab::ldlt_device
