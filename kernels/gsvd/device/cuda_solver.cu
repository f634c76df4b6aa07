// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_product.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"
#include "kernels/gsvd/device/solver.hpp"

namespace pivotlab::device {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan) {
  return make_solver<CudaExecutor>(plan, plan.device);
}

}  // namespace pivotlab::device
