// SPDX-License-Identifier: BSD-3-Clause
// Measured peaks of GPUs, which bound the rates of solvers.
#pragma once

#include <string_view>

namespace pivotlab::experiments {

struct GpuPeaks {
  std::string_view gpu;     ///< name, as CUDA reports it
  double flops_per_second;  ///< large dense products in double precision, on tensor cores
  double bytes_per_second;  ///< of a copy, read and written
};

/// The only place of these numbers in programs; docs/notebook/performance-gpu.md states how they were measured.
inline constexpr GpuPeaks measured_peaks[] = {{"NVIDIA H200", 57e12, 4.3e12}};

/// Returns the peaks of a GPU; null if they were not measured.
constexpr const GpuPeaks* find_peaks(std::string_view gpu) {
  for (const GpuPeaks& peaks : measured_peaks)
    if (peaks.gpu == gpu) return &peaks;
  return nullptr;
}

}  // namespace pivotlab::experiments
