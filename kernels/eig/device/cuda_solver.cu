#include "kernels/eig/device/solver.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"

namespace pivotlab::eig_device {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan& plan) {
  return make_solver<CudaExecutor>(plan);
}

}  // namespace pivotlab::eig_device
