// SPDX-License-Identifier: BSD-3-Clause
// Merges runs of one experiment.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace pivotlab::experiments {

struct MergeSummary {
  std::size_t planned = 0, present = 0, copied = 0;
  std::size_t left_out = 0;  ///< records of cases that have another record
};

/// Copies the records of run folders into the folder `out`, which is made or is a run of the same experiment. A record
/// that passed replaces one that did not; otherwise an existing record stays. Throws InputError if a folder is no run,
/// if the specs differ, or if a process works in `out`.
MergeSummary merge(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& out);

}  // namespace pivotlab::experiments
