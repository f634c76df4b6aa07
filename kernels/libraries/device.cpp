// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

#include <array>

namespace pivotlab {
namespace {

int count_devices(cudaError_t& status) {
  int count = 0;
  status = cudaGetDeviceCount(&count);
  cudaGetLastError();  // clears the error
  if (status == cudaSuccess && count == 0) status = cudaErrorNoDevice;
  return status == cudaSuccess ? count : 0;
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Explains common error codes.
std::string explain(cudaError_t status) {
  switch (status) {
    case cudaErrorInsufficientDriver:
      return "the NVIDIA driver is absent or older than CUDA " + version_text(CUDART_VERSION) +
             "; install a current one and check nvidia-smi";
    case cudaErrorNoDevice:
      return "the driver sees no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES, or give the container its GPU "
             "(--gpus all)";
    case cudaErrorDevicesUnavailable:
      return "every GPU is in use or in exclusive mode; end the other programs";
    case cudaErrorSystemDriverMismatch:
      return "the driver's library and its kernel module have different versions; reload the module, or reboot";
    case cudaErrorCompatNotSupportedOnDevice:
      return "this GPU does not support the forward-compatibility package; remove cuda-compat from LD_LIBRARY_PATH";
    default:
      return fmt::format("{}; check nvidia-smi", cudaGetErrorString(status));
  }
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  cudaError_t status;
  const int count = count_devices(status);
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::vector<DeviceInfo> devices;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    std::array<char, 32> bus_id{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) continue;
    cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device);
    devices.push_back({.name = properties.name,
                       .compute_capability = fmt::format("{}.{}", properties.major, properties.minor),
                       .multiprocessors = properties.multiProcessorCount,
                       .memory_bytes = properties.totalGlobalMem,
                       .driver = version_text(driver),
                       .runtime = version_text(runtime),
                       .bus_id = bus_id.data()});
  }
  return devices;
}

std::string why_no_device() {
  cudaError_t status;
  count_devices(status);
  return status == cudaSuccess ? "" : fmt::format("no GPU (code {}): {}", static_cast<int>(status), explain(status));
}

DeviceScope::DeviceScope(int device) {
  if (cudaGetDevice(&previous_) == cudaSuccess && cudaSetDevice(device) == cudaSuccess) return;
  cudaGetLastError();  // clears the error
  const std::string why = why_no_device();
  throw NotSupported(why.empty() ? fmt::format("there is no GPU {}; check CUDA_VISIBLE_DEVICES", device) : why);
}
DeviceScope::~DeviceScope() {
  cudaSetDevice(previous_);
}

}  // namespace pivotlab
