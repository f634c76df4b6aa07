// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting: a pivot, and what it makes of a row of C.
#pragma once

#include "kernels/ldlt/shared/products.hpp"

namespace pivotlab::ldlt_device {

/// A 1×1 pivot a, or the 2×2 pivot [a, across(b); b, c].
template <class T, bool hermitian>
struct PivotBlock {
  bool single;
  ldlt_detail::Block<T> block;

  /// The new elements of a row: of M, and of −C*.
  struct Row {
    T m[2], minus_w[2];
  };

  /// Returns C·P⁻¹ and −C* of the row (c1, c2) of C.
  PIVOTLAB_DEVICE Row eliminate(const T& c1, const T& c2) const {
    using namespace ldlt_detail;
    const T minus_w = negated(across<hermitian>(c1));
    if (single) return {{divided_by_pivot<hermitian>(c1, block.a), T(0)}, {minus_w, T(0)}};
    const auto m = BlockInverse<T, hermitian>(block).apply_to_row(c1, c2);
    return {{m.first, m.second}, {minus_w, negated(across<hermitian>(c2))}};
  }
  /// Returns an element of the diagonal minus the product of its row.
  PIVOTLAB_DEVICE T reduced(const T& diagonal, const Row& row) const {
    using namespace ldlt_detail;
    const T x = on_diagonal<hermitian>(multiply_add(row.m[0], row.minus_w[0], diagonal));
    return single ? x : on_diagonal<hermitian>(multiply_add(row.m[1], row.minus_w[1], x));
  }
};

}  // namespace pivotlab::ldlt_device
