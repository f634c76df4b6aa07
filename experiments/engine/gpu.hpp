// The GPU as records tell of it, without CUDA in the process that forks workers.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <pivotlab/device.hpp>
#include <set>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// What list_devices() and why_no_device() say.
struct GpusFound {
  std::vector<DeviceInfo> devices;
  std::string why_none;
};

/// Asked once, by a short-lived child: CUDA does not survive a fork, so that a process whose workers use the GPU must
/// not initialize it.
const GpusFound& find_gpus();

/// Release of the NVIDIA driver, e.g. "580.65.06"; empty where NVML does not tell.
std::string driver_release();

/// The record section environment.gpu, without the states before and after.
nlohmann::json describe(const DeviceInfo& device);

/// Clocks, temperature, power and what throttles a GPU, from NVML; null where NVML is missing or does not tell.
class GpuWatch {
 public:
  explicit GpuWatch(const std::string& bus_id);
  GpuWatch(GpuWatch&&) noexcept;
  GpuWatch& operator=(GpuWatch&&) noexcept;
  ~GpuWatch();

  /// {"sm_clock_hz", "memory_clock_hz", "temperature_c", "power_w", "throttle"}; the last one lists what has throttled
  /// the GPU at any call so far: sw_power_cap, hw_slowdown, sw_thermal, hw_thermal, hw_power_brake.
  nlohmann::json state();
  bool throttled() const { return !throttle_.empty(); }

 private:
  class Nvml;
  std::unique_ptr<Nvml> nvml_;
  std::set<std::string> throttle_;
};

}  // namespace pivotlab::experiments
