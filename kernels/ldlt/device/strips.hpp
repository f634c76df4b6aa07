// SPDX-License-Identifier: BSD-3-Clause
// Layout of the lower triangle in device memory: strips of 64 rows, each stored column by column.
//
// A warp that walks along a strip reads consecutive memory, 64 rows of a column at a time, and nothing is stored above
// the blocks of the diagonal. Rows and columns beyond the order of the matrix are zeros. Complete pivoting stores the
// diagonal separately.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cstdint>

namespace pivotlab::ldlt_device {

inline constexpr int strip_rows = 64;

template <class T>
struct Strips {
  T* elements = nullptr;
  std::int64_t order = 0;

  static constexpr PIVOTLAB_DEVICE std::int64_t offset(std::int64_t strip) {
    return strip_rows * strip_rows * (strip * (strip + 1) / 2);
  }
  static constexpr std::int64_t count(std::int64_t order) { return (order + strip_rows - 1) / strip_rows; }

  PIVOTLAB_DEVICE std::int64_t strips() const { return (order + strip_rows - 1) / strip_rows; }
  /// Returns the 64 rows of a strip in column j.
  PIVOTLAB_DEVICE T* column(std::int64_t strip, std::int64_t j) const {
    return elements + offset(strip) + j * strip_rows;
  }
  /// Returns element (i, j), i ≥ j.
  PIVOTLAB_DEVICE T& at(std::int64_t i, std::int64_t j) const { return column(i / strip_rows, j)[i % strip_rows]; }
};

}  // namespace pivotlab::ldlt_device
