// Algorithms 2, 3 and 4: the pivot of a stage. Ties go to the least row, then the least column.
//
// Of the reduced matrix they ask for diagonal(r) and largest_in_row(k, r), complete pivoting also for the maxima of
// columns and for the elements below the diagonal.
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"

#include <pivotlab/ldlt_variant.hpp>

namespace pivotlab::ldlt_detail {

/// Row `first` goes to the first row of the reduced matrix and, for a 2×2 pivot, `second` to its second one.
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

/// Algorithm 2. μ₀ is sought off the diagonal: for α < 1 the decision is the same as with the whole matrix.
template <class R, class Matrix>
Pivot choose_complete(const Matrix& A, Index k, const R& alpha) {
  Found<R> diagonal, column;
  for (Index j = k; j < A.order(); ++j) {
    diagonal.consider(modulus(A.diagonal(j)), j);
    column.consider(A.column_largest(j), j);
  }
  if (diagonal.size > alpha * column.size) return {1, diagonal.at, 0};
  Index q = column.at + 1;
  while (modulus(A.below(q, column.at)) != column.size) ++q;
  return {2, column.at, q};
}

/// Algorithm 3.
template <class R, class Matrix>
Pivot choose_partial(Matrix& A, Index k, const R& alpha) {
  const Found<R> first = A.largest_in_row(k, k);
  const R diagonal = modulus(A.diagonal(k));
  if (first.size == R(0) || diagonal >= alpha * first.size) return {1, k, 0};  // cases (0), (1)
  const Index r = first.at;
  const R gamma_r = A.largest_in_row(k, r).size;
  // |A₁₁|·γᵣ ≥ α·γ₁², without the products that overflow
  if (diagonal >= alpha * first.size * R(first.size / gamma_r)) return {1, k, 0};  // case (2)
  if (modulus(A.diagonal(r)) >= alpha * gamma_r) return {1, r, 0};                 // case (3)
  return {2, k, r};                                                                // case (4)
}

/// Algorithm 4.
template <class R, class Matrix>
Pivot choose_rook(Matrix& A, Index k, const R& alpha) {
  Found<R> found = A.largest_in_row(k, k);
  if (found.size == R(0) || modulus(A.diagonal(k)) >= alpha * found.size) return {1, k, 0};  // cases (0), (1)
  for (Index i = k;;) {
    const Index r = found.at;
    const Found<R> next = A.largest_in_row(k, r);
    if (modulus(A.diagonal(r)) >= alpha * next.size) return {1, r, 0};  // case (2)
    if (found.size == next.size) return {2, i, r};                      // case (3)
    i = r;
    found = next;
  }
}

template <class R, class Matrix>
Pivot choose_pivot(Pivoting pivoting, Matrix& A, Index k, const R& alpha) {
  switch (pivoting) {
    case Pivoting::partial:
      return choose_partial(A, k, alpha);
    case Pivoting::rook:
      return choose_rook(A, k, alpha);
    case Pivoting::complete:
      break;
  }
  return choose_complete(A, k, alpha);
}

}  // namespace pivotlab::ldlt_detail
