// SPDX-License-Identifier: BSD-3-Clause
// The routines of BLAS and LAPACK that the tangent path calls (shared/run.hpp says what each does). A call can be ended
// before each of them, and not within.
#pragma once

#include "kernels/gsvd/tangent/shared/outcome.hpp"
#include "kernels/gsvd/tangent/shared/products.hpp"
#include "kernels/libraries/lapack.hpp"

#include <pivotlab/interrupt.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace pivotlab::tangent {

class LapackLibrary : public Products<LapackLibrary> {
 public:
  /// LAPACKE takes its work space itself.
  template <class T>
  std::size_t work_elements(const Shape&) const {
    return 0;
  }
  template <class T>
  void set_work(T*, Index, const Shape&) const {}
  template <class T>
  Index reflector_elements(Index n) const {
    return n;
  }

  template <class T>
  void qr(MatrixView<T> A, T* tau) const {
    throw_if_interrupted();
    lapack::geqrf(A, tau);
  }
  /// Returns the original place of each column.
  template <class T>
  std::vector<int> qr_pivoted(MatrixView<T> A, T* tau) const {
    throw_if_interrupted();
    std::vector<lapack_int> places(A.cols);
    lapack::geqp3(A, places.data(), tau);
    std::vector<int> order;
    for (const lapack_int place : places) order.push_back(static_cast<int>(place) - 1);
    return order;
  }
  template <class T>
  void apply_q(MatrixView<const T> A, const T* tau, MatrixView<T> C) const {
    throw_if_interrupted();
    lapack::unmqr(false, A, tau, C);
  }
  template <class T>
  void gram(MatrixView<const T> A, MatrixView<T> C) const {
    throw_if_interrupted();
    lapack::gram(Triangle::lower, A, C);
  }
  template <class T>
  void eigenvectors(MatrixView<T> C, double* lambda) const {
    throw_if_interrupted();
    if (lapack::heevd(Triangle::lower, C, lambda) > 0)
      throw std::runtime_error(std::string(pick<T>("dsyevd", "zheevd")) + ": did not converge");
  }
  template <class T>
  bool cholesky(MatrixView<T> C) const {
    throw_if_interrupted();
    return lapack::potrf(C) == 0;
  }

  template <class T>
  void gemm(Op op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) const {
    throw_if_interrupted();
    lapack::gemm(op, alpha, A, B, beta, C);
  }
  template <class S>
  void multiply_roughly(MatrixView<const S> A, MatrixView<const S> B, MatrixView<S> C) const {
    throw_if_interrupted();
    lapack::multiply(A, B, C);
  }
  template <class T>
  void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) const {
    throw_if_interrupted();
    lapack::trsm(side, triangle, op, R, X);
  }
  template <class T>
  void trmm(Side side, Triangle triangle, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    throw_if_interrupted();
    lapack::trmm(side, triangle, M, X, Y);
  }
};

}  // namespace pivotlab::tangent
