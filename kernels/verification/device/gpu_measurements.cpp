// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/verification/device/gsvd_judge.hpp>
#include <pivotlab/device.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <future>

namespace pivotlab::experiments {

template <class T>
std::optional<GsvdMeasurements> measure_on_gpus(const GivenSide<T>& f, const GivenSide<T>& g, const GivenZ<T>& Z,
                                                Index on_two_from) {
  const std::unique_ptr<DeviceJudge<T>> judge = make_device_judge<T>();
  if (!judge) return std::nullopt;
  const bool is_large = std::max(f.A.rows(), g.A.rows()) >= on_two_from;
  if (!is_large || list_devices().size() < 2) return judge->measure(f, g, Z);
  auto of_g = std::async(std::launch::async, [&] { return make_device_judge<T>(1)->measure(g, Z).f; });
  GsvdMeasurements measurements = judge->measure(f, Z);
  measurements.g = of_g.get();
  return measurements;
}

Index largest_order_on_gpus(bool complex) {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) return 0;
  // This counts eleven matrices of doubles (matrices in double-double count twice), six levels of a product, and a
  // fifth more for slices, exponents and workspaces.
  const double bytes_an_element = 1.2 * (complex ? 16 : 8) * (11 + 6);
  const auto least = std::ranges::min(devices, {}, &DeviceInfo::memory_bytes).memory_bytes;
  return static_cast<Index>(std::sqrt(static_cast<double>(least) / bytes_an_element));
}

template std::optional<GsvdMeasurements> measure_on_gpus(const GivenSide<double>&, const GivenSide<double>&,
                                                         const GivenZ<double>&, Index);
template std::optional<GsvdMeasurements> measure_on_gpus(const GivenSide<std::complex<double>>&,
                                                         const GivenSide<std::complex<double>>&,
                                                         const GivenZ<std::complex<double>>&, Index);

}  // namespace pivotlab::experiments
