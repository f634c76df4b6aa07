// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"
#include "kernels/jacobi/device/solver.hpp"

namespace pivotlab::jacobi {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan, void* workspace,
                                               const std::optional<CallerStream>& stream) {
  return make_solver<CudaExecutor>(plan, workspace, stream);
}

}  // namespace pivotlab::jacobi
