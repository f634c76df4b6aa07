// The machine of kernels/extended on the host: kernels by emulation, products by plain loops.
#pragma once

#include <kernels/exec/host_executor.hpp>
#include <kernels/extended/machine.hpp>

namespace pivotlab::testing {

/// Threads run in a random order between barriers, so that a missing one shows.
struct ShuffledExecutor : HostExecutor {
  ShuffledExecutor() : HostExecutor(LaneOrder::shuffled, 1) {}
};

struct HostGemm {
  explicit HostGemm(ShuffledExecutor&) {}
  void operator()(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
                  MatrixView<double> C) const {
    const Index inner = transpose_a ? A.rows : A.cols;
    for (Index j = 0; j < C.cols; ++j)
      for (Index i = 0; i < C.rows; ++i) {
        double sum = 0;
        for (Index k = 0; k < inner; ++k) sum += (transpose_a ? A(k, i) : A(i, k)) * (transpose_b ? B(j, k) : B(k, j));
        C(i, j) = sum;
      }
  }
};

using HostMachine = extended::Machine<ShuffledExecutor, HostGemm>;

}  // namespace pivotlab::testing
