// SPDX-License-Identifier: BSD-3-Clause
// Probes GPUs, driver and CUDA libraries by the functions that the program itself uses.
#include <fmt/format.h>
#include <pivotlab/device.hpp>

#include <experiments/cli/findings.hpp>
#include <experiments/engine/gpu.hpp>
#include <kernels/libraries/libraries.hpp>

namespace pivotlab::cli {
namespace {

// Splits "<what>; <remedy>" into a finding.
Finding optional_part(const std::string& part, const std::string& message) {
  const std::size_t end = message.find("; ");
  return {part, State::optional, message.substr(0, end), end == std::string::npos ? "" : message.substr(end + 2)};
}

std::vector<Finding> devices(const std::vector<DeviceInfo>& found) {
  const std::string release = experiments::driver_release();
  std::vector<Finding> findings{{"CUDA", State::ok,
                                 fmt::format("driver {}{}for CUDA {}, runtime {}", release, release.empty() ? "" : " ",
                                             found.front().driver, found.front().runtime),
                                 ""}};
  for (std::size_t ordinal = 0; ordinal < found.size(); ++ordinal) {
    const DeviceInfo& gpu = found[ordinal];
    findings.push_back(
        {fmt::format("GPU {}", ordinal), State::ok,
         fmt::format("{}, compute capability {}, {} multiprocessors, {:.1f} GiB{}", gpu.name, gpu.compute_capability,
                     gpu.multiprocessors, static_cast<double>(gpu.memory_bytes) / (1024.0 * 1024.0 * 1024.0),
                     ordinal == 0 ? "; the default backend is cuda" : ""),
         ""});
  }
  return findings;
}

}  // namespace

std::vector<Finding> probe_gpu() {
  const std::string why_none = why_no_device();
  if (!why_none.empty()) {
    Finding finding = optional_part("GPU", why_none);
    finding.found += "; the default backend is host";
    return {finding};
  }
  std::vector<Finding> findings = devices(list_devices());
  for (const cuda::LibraryFound& library : cuda::find_libraries())
    findings.push_back(library.complaint.empty()
                           ? Finding{library.name, State::ok, library.version, ""}
                           : optional_part(library.name, library.complaint + " for the baselines cusolver:…"));
  return findings;
}

}  // namespace pivotlab::cli
