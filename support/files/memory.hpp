// SPDX-License-Identifier: BSD-3-Clause
// Memory that this process may use, as reported by the system.
#pragma once

#include <optional>

namespace pivotlab {

/// The tightest limit of this process's control group (version 2) in bytes, and the group's usage that cannot be
/// released; empty if there is no limit.
struct GroupMemory {
  double limit, used;
};
std::optional<GroupMemory> group_memory();

/// Returns the bytes that are available now without swapping: the least of MemAvailable, the control group's limit and
/// those of the process (RLIMIT_AS, RLIMIT_DATA). Infinite if the system reports nothing.
double available_memory();

/// Returns how many processes the system has ended since its start because memory ran out; empty if it does not count
/// them.
std::optional<double> memory_kills();

}  // namespace pivotlab
