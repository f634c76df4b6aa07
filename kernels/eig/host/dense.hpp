// SPDX-License-Identifier: BSD-3-Clause
// Products and linear systems of whole matrices with split parts. Each column of a result is computed by one thread.
#pragma once

#include "kernels/eig/host/pairs.hpp"
#include "kernels/eig/host/split_product.hpp"
#include "kernels/numerics/dense.hpp"

namespace pivotlab::eig_detail {

/// Computes A·B for n × n matrices.
template <class R>
SplitComplex<R> product(const SplitComplex<R>& A, const SplitComplex<R>& B, int threads) {
  const Index n = A.rows();
  constexpr Index strip = 32;
  SplitComplex<R> C(n, n);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < n; first += strip) {
    const Index count = std::min(strip, n - first);
    Multiplier<R> M(n, count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < n; ++i) {
        const R x = B.re(first + j)[i], y = B.im(first + j)[i];
        M.re(i, j) = x, M.sum(i, j) = x + y, M.difference(i, j) = y - x;
      }
    Matrix<R> sum(n, n);
    multiply_right<R>({A.re(), A.im()}, M, sum, {C.re().block(0, first, n, count), C.im().block(0, first, n, count)});
  }
  return C;
}

template <class R>
SplitComplex<R> adjoint_of(const SplitComplex<R>& X) {
  SplitComplex<R> Y(X.cols(), X.rows());
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) Y.re(i)[j] = X.re(j)[i], Y.im(i)[j] = -X.im(j)[i];
  return Y;
}

template <class R>
SplitComplex<R> conjugate_of(SplitComplex<R> X) {
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) X.im(j)[i] = -X.im(j)[i];
  return X;
}

/// Computes A·V − V·Λ.
template <class R>
SplitComplex<R> residuals(const SplitComplex<R>& A, const SplitComplex<R>& V,
                          const std::vector<std::complex<R>>& lambda, int threads) {
  SplitComplex<R> result = product(A, V, threads);
  for (Index j = 0; j < A.cols(); ++j) {
    const R re = lambda[j].real(), im = lambda[j].imag();
    for (Index i = 0; i < A.rows(); ++i) {
      const R x = V.re(j)[i], y = V.im(j)[i];
      result.re(j)[i] -= re * x - im * y;
      result.im(j)[i] -= re * y + im * x;
    }
  }
  return result;
}

/// Copies the leading rows of some columns to a matrix with complex elements.
template <class R>
Matrix<std::complex<R>> joined(const SplitComplex<R>& A, Index rows, Index first, Index count) {
  Matrix<std::complex<R>> x(rows, count);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < rows; ++i) x(i, j) = std::complex<R>(A.re(first + j)[i], A.im(first + j)[i]);
  return x;
}

/// Splits a matrix, the inverse of joined() for all rows and columns.
template <class R>
SplitComplex<R> split(const Matrix<std::complex<R>>& A) {
  SplitComplex<R> x(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) x.re(j)[i] = A(i, j).real(), x.im(j)[i] = A(i, j).imag();
  return x;
}

/// Factors A = L·U with partial pivoting, n × n.
template <class R>
class SplitLU {
 public:
  SplitLU(const SplitComplex<R>& A, int threads) : n_(A.cols()), threads_(threads), lu_(joined(A, n_, 0, n_)) {}

  /// Computes A⁻¹·B; the result is meaningless if A is singular.
  SplitComplex<R> solve(const SplitComplex<R>& B) const {
    SplitComplex<R> X(n_, n_);
    constexpr Index strip = 32;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index first = 0; first < n_; first += strip) {
      const Index count = std::min(strip, n_ - first);
      Matrix<std::complex<R>> x = joined(B, n_, first, count);
      lu_.solve(x);
      for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < n_; ++i) X.re(first + j)[i] = x(i, j).real(), X.im(first + j)[i] = x(i, j).imag();
    }
    return X;
  }

 private:
  Index n_;
  int threads_;
  PartialLU<std::complex<R>> lu_;
};

}  // namespace pivotlab::eig_detail
