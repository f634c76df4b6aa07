// SPDX-License-Identifier: BSD-3-Clause
// Layout of matrices in device memory.
#pragma once

#include "kernels/exec/portable.hpp"
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

/// Two adjacent numbers that are read and written at once.
template <class R>
struct alignas(2 * sizeof(R)) RealPair {
  R x, y;
};

/// Loads two adjacent numbers of device memory as doubles.
template <class Context>
PIVOTLAB_DEVICE inline DoublePair load_pair(const Context& context, const double* from) {
  return context.load2(from);
}
template <class Context>
PIVOTLAB_DEVICE inline DoublePair load_pair(const Context&, const float* from) {
  const auto pair = *reinterpret_cast<const RealPair<float>*>(from);
  return {pair.x, pair.y};
}

/// Stores two doubles, rounded if need be, to adjacent numbers of device memory.
template <class Context>
PIVOTLAB_DEVICE inline void store_pair(const Context& context, double* to, double x, double y) {
  context.store2(to, x, y);
}
template <class Context>
PIVOTLAB_DEVICE inline void store_pair(const Context&, float* to, double x, double y) {
  *reinterpret_cast<RealPair<float>*>(to) = {static_cast<float>(x), static_cast<float>(y)};
}

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
