// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>
#include <experiments/engine/gpu.hpp>
#include <experiments/engine/posix.hpp>
#include <kernels/libraries/dynamic_library.hpp>
#include <kernels/libraries/libraries.hpp>

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

/// "13.0, cuBLAS 13.1.0, cuSOLVER 12.4.1"
std::string with_libraries(std::string runtime) {
  for (const cuda::LibraryFound& library : cuda::find_libraries())
    if (!library.version.empty()) runtime += ", " + library.name + ' ' + library.version;
  return runtime;
}

std::string ask_cuda() {
  json devices = json::array();
  for (const DeviceInfo& device : list_devices())
    devices.push_back({device.name, device.compute_capability, device.multiprocessors, device.memory_bytes,
                       device.driver, with_libraries(device.runtime), device.bus_id});
  return json{{"devices", devices}, {"why_none", why_no_device()}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

GpusFound parse(const json& answer) {
  GpusFound found{{}, answer["why_none"]};
  for (const json& device : answer["devices"])
    found.devices.push_back({device[0], device[1], device[2], device[3], device[4], device[5], device[6]});
  return found;
}

/// Returns the result of a function that is called in a child process; empty if the child dies.
template <class Function>
std::string call_in_child(Function function) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  FileDescriptor reading(ends[0]), writing(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return {};
  if (child == 0) {
    try {
      write_all(writing.get(), function());
    } catch (...) {
    }
    ::_exit(0);
  }
  writing.close();
  std::string text;
  read_all(reading.get(), text);
  wait_for(child);
  return text;
}

// The part of nvml.h that is used: the toolkit may come without it, and its interface is stable.
enum NvmlClock { nvml_sm_clock = 1, nvml_memory_clock = 2 };
constexpr int nvml_gpu_temperature = 0;
constexpr std::array<std::pair<unsigned long long, const char*>, 5> throttle_reasons{{{0x04, "sw_power_cap"},
                                                                                      {0x08, "hw_slowdown"},
                                                                                      {0x20, "sw_thermal"},
                                                                                      {0x40, "hw_thermal"},
                                                                                      {0x80, "hw_power_brake"}}};

const DynamicLibrary& nvml_library() {
  static const DynamicLibrary library{"libnvidia-ml.so.1"};
  return library;
}

/// Calls a function of NVML; returns false if it is missing or fails.
template <class... Parameters>
bool call(const char* name, Parameters... parameters) {
  auto* function = nvml_library().symbol<int(Parameters...)>(name);
  return function != nullptr && function(parameters...) == 0;
}

GpusFound& found_gpus() {
  static GpusFound found = [] {
    const json answer = json::parse(call_in_child(ask_cuda), nullptr, false);  // whole, if the child has not died
    return answer.is_object() ? parse(answer) : GpusFound{{}, "CUDA does not start; check nvidia-smi"};
  }();
  return found;
}

json reading_or_null(bool known, double value) {
  return known ? json(value) : json();
}

}  // namespace

/// NVML between init and shutdown, and one device of it.
class GpuWatch::Nvml {
 public:
  explicit Nvml(const std::string& bus_id)
      : running_(call("nvmlInit_v2")),
        known_(running_ && call("nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str(), &device_)) {}
  ~Nvml() {
    if (running_) call("nvmlShutdown");
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  json clock_hz(NvmlClock kind) const {
    unsigned megahertz = 0;
    const bool told = known_ && call("nvmlDeviceGetClockInfo", device_, static_cast<int>(kind), &megahertz);
    return reading_or_null(told, 1e6 * megahertz);
  }
  json temperature_c() const {
    unsigned degrees = 0;
    return reading_or_null(known_ && call("nvmlDeviceGetTemperature", device_, nvml_gpu_temperature, &degrees),
                           degrees);
  }
  json power_w() const {
    unsigned milliwatts = 0;
    return reading_or_null(known_ && call("nvmlDeviceGetPowerUsage", device_, &milliwatts), 1e-3 * milliwatts);
  }
  unsigned long long throttle_bits() const {
    unsigned long long bits = 0;
    if (known_) call("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &bits);
    return bits;
  }

 private:
  struct nvmlDevice_st* device_ = nullptr;
  bool running_, known_;
};

GpuWatch::GpuWatch(const std::string& bus_id) : nvml_(std::make_unique<Nvml>(bus_id)) {}
GpuWatch::GpuWatch(GpuWatch&&) noexcept = default;
GpuWatch& GpuWatch::operator=(GpuWatch&&) noexcept = default;
GpuWatch::~GpuWatch() = default;

json GpuWatch::state() {
  const unsigned long long bits = nvml_->throttle_bits();
  for (const auto& [bit, name] : throttle_reasons)
    if ((bits & bit) != 0) throttle_.insert(name);
  return {{"sm_clock_hz", nvml_->clock_hz(nvml_sm_clock)},
          {"memory_clock_hz", nvml_->clock_hz(nvml_memory_clock)},
          {"temperature_c", nvml_->temperature_c()},
          {"power_w", nvml_->power_w()},
          {"throttle", throttle_}};
}

const GpusFound& find_gpus() {
  return found_gpus();
}

std::string visible_devices(const char* visible, const std::vector<int>& places) {
  std::vector<std::string> names;
  std::istringstream stream(visible == nullptr ? "" : visible);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  std::string list;
  for (const int place : places) {
    const auto k = static_cast<std::size_t>(place);
    list += (list.empty() ? "" : ",") + (k < names.size() ? names[k] : std::to_string(place));
  }
  return list;
}

void use_gpus(const std::vector<int>& places) {
  ::setenv("CUDA_VISIBLE_DEVICES", visible_devices(std::getenv("CUDA_VISIBLE_DEVICES"), places).c_str(), 1);
  std::vector<DeviceInfo> chosen;
  for (const int place : places) chosen.push_back(find_gpus().devices.at(static_cast<std::size_t>(place)));
  found_gpus().devices = std::move(chosen);
}

std::string driver_release() {
  std::array<char, 96> text{};
  if (!call("nvmlInit_v2")) return {};
  const bool told = call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size()));
  call("nvmlShutdown");
  return told ? text.data() : "";
}

json describe(const DeviceInfo& device) {
  return {{"name", device.name},
          {"compute_capability", device.compute_capability},
          {"multiprocessors", device.multiprocessors},
          {"memory_bytes", device.memory_bytes},
          {"runtime", device.runtime},
          {"before", nullptr},
          {"after", nullptr}};
}

}  // namespace pivotlab::experiments
