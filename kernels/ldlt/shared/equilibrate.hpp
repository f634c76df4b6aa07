// SPDX-License-Identifier: BSD-3-Clause
// Symmetric equilibration by powers of two: A becomes S·A·S with S = diag(2^s), a congruence, which keeps the inertia.
//
//   while a row's largest exponent is beyond ±4:  s_i −= ½·log₂ max_j |2^(s_i+s_j)·a_ij|     (Ruiz, ∞-norm)
//   ten times, or until all are near 1:           s_i −= ½·log₂ ‖2^(s_i+s_j)·a_ij over j‖₂   (the same in the 2-norm)
//
// Source: D. Ruiz, RAL-TR-2001-034; P. A. Knight, D. Ruiz, B. Uçar, SIAM J. Matrix Anal. Appl. 35 (2014). Only
// exponents of elements are used and all sums are sums of integers, so that bits do not depend on threads.
// docs/reference/inertia.md compares with Bunch's equilibration and LAPACK's xSYEQUB.
#pragma once

#include "kernels/ldlt/shared/equilibrating_rules.hpp"
#include "kernels/ldlt/shared/input.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <pivotlab/packed_triangle.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// norm(which, logarithms) returns log₂ of the selected norm of every row of S·A·S, S being given by its logarithms; 0
/// for a zero row.
using RowNorms = std::function<std::vector<int>(RowNorm, const std::vector<int>& logarithms)>;

/// Computes the exponents s for a matrix that is given by the norms of its rows.
std::vector<int> equilibrating_exponents(Index order, const RowNorms& norms);

/// Returns the logarithms of the norms of rows of which a rule has gathered the elements; 0 for a zero row.
template <class Rule>
std::vector<int> norms_of_gathered(const std::vector<std::int64_t>& gathered) {
  std::vector<int> norms(gathered.size());
  std::ranges::transform(gathered, norms.begin(), [](std::int64_t of_row) {
    return of_row == Rule::none ? 0 : static_cast<int>(Rule::log2_of(of_row));
  });
  return norms;
}

/// Applies a rule to every row of S·A·S, given by the triangle A.
template <class Rule, class T, class Storage>
std::vector<int> row_norms(const Storage& A, const std::vector<int>& logarithms, int threads) {
  const Index n = A.order();
  std::vector<std::int64_t> gathered(logarithms.size(), Rule::none);
#pragma omp parallel num_threads(threads_for(n, threads))
  {
    std::vector<std::int64_t> own(logarithms.size(), Rule::none);
    const auto add = [&](const T& x, Index i, Index j) {
      if (x == T(0)) return;
      const std::int64_t log2 = of_scaled_element<Rule>(x, logarithms[i], logarithms[j]);
      own[i] = Rule::joined(own[i], log2);
      if (i != j) own[j] = Rule::joined(own[j], log2);
    };
#pragma omp for schedule(dynamic, 16)
    for (Index j = 0; j < n; ++j) {
      add(A.diagonal(j), j, j);
      const T* column = A.column(j);
      for (Index i = j + 1; i < n; ++i) add(column[i], i, j);
    }
#pragma omp critical(pivotlab_row_norms)
    std::ranges::transform(gathered, own, gathered.begin(), Rule::joined);
  }
  return norms_of_gathered<Rule>(gathered);
}

/// Computes the exponents s that equilibrate a triangle: a PackedTriangle<T>, or a FullTriangle<T> of a dense matrix.
template <class T, class Storage>
std::vector<int> equilibrating_exponents(const Storage& A, int threads = 0) {
  return equilibrating_exponents(A.order(), [&](RowNorm norm, const std::vector<int>& logarithms) {
    return norm == RowNorm::largest ? row_norms<LargestOfRow, T>(A, logarithms, threads)
                                    : row_norms<SquaresOfRow, T>(A, logarithms, threads);
  });
}

/// Returns a bound on ‖E‖₂ for a Hermitian or symmetric E in which `rounded` parts of elements on and below the
/// diagonal are nonzero, each the rounding error of an underflow.
template <class R>
R bound_of_underflow(Index rounded) {
  return R(2 * rounded) * std::numeric_limits<R>::denorm_min();  // ≥ ‖E‖_F
}

/// Replaces a triangle A by S·A·S, which is rounded where elements underflow. Returns a bound on the 2-norm of the
/// rounding errors.
template <class T, class Storage>
RealOf<T> scale_symmetrically(Storage& A, const std::vector<int>& exponents, int threads = 0) {
  const Index n = A.order();
  Index rounded = 0;
#pragma omp parallel for num_threads(threads_for(n, threads)) schedule(dynamic, 16) reduction(+ : rounded)
  for (Index j = 0; j < n; ++j) {
    A.diagonal(j) = scaled_exactly(A.diagonal(j), 2 * exponents[j], rounded);
    T* column = A.column(j);
    for (Index i = j + 1; i < n; ++i) column[i] = scaled_exactly(column[i], exponents[i] + exponents[j], rounded);
  }
  return bound_of_underflow<RealOf<T>>(rounded);
}

/// Scales a dense A or any part of it: row i by 2^exponents[i], column j by 2^exponents[j].
template <class T>
RealOf<T> scale_symmetrically(MatrixView<T> A, const std::vector<int>& exponents, int threads = 0) {
  Index rounded = 0;
#pragma omp parallel for num_threads(threads_for(A.rows, threads)) schedule(static) reduction(+ : rounded)
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) A(i, j) = scaled_exactly(A(i, j), exponents[i] + exponents[j], rounded);
  return bound_of_underflow<RealOf<T>>(rounded);
}

}  // namespace pivotlab::ldlt_detail
