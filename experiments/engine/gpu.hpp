// SPDX-License-Identifier: BSD-3-Clause
// The GPU in records, determined without initializing CUDA in the process that forks workers.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <pivotlab/device.hpp>
#include <set>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// The results of list_devices() and why_no_device().
struct GpusFound {
  std::vector<DeviceInfo> devices;
  std::string why_none;
};

/// Returns the GPUs, determined once in a short-lived child process: CUDA does not survive a fork, so that a process
/// whose workers use the GPU must not initialize it.
const GpusFound& find_gpus();

/// Returns the value of CUDA_VISIBLE_DEVICES that restricts a process to some of the devices that this process sees, by
/// their places; `visible`: the value for this process, or null.
std::string visible_devices(const char* visible, const std::vector<int>& places);

/// Restricts this process, before its first call of CUDA, to some of find_gpus().devices, by their places in this list;
/// find_gpus() then returns these. Sets CUDA_VISIBLE_DEVICES.
void use_gpus(const std::vector<int>& places);

/// Release of the NVIDIA driver, e.g. "580.65.06"; empty if NVML does not report it.
std::string driver_release();

/// Returns the record section environment.gpu, without the states before and after.
nlohmann::json describe(const DeviceInfo& device);

/// Clocks, temperature, power and throttling reasons of a GPU, from NVML; null if NVML is missing or does not report
/// them.
class GpuWatch {
 public:
  explicit GpuWatch(const std::string& bus_id);
  GpuWatch(GpuWatch&&) noexcept;
  GpuWatch& operator=(GpuWatch&&) noexcept;
  ~GpuWatch();

  /// {"sm_clock_hz", "memory_clock_hz", "temperature_c", "power_w", "throttle"}; the last one lists the reasons for
  /// throttling seen by all calls so far: sw_power_cap, hw_slowdown, sw_thermal, hw_thermal, hw_power_brake.
  nlohmann::json state();
  bool throttled() const { return !throttle_.empty(); }

 private:
  class Nvml;
  std::unique_ptr<Nvml> nvml_;
  std::set<std::string> throttle_;
};

}  // namespace pivotlab::experiments
