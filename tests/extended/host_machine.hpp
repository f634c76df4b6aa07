// The machine of kernels/extended on the host: kernels by emulation, products by plain loops.
#pragma once

#include <experiments/metrics/householder.hpp>
#include <kernels/exec/host_executor.hpp>
#include <kernels/extended/machine.hpp>

namespace pivotlab::testing {

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
  void qr(MatrixView<T> A, T* diagonal) const {
    const auto qr = experiments::householder_qr(Matrix<T>(A), 1);
    const Matrix<T> Q = experiments::unitary_factor(qr, 1);
    for (Index j = 0; j < A.cols; ++j) std::ranges::copy(Q.col(j), A.col(j).begin());
    std::ranges::copy(qr.diagonal, diagonal);
  }
};

using HostMachine = extended::Machine<ShuffledExecutor, HostLibrary>;

}  // namespace pivotlab::testing
