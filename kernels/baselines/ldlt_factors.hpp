// SPDX-License-Identifier: BSD-3-Clause
// Conversion of the lower triangle of A after xSYTRF and similar routines to M, D and P.
#pragma once

#include <kernels/numerics/threads.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace pivotlab::baselines {

/// Converts factors of xSYTRF, xSYTRF_ROOK and xSPTRF: D is on the diagonal and, for 2×2 pivots, below it. The column
/// of M of a stage lacks the interchanges of later stages, which are applied here.
template <class T>
void split_block_diagonal(Matrix<T> factors, const std::vector<Index>& ipiv, LapackConvention convention,
                          LdltBaselineResult<T>& result) {
  const Index n = factors.rows();
  result.interchanges = from_lapack(ipiv, convention);
  result.permutation = permutation_of(result.interchanges);
  result.diagonal.resize(n);
  result.subdiagonal.assign(n, T(0));
  const auto is_pair = [&](Index k) { return k + 1 < n && result.interchanges[k + 1] < 0; };
  for (Index k = 0; k < n; ++k) {
    result.diagonal[k] = factors(k, k);
    if (is_pair(k)) result.subdiagonal[k] = std::exchange(factors(k + 1, k), T(0));
  }
#pragma omp parallel for num_threads(thread_count(0)) schedule(static)
  for (Index j = 0; j < n; ++j) {
    T* column = factors.col(j).data();
    std::fill_n(column, j, T(0));
    column[j] = T(1);
    for (Index k = j + (is_pair(j) ? 2 : 1); k < n; ++k)
      std::swap(column[k], column[std::abs(result.interchanges[k]) - 1]);
  }
  result.M = std::move(factors);
}

/// Converts factors of xSYTRF_AA (Aasen): D is tridiagonal on the diagonal and below it; column j + 1 of M is below
/// that in column j, with all interchanges. M begins with the first unit vector.
template <class T>
void split_tridiagonal(Matrix<T> factors, const std::vector<Index>& ipiv, LdltBaselineResult<T>& result) {
  const Index n = factors.rows();
  result.tridiagonal = true;
  result.permutation.resize(n);
  std::iota(result.permutation.begin(), result.permutation.end(), Index(0));
  for (Index k = 0; k < n; ++k) std::swap(result.permutation[k], result.permutation[ipiv[k] - 1]);
  for (Index k = 0; k < n; ++k) {
    result.diagonal.push_back(factors(k, k));
    result.subdiagonal.push_back(k + 1 < n ? factors(k + 1, k) : T(0));
  }
  for (Index j = n - 1; j >= 0; --j) {
    T* column = factors.col(j).data();
    std::fill_n(column, n, T(0));
    column[j] = T(1);
    if (j > 0) std::copy(factors.col(j - 1).data() + j + 1, factors.col(j - 1).data() + n, column + j + 1);
  }
  result.M = std::move(factors);
}

}  // namespace pivotlab::baselines
