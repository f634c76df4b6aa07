// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/eig/device/batch_solver.hpp"
#include "kernels/eig/device/solver.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"

namespace pivotlab::eig_device {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan, void* workspace,
                                               const std::optional<CallerStream>& stream) {
  return make_solver<CudaExecutor>(plan, workspace, stream);
}

BatchOutput decompose_batch_on_cuda(const BatchPlan& plan, const double* A) {
  return BatchSolver<CudaExecutor>(plan)(A);
}

}  // namespace pivotlab::eig_device
