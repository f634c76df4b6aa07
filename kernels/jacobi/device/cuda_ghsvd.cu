// SPDX-License-Identifier: BSD-3-Clause
// The operations of the generalized hyperbolic SVD on a GPU, by kernels, cuBLAS and cuSOLVER.
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/gsvd/tangent/device/cuda_library.hpp"
#include "kernels/jacobi/device/ghsvd_machine.hpp"

#include <complex>
#include <optional>

namespace pivotlab::jacobi {

template <class T>
std::unique_ptr<GhsvdDevice<T>> make_cuda_ghsvd(const Shape& shape, CallerStream stream) {
  const auto make_library = [](const CudaExecutor& executor) { return tangent::CudaLibrary(executor.stream()); };
  return std::make_unique<GhsvdMachine<T, CudaExecutor, tangent::CudaLibrary>>(shape, make_library,
                                                                               std::optional(stream));
}

template std::unique_ptr<GhsvdDevice<double>> make_cuda_ghsvd(const Shape&, CallerStream);
template std::unique_ptr<GhsvdDevice<std::complex<double>>> make_cuda_ghsvd(const Shape&, CallerStream);

}  // namespace pivotlab::jacobi
