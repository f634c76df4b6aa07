// A build without CUDA.
#include "kernels/eig/device/device_solver.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::eig_device {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan&) {
  throw NotSupported(
      "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}

}  // namespace pivotlab::eig_device
