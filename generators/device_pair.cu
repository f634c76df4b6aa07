// SPDX-License-Identifier: BSD-3-Clause
#include "generators/device_algebra.hpp"
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"

namespace pivotlab {

template <class T>
std::unique_ptr<DevicePairAlgebra<T>> make_device_pair_algebra() {
  if (!extended::cuda_available()) return nullptr;
  return std::make_unique<DeviceAlgebra<extended::CudaMachine, T>>();
}

template std::unique_ptr<DevicePairAlgebra<double>> make_device_pair_algebra();
template std::unique_ptr<DevicePairAlgebra<std::complex<double>>> make_device_pair_algebra();

}  // namespace pivotlab
