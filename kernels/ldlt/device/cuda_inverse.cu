// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/ldlt/device/inverse_kernels.hpp"

#include <new>

namespace pivotlab::ldlt_device {

template <class T>
std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const T> M, const std::vector<double>& weights) {
  if (!extended::cuda_available()) return std::nullopt;
  try {
    return InverseSumsOnDevice<extended::CudaMachine, T>().of(M, weights);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}
template std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const double>, const std::vector<double>&);
template std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const std::complex<double>>,
                                                         const std::vector<double>&);

}  // namespace pivotlab::ldlt_device
