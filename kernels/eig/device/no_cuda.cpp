// A build without CUDA.
#include "kernels/eig/device/device_batch.hpp"
#include "kernels/eig/device/device_solver.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::eig_device {
namespace {

[[noreturn]] void refuse() {
  throw NotSupported(
      "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}

}  // namespace

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan&, void*, const std::optional<CallerStream>&) {
  refuse();
}
BatchOutput decompose_batch_on_cuda(const BatchPlan&, const double*) {
  refuse();
}

}  // namespace pivotlab::eig_device
