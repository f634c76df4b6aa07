// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/extended/cuda_available.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/verification/device/ldlt_exact_measure.hpp"

namespace pivotlab::experiments {

template <class T>
std::unique_ptr<LdltDeviceJudge<T>> make_ldlt_device_judge() {
  if (!extended::cuda_available()) return nullptr;
  return std::make_unique<LdltDeviceMeasure<extended::CudaMachine, T>>();
}

template <class T>
std::unique_ptr<LdltProvedJudge<T>> make_ldlt_proved_judge() {
  if (!extended::cuda_available()) return nullptr;
  return std::make_unique<LdltExactMeasure<extended::CudaMachine, exact::CublasIntegers, T>>();
}

template std::unique_ptr<LdltDeviceJudge<double>> make_ldlt_device_judge();
template std::unique_ptr<LdltDeviceJudge<std::complex<double>>> make_ldlt_device_judge();
template std::unique_ptr<LdltProvedJudge<double>> make_ldlt_proved_judge();
template std::unique_ptr<LdltProvedJudge<std::complex<double>>> make_ldlt_proved_judge();

}  // namespace pivotlab::experiments
