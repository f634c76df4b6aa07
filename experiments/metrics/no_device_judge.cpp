#include <complex>
#include <experiments/metrics/device_judge.hpp>

namespace pivotlab::experiments {

template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge() {
  return nullptr;
}

template std::unique_ptr<DeviceJudge<double>> make_device_judge();
template std::unique_ptr<DeviceJudge<std::complex<double>>> make_device_judge();

}  // namespace pivotlab::experiments
