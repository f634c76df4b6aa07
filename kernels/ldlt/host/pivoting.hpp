// SPDX-License-Identifier: BSD-3-Clause
// Algorithms 2, 3 and 4: the search for the pivot of a stage. Among equal elements the one in the least row, then in
// the least column, is chosen. Without a search the pivot is the first diagonal element.
//
// A reduced matrix must have diagonal(r) and largest_in_row(k, r), for complete pivoting also column_largest(j),
// below(i, j) and order().
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"

namespace pivotlab::ldlt_detail {

/// A pivot: row `first` is moved to the first row of the reduced matrix and, for a 2×2 pivot, `second` to its second
/// row.
struct Pivot {
  int size = 1;
  Index first = 0, second = 0;
};

template <class R>
struct Found {
  R size{};
  Index at = -1;

  void consider(const R& other, Index place) {
    if (other > size) *this = {other, place};
  }
};

/// Complete pivoting, Algorithm 2. μ₀ is searched off the diagonal only: for α < 1 the decision is the same as with the
/// whole matrix.
template <class R, class Matrix>
Pivot choose_by_maxima(const PivotRule<R>& rule, const Matrix& A, Index k) {
  Found<R> diagonal, column;
  for (Index j = k; j < A.order(); ++j) {
    diagonal.consider(modulus(A.diagonal(j)), j);
    column.consider(A.column_largest(j), j);
  }
  if (rule.decide({diagonal.size, column.size}) == PivotDecision::pivot_1x1) return {1, diagonal.at, 0};
  Index q = column.at + 1;
  while (modulus(A.below(q, column.at)) != column.size) ++q;
  return {2, column.at, q};
}

/// Partial and rook pivoting, Algorithms 3 and 4; without a search only the first column is computed.
template <class R, class Matrix>
Pivot choose_by_columns(const PivotRule<R>& rule, Matrix& A, Index k) {
  Index previous = k, latest = k;
  Found<R> found = A.largest_in_row(k, k);
  if (rule.pivoting == Pivoting::none) return {1, k, 0};
  ColumnModuli<R> moduli{modulus(A.diagonal(k)), found.size};
  PivotDecision decision = rule.decide(moduli);
  while (decision == PivotDecision::continue_search) {
    const ColumnModuli<R> previous_moduli = moduli;
    previous = latest;
    latest = found.at;
    found = A.largest_in_row(k, latest);
    moduli = {modulus(A.diagonal(latest)), found.size};
    decision = rule.decide(previous_moduli, moduli);
  }
  if (decision == PivotDecision::pivot_2x2) return {2, previous, latest};
  return {1, decision == PivotDecision::pivot_1x1 ? latest : previous, 0};
}

template <class R, class Matrix>
Pivot choose_pivot(const PivotRule<R>& rule, Matrix& A, Index k) {
  return rule.pivoting == Pivoting::complete ? choose_by_maxima(rule, A, k) : choose_by_columns(rule, A, k);
}

}  // namespace pivotlab::ldlt_detail
