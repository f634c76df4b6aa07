// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices with the same bits for any number of threads, and operations on all elements.
#pragma once

#include "kernels/numerics/dense.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::jacobi {

/// Computes A·B, or A*·B. Columns of the result are divided among threads in a fixed way.
template <class T>
Matrix<T> product(bool adjoint, const Matrix<T>& A, const Matrix<T>& B, int threads) {
  constexpr Index block = 64;
  Matrix<T> C(adjoint ? A.cols() : A.rows(), B.cols());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < B.cols(); first += block) {
    const Index count = std::min(block, B.cols() - first);
    multiply(C.view().cols_range(first, count), {A, adjoint ? Op::adjoint : Op::none},
             B.view().cols_range(first, count));
  }
  return C;
}

template <class T>
void scale_rows(Matrix<T>& A, const std::vector<int>& signs) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (signs[i] < 0) A(i, j) = -A(i, j);
}

/// Computes A := A − B/2.
template <class T>
void subtract_half(Matrix<T>& A, const Matrix<T>& B) {
  for (Index i = 0; i < A.size(); ++i) A.data()[i] -= B.data()[i] * RealOf<T>(0.5);
}

/// Returns ‖A‖_F.
template <class T>
RealOf<T> frobenius_norm(const Matrix<T>& A) {
  RealOf<T> squares(0);
  for (Index i = 0; i < A.size(); ++i) squares += squared_magnitude(A.data()[i]);
  return square_root(squares);
}

/// Returns |A|, element by element.
template <class T>
Matrix<RealOf<T>> moduli(const Matrix<T>& A) {
  Matrix<RealOf<T>> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = modulus(A.data()[i]);
  return result;
}

}  // namespace pivotlab::jacobi
