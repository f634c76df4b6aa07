// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/gsvd_kernels_on.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"

namespace pivotlab::benchmarks {

std::unique_ptr<KernelBench> make_cuda_kernel_bench(const device::SolverPlan& plan) {
  return make_kernel_bench<CudaExecutor>(plan);
}

}  // namespace pivotlab::benchmarks
