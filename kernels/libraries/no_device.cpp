// SPDX-License-Identifier: BSD-3-Clause
// Replacement in a build without CUDA: there are no devices and no libraries.
#include <kernels/libraries/libraries.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {

std::vector<DeviceInfo> list_devices() {
  return {};
}

std::string why_no_device() {
  return "this build has no CUDA; install the CUDA toolkit, configure with -DPIVOTLAB_CUDA=ON and build again";
}

DeviceScope::DeviceScope(int) {
  throw NotSupported(why_no_device());
}
DeviceScope::~DeviceScope() = default;

std::vector<cuda::LibraryFound> cuda::find_libraries() {
  return {};
}

}  // namespace pivotlab
