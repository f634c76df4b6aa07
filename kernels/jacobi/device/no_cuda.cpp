// A build without CUDA.
#include "kernels/jacobi/device/eigh_device.hpp"
#include "kernels/jacobi/device/ghsvd_device.hpp"

#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::jacobi {
namespace {

NotSupported no_kernels() {
  return NotSupported(
      "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}

}  // namespace

std::unique_ptr<DeviceSolver> make_cuda_solver(const SolverPlan&, void*, const std::optional<CallerStream>&) {
  throw no_kernels();
}

template <class T>
std::unique_ptr<EighDevice<T>> make_cuda_eigh(std::int64_t, void*, const std::optional<CallerStream>&) {
  throw no_kernels();
}
template std::unique_ptr<EighDevice<double>> make_cuda_eigh(std::int64_t, void*, const std::optional<CallerStream>&);
template std::unique_ptr<EighDevice<std::complex<double>>> make_cuda_eigh(std::int64_t, void*,
                                                                          const std::optional<CallerStream>&);

template <class T>
std::unique_ptr<GhsvdDevice<T>> make_cuda_ghsvd(const Shape&, CallerStream) {
  throw no_kernels();
}
template std::unique_ptr<GhsvdDevice<double>> make_cuda_ghsvd(const Shape&, CallerStream);
template std::unique_ptr<GhsvdDevice<std::complex<double>>> make_cuda_ghsvd(const Shape&, CallerStream);

}  // namespace pivotlab::jacobi
