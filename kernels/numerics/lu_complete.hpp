// SPDX-License-Identifier: BSD-3-Clause
// LU factorization with complete pivoting, P·A·Q = L·U, and the inverse, for any scalar (Quad, DoubleDouble, complex
// ones).
//
// This is the most accurate direct method, used for verification: its residual ‖A − PᵀLUQᵀ‖ is a few n·u·‖A‖ for any
// condition. Like LAPACK's xGETC2, it uses rank-1 updates by columns; loops over DoubleDouble are vectorized. The order
// of operations does not depend on the threads, so neither do the bits.
#pragma once

#include <array>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/pivot_size.hpp>
#include <kernels/numerics/threads.hpp>
#include <numeric>
#include <pivotlab/interrupt.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pivotlab {

template <class T>
struct CompletePivotingLU {
  Matrix<T> LU;             ///< n × n: unit lower triangular L below the diagonal, U on it and above
  std::vector<Index> rows;  ///< row i of P·A is row rows[i] of A
  std::vector<Index> cols;  ///< column j of A·Q is column cols[j] of A
  Index rank = 0;           ///< steps before only zeros remained; n if A is nonsingular
};

namespace detail {

template <class T>
using PivotSize = decltype(pivot_size(T()));

/// Subtracts a·x from y.
template <class T>
void subtract_multiple(T* __restrict y, const T* __restrict x, const T a, Index n) {
  for (Index i = 0; i < n; ++i) y[i] -= a * x[i];
}

template <class T>
PivotSize<T> largest(const T* x, Index n) {
  using R = PivotSize<T>;
  constexpr Index lanes = 8;  // independent maxima, because the compiler does not reassociate a maximum of doubles
  std::array<R, lanes> m{};
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Index l = 0; l < lanes; ++l) {
      const R size = pivot_size(x[i + l]);
      m[l] = size > m[l] ? size : m[l];
    }
  for (; i < n; ++i) m[0] = std::max(m[0], pivot_size(x[i]));
  return *std::max_element(m.begin(), m.end());
}

/// Computes b := (L·U)⁻¹·b for a few columns at a time, which stay in cache while L and U stream by.
template <class T>
void substitute(MatrixView<const T> LU, MatrixView<T> b) {
  const Index n = LU.rows;
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < b.cols; ++j)
      if (b(k, j) != T(0)) subtract_multiple(&b(k, j) + 1, &LU(k, k) + 1, T(b(k, j)), n - k - 1);
  for (Index k = n - 1; k >= 0; --k)
    for (Index j = 0; j < b.cols; ++j) {
      b(k, j) /= LU(k, k);
      if (b(k, j) != T(0)) subtract_multiple(&b(0, j), &LU(0, k), T(b(k, j)), k);
    }
}

}  // namespace detail

/// Factors a square A. Among equal pivots the one in the lowest column, then in the lowest row, is chosen.
template <class T>
CompletePivotingLU<T> lu_complete(Matrix<T> A, int threads = 0) {
  const Index n = A.rows();
  if (A.cols() != n) throw std::invalid_argument("lu_complete: the matrix is not square");
  CompletePivotingLU<T> lu{std::move(A), std::vector<Index>(n), std::vector<Index>(n), 0};
  Matrix<T>& a = lu.LU;
  std::iota(lu.rows.begin(), lu.rows.end(), Index(0));
  std::iota(lu.cols.begin(), lu.cols.end(), Index(0));
  std::vector<detail::PivotSize<T>> column_max(n);
  Index row = 0;  // of the pivot
  bool done = false;
  ParallelInterrupt interrupt;
  const int team = n < 512 ? 1 : thread_count(threads);  // below 512 the barriers of a step cost more than its work

#pragma omp parallel num_threads(team)
  {
#pragma omp for schedule(static)
    for (Index j = 0; j < n; ++j) column_max[j] = detail::largest(a.col(j).data(), n);

    for (Index k = 0; k < n; ++k) {
#pragma omp master
      if (interrupt.seen()) {
        done = true;
      } else {
        const Index col = std::max_element(column_max.begin() + k, column_max.end()) - column_max.begin();
        if (column_max[col] > 0) {
          row = k;
          while (row + 1 < n && detail::pivot_size(a(row, col)) != column_max[col]) ++row;
          if (col != k) std::swap_ranges(a.col(k).begin(), a.col(k).end(), a.col(col).begin());
          std::swap(column_max[k], column_max[col]);
          std::swap(lu.cols[k], lu.cols[col]);
          std::swap(lu.rows[k], lu.rows[row]);
          std::swap(a(k, k), a(row, k));
          for (Index i = k + 1; i < n; ++i) a(i, k) /= a(k, k);
          lu.rank = k + 1;
        } else {
          done = true;
        }
      }
#pragma omp barrier
      if (done) break;
#pragma omp for schedule(static)
      for (Index j = 0; j < n; ++j) {
        if (j == k) continue;
        std::swap(a(k, j), a(row, j));
        if (j < k) continue;
        detail::subtract_multiple(&a(k, j) + 1, &a(k, k) + 1, T(a(k, j)), n - k - 1);
        column_max[j] = detail::largest(&a(k, j) + 1, n - k - 1);
      }
    }
  }
  interrupt.throw_if_seen();
  return lu;
}

/// Computes A⁻¹·B. Throws std::domain_error if A is singular.
template <class T>
Matrix<T> solve(const CompletePivotingLU<T>& lu, MatrixView<const T> B, int threads = 0) {
  const Index n = lu.LU.rows();
  if (lu.rank < n) throw std::domain_error("solve: the matrix is singular");
  constexpr Index panel = 8;
  Matrix<T> X(n, B.cols);
  ParallelInterrupt interrupt;
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic)
  for (Index first = 0; first < B.cols; first += panel) {
    if (interrupt.seen()) continue;
    const Index count = std::min(panel, B.cols - first);
    Matrix<T> b(n, count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < n; ++i) b(i, j) = B(lu.rows[i], first + j);
    detail::substitute(lu.LU.view(), b.view());
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < n; ++i) X(lu.cols[i], first + j) = b(i, j);
  }
  interrupt.throw_if_seen();
  return X;
}

/// Computes A⁻¹. Throws std::domain_error if A is singular.
template <class T>
Matrix<T> inverse(const CompletePivotingLU<T>& lu, int threads = 0) {
  const Matrix<T> I = Matrix<T>::identity(lu.LU.rows());
  return solve(lu, I.view(), threads);
}

}  // namespace pivotlab
