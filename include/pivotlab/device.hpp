// SPDX-License-Identifier: BSD-3-Clause
// The GPUs that this process can use.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pivotlab {

struct DeviceInfo {
  std::string name;                ///< "NVIDIA H200"
  std::string compute_capability;  ///< "9.0"
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  std::string driver;   ///< newest CUDA version that the driver supports, "13.0"
  std::string runtime;  ///< CUDA version of the runtime library in this program, "13.0"
  std::string bus_id;   ///< PCI address, "0000:1B:00.0", which identifies the device in other tools
};

/// Returns the GPUs that the CUDA runtime sees, in its order; empty without a GPU, without a driver and in a build
/// without CUDA. Initializes the driver in this process: children that are forked later cannot use the GPU.
std::vector<DeviceInfo> list_devices();

/// Returns an empty string if there is a device, otherwise one line "<reason>; <remedy>". Initializes the driver, as
/// list_devices() does.
std::string why_no_device();

/// Makes a GPU the current one of this host thread, and at its end the previous one again.
class DeviceScope {
 public:
  /// `device` is an index into list_devices(). Throws NotSupported if there is no such GPU.
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int previous_ = 0;
};

}  // namespace pivotlab
