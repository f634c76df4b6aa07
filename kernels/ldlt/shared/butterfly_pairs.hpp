// SPDX-License-Identifier: BSD-3-Clause
// The pairs of rows of a butterfly, and its congruence on one pair of rows and one pair of columns. This header is
// plain C++, which a device compiler also reads.
#pragma once

#include "kernels/ldlt/shared/products.hpp"

#include <cstdint>

namespace pivotlab::ldlt_detail {

/// Rows that one rotation mixes; a row without a partner is both.
struct ButterflyPair {
  std::int64_t first, second;

  PIVOTLAB_DEVICE bool is_single() const { return first == second; }
};

/// Returns the pair that contains row i of a level. Level l has 2^l blocks; each level halves the blocks of the one
/// before, the larger half first.
PIVOTLAB_DEVICE inline ButterflyPair pair_of(std::int64_t order, int level, std::int64_t i) {
  std::int64_t begin = 0, size = order, half = (size + 1) / 2;
  for (; level > 0; --level) {
    if (i - begin < half) {
      size = half;
    } else {
      begin += half;
      size -= half;
    }
    half = (size + 1) / 2;
  }
  if (i - begin >= half) return {i - half, i};
  return {i, i - begin + half < size ? i + half : i};
}

template <class R>
struct Rotation {
  R cosine{1}, sine{0};

  /// Returns c·x + s·y.
  template <class T>
  PIVOTLAB_DEVICE T upper(const T& x, const T& y) const {
    return combined(cosine, x, sine, y);
  }
  /// Returns c·y − s·x.
  template <class T>
  PIVOTLAB_DEVICE T lower(const T& x, const T& y) const {
    return combined(cosine, y, R(-sine), x);
  }
  PIVOTLAB_DEVICE Rotation inverse() const { return {cosine, R(-sine)}; }

 private:
  template <class T>
  PIVOTLAB_DEVICE static T combined(const R& a, const T& x, const R& b, const T& y) {
    if constexpr (is_complex<T>)
      return T(fused(a, R(x.real()), R(b * y.real())), fused(a, R(x.imag()), R(b * y.imag())));
    else
      return fused(a, x, T(b * y));
  }
};

/// The elements of a triangle, also above its diagonal; stored(i, j) returns a reference to element (i, j), i ≥ j.
template <bool hermitian, class Stored>
struct ButterflyElements {
  Stored stored;

  PIVOTLAB_DEVICE auto get(std::int64_t i, std::int64_t j) const {
    auto x = stored(i >= j ? i : j, i >= j ? j : i);
    return i >= j ? x : across<hermitian>(x);
  }
  template <class T>
  PIVOTLAB_DEVICE void set(std::int64_t i, std::int64_t j, const T& x) const {
    if (i == j)
      stored(i, i) = on_diagonal<hermitian>(x);
    else if (i > j)
      stored(i, j) = x;
    else
      stored(j, i) = across<hermitian>(x);
  }

  /// Replaces the elements X in the rows of pair a and the columns of pair b by Rₐᵀ·X·R_b. Pair a is not before pair b;
  /// the elements across the diagonal follow.
  template <class R>
  PIVOTLAB_DEVICE void rotate(const ButterflyPair& a, const ButterflyPair& b, const Rotation<R>& of_a,
                              const Rotation<R>& of_b) const {
    if (a.is_single() && b.is_single()) return;
    const auto x11 = get(a.first, b.first), x12 = get(a.first, b.second), x21 = get(a.second, b.first),
               x22 = get(a.second, b.second);
    const auto y11 = of_a.upper(x11, x21), y12 = of_a.upper(x12, x22), y21 = of_a.lower(x11, x21),
               y22 = of_a.lower(x12, x22);
    set(a.first, b.first, of_b.upper(y11, y12));
    set(a.second, b.first, of_b.upper(y21, y22));
    if (a.first != b.first) set(a.first, b.second, of_b.lower(y11, y12));
    set(a.second, b.second, of_b.lower(y21, y22));
  }
};

}  // namespace pivotlab::ldlt_detail
