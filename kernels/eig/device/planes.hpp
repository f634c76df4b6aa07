// SPDX-License-Identifier: BSD-3-Clause
// Layout of matrices in device memory.
#pragma once

#include "kernels/exec/number_pairs.hpp"
#include "kernels/numerics/complex_parts.hpp"

#include <cstdint>

namespace pivotlab::eig_device {

using C = ComplexParts<double>;

/// A square complex matrix as planes, column-major, bordered by zero rows and columns.
template <class R>
struct PlanesOf {
  R* re = nullptr;
  R* im = nullptr;
  std::int64_t order = 0;  ///< order with the border, a multiple of 32

  PIVOTLAB_DEVICE std::int64_t at(std::int64_t row, std::int64_t col) const { return col * order + row; }
  PIVOTLAB_DEVICE ComplexParts<R> element(std::int64_t row, std::int64_t col) const {
    return ComplexParts<R>(re[at(row, col)], im[at(row, col)]);
  }
  PIVOTLAB_DEVICE C in_double(std::int64_t row, std::int64_t col) const {
    return C(re[at(row, col)], im[at(row, col)]);
  }
};
using Planes = PlanesOf<double>;

/// Two indices of rows and columns, or of blocks of them.
struct Pair {
  std::uint32_t p, q;
};

/// Returns whether p > q.
PIVOTLAB_DEVICE inline bool is_turned(Pair pair) {
  return pair.p > pair.q;
}
PIVOTLAB_DEVICE inline Pair ascending(Pair pair) {
  return is_turned(pair) ? Pair{pair.q, pair.p} : pair;
}

/// Returns row or column i of a pair of blocks of size b.
template <int b>
PIVOTLAB_DEVICE inline std::int64_t place(Pair pair, int i) {
  return (i < b ? std::int64_t(pair.p) * b : (std::int64_t(pair.q) - 1) * b) + i;
}

}  // namespace pivotlab::eig_device
