// SPDX-License-Identifier: BSD-3-Clause
// The exact inertia of matrices of doubles, by rational arithmetic. For small orders.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <pivotlab/ldlt.hpp>

#include <utility>
#include <vector>

namespace pivotlab::test {

using Rational = boost::multiprecision::cpp_rational;

/// Returns the inertia of a symmetric matrix. It takes 1×1 pivots while there is a nonzero diagonal element, else 2×2
/// pivots, whose eigenvalues have both signs.
inline Inertia exact_inertia(Matrix<double> rounded) {
  const Index n = rounded.rows();
  std::vector<std::vector<Rational>> A(static_cast<std::size_t>(n), std::vector<Rational>(static_cast<std::size_t>(n)));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) A[i][j] = Rational(rounded(i, j));
  Inertia inertia{0, 0, n};
  const auto exchange = [&](Index p, Index q) {
    std::swap(A[p], A[q]);
    for (auto& row : A) std::swap(row[p], row[q]);
  };
  const auto eliminate_1x1 = [&](Index k) {
    for (Index i = k + 1; i < n; ++i) {
      const Rational m = A[i][k] / A[k][k];
      if (m != 0)
        for (Index j = k + 1; j < n; ++j) A[i][j] -= m * A[k][j];
    }
  };
  /// The pivot is [0, b; b, 0].
  const auto eliminate_2x2 = [&](Index k) {
    for (Index i = k + 2; i < n; ++i) {
      const Rational first = A[i][k + 1] / A[k][k + 1], second = A[i][k] / A[k][k + 1];
      for (Index j = k + 2; j < n; ++j) A[i][j] -= first * A[k][j] + second * A[k + 1][j];
    }
  };
  for (Index k = 0; k < n;) {
    Index p = k;
    while (p < n && A[p][p] == 0) ++p;
    if (p < n) {
      exchange(k, p);
      ++(A[k][k] > 0 ? inertia.positive : inertia.negative);
      --inertia.zero;
      eliminate_1x1(k++);
      continue;
    }
    Index row = n, col = n;
    for (Index j = k; j < n; ++j)
      for (Index i = j + 1; i < n; ++i)
        if (A[i][j] != 0) row = i, col = j;
    if (row == n) break;
    exchange(k, col);
    exchange(k + 1, row);
    ++inertia.positive;
    ++inertia.negative;
    inertia.zero -= 2;
    eliminate_2x2(k);
    k += 2;
  }
  return inertia;
}

/// A Hermitian A + iB has each eigenvalue of the symmetric [A, −B; B, A] once, which has it twice.
inline Inertia exact_inertia(const Matrix<std::complex<double>>& A) {
  const Index n = A.rows();
  Matrix<double> parts(2 * n, 2 * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      parts(i, j) = parts(n + i, n + j) = A(i, j).real();
      parts(n + i, j) = A(i, j).imag();
      parts(i, n + j) = -A(i, j).imag();
    }
  const Inertia twice = exact_inertia(std::move(parts));
  return {twice.positive / 2, twice.negative / 2, twice.zero / 2};
}

}  // namespace pivotlab::test
