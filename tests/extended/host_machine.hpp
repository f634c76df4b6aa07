// SPDX-License-Identifier: BSD-3-Clause
// The machine of kernels/extended on the host: kernels by emulation, products by plain loops.
#pragma once

#include <kernels/exec/host_executor.hpp>
#include <kernels/extended/machine.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>

namespace pivotlab::test {

/// Threads run in a random order between barriers, so that a missing one shows.
struct ShuffledExecutor : HostExecutor {
  ShuffledExecutor() : HostExecutor(LaneOrder::shuffled, 1) {}
};

struct HostLibrary {
  explicit HostLibrary(ShuffledExecutor&) {}

  template <class T>
  void gemm(bool transpose_a, MatrixView<const T> A, bool transpose_b, MatrixView<const T> B, MatrixView<T> C) const {
    const Index inner = transpose_a ? A.rows : A.cols;
    for (Index j = 0; j < C.cols; ++j)
      for (Index i = 0; i < C.rows; ++i) {
        T sum = 0;
        for (Index k = 0; k < inner; ++k) sum += (transpose_a ? A(k, i) : A(i, k)) * (transpose_b ? B(j, k) : B(k, j));
        C(i, j) = sum;
      }
  }

  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    for (Index j = 0; j < C.cols; ++j)
      for (Index k = 0; k < A.cols; ++k)
        for (Index i = 0; i < C.rows; ++i) C(i, j) -= A(i, k) * B(k, j);
  }

  void multiply_roughly(MatrixView<const float> A, MatrixView<const float> B, MatrixView<float> C) const {
    gemm(false, A, false, B, C);
  }

  template <class T>
  void qr(MatrixView<T> A, MatrixView<T> R) const {
    const auto qr = householder_qr(Matrix<T>(A), 1);
    const Matrix<T> Q = unitary_factor(qr, 1);
    for (Index j = 0; j < A.cols; ++j) {
      std::ranges::copy(Q.col(j), A.col(j).begin());
      std::ranges::copy(qr.reflectors.col(j).first(static_cast<std::size_t>(R.rows)), R.col(j).begin());
      R(j, j) = qr.diagonal[j];
    }
  }

  template <class T>
  void solve_upper(MatrixView<const T> R, MatrixView<T> B) const {
    for (Index j = 0; j < B.cols; ++j)
      for (Index i = 0; i < B.rows; ++i) {
        for (Index k = 0; k < j; ++k) B(i, j) -= B(i, k) * R(k, j);
        B(i, j) /= R(j, j);
      }
  }

  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B) const {
    const auto lu = lu_complete(Matrix<T>(A), 1);
    const bool singular = lu.rank < A.rows;
    const Matrix<T> X = singular ? Matrix<T>(B) : pivotlab::solve(lu, MatrixView<const T>(B), 1);
    for (Index j = 0; j < B.cols; ++j)
      for (Index i = 0; i < B.rows; ++i) B(i, j) = singular ? std::numeric_limits<double>::quiet_NaN() : X(i, j);
  }
};

using HostMachine = extended::Machine<ShuffledExecutor, HostLibrary>;

}  // namespace pivotlab::test
