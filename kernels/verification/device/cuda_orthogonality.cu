// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/verification/device/orthogonality_measure.hpp"

namespace pivotlab::experiments {

template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>& U) {
  if (!extended::cuda_available()) return std::nullopt;
  extended::CudaMachine machine;
  return measure_orthogonality<extended::CudaMachine, exact::CublasIntegers>(machine, U);
}

template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<double>&);
template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<std::complex<double>>&);

}  // namespace pivotlab::experiments
