// A build without CUDA.
#include "kernels/jacobi/device/device_solver.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::jacobi {

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan&, void*) {
  throw NotSupported(
      "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}

}  // namespace pivotlab::jacobi
