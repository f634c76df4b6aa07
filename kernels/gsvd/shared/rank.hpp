// SPDX-License-Identifier: BSD-3-Clause
// The error message for a G without full column rank: its rank, and a remedy.
#pragma once

#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/householder.hpp"
#include "kernels/numerics/lu_complete.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace pivotlab {

/// The largest number of columns for which the message contains the rank; computing it takes a few seconds on one core.
inline constexpr Index rank_order_limit = 2048;

namespace detail {

/// Divides each column by the power of two nearest to its largest real or imaginary part.
template <class T>
void equilibrate_columns(Matrix<T>& A) {
  using R = RealOf<T>;
  for (Index j = 0; j < A.cols(); ++j) {
    R most(0);
    for (const T& x : A.col(j)) {
      most = std::max(most, R(pivot_size(real_part(x))));
      if constexpr (is_complex<T>) most = std::max(most, R(pivot_size(x.imag())));
    }
    if (most == R(0)) continue;
    for (T& x : A.col(j)) x = times_power_of_two(x, -exponent_of(most));
  }
}

}  // namespace detail

/// Returns the number of columns of A (m × n, m ≥ n, finite) that are independent beyond rounding. Columns and rows of
/// A are scaled by powers of two, A = Q·R, R = L·U with complete pivoting; pivots up to max(m, n)·ε times the largest
/// one count as zero. Takes O(m·n²) operations.
template <class T>
Index numerical_rank(MatrixView<const T> view, int threads) {
  using R = RealOf<T>;
  Matrix<T> A(view);
  detail::equilibrate_columns(A);
  Matrix<T> rows = matrix_of(transpose(A));
  detail::equilibrate_columns(rows);
  const auto lu = lu_complete(upper_factor(householder_qr(matrix_of(transpose(rows)), threads)), threads);
  const R zero = noise_level<R>(view.rows, view.cols);
  Index rank = 0;
  while (rank < lu.rank && detail::pivot_size(lu.LU(rank, rank)) > zero * detail::pivot_size(lu.LU(0, 0))) ++rank;
  return rank;
}

/// Returns the message for a G of n columns, with its rank if known, and with the advice to swap F and G if F has full
/// rank.
inline std::string describe_deficiency(Index n, std::optional<Index> rank = {}, bool f_has_full_rank = false) {
  return "matrix G: it is numerically not of full column rank" +
         (rank ? " (" + std::to_string(*rank) + " of " + std::to_string(n) + ")" : "") +
         "; append rows that make its columns independent" + (f_has_full_rank ? ", or swap F and G" : "");
}

/// Returns the message for a whole pair whose G has been found deficient; computes the ranks of F and G.
template <class T>
std::string describe_deficiency(MatrixView<const T> F, MatrixView<const T> G, int threads) {
  const Index n = G.cols;
  if (n > rank_order_limit) return describe_deficiency(n);
  const Index rank = numerical_rank(G, threads);
  return describe_deficiency(n, rank < n ? std::optional(rank) : std::nullopt, numerical_rank(F, threads) == n);
}

}  // namespace pivotlab
