// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "tests/two_stage/band.hpp"

namespace pivotlab::test {

ReducedBand reduced_band_on_cuda(const std::vector<double>& A, Index n) {
  CudaExecutor executor;
  return reduced_band<5>(executor, A, n);
}

}  // namespace pivotlab::test
