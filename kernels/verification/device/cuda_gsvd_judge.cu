// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/verification/device/gsvd_measure.hpp"

namespace pivotlab::experiments {

template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge(int device) {
  if (!extended::cuda_available() || !cuda::Cusolver::available()) return nullptr;
  return std::make_unique<DeviceMeasure<extended::CudaMachine, exact::CublasIntegers, T>>(device);
}

template std::unique_ptr<DeviceJudge<double>> make_device_judge(int);
template std::unique_ptr<DeviceJudge<std::complex<double>>> make_device_judge(int);

}  // namespace pivotlab::experiments
