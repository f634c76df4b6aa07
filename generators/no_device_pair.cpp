// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <generators/device_pair.hpp>

namespace pivotlab {

template <class T>
std::unique_ptr<DevicePairAlgebra<T>> make_device_pair_algebra() {
  return nullptr;
}

template std::unique_ptr<DevicePairAlgebra<double>> make_device_pair_algebra();
template std::unique_ptr<DevicePairAlgebra<std::complex<double>>> make_device_pair_algebra();

}  // namespace pivotlab
