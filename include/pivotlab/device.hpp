// The GPUs that this process can compute on.
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
  std::string driver;   ///< newest CUDA version that the driver serves, "13.0"
  std::string runtime;  ///< CUDA version of the runtime library in this program, "13.0"
  std::string bus_id;   ///< PCI address, "0000:1B:00.0", by which other tools know the device
};

/// The GPUs that the CUDA runtime sees, in its order; empty without one, without a driver and in a build without CUDA.
/// Initializes the driver in this process: children that are forked later cannot use the GPU.
std::vector<DeviceInfo> list_devices();

/// Empty if there is a device; else one line "<why there is none>; <remedy>". Initializes the driver likewise.
std::string why_no_device();

}  // namespace pivotlab
