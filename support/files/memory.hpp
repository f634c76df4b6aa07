// Memory that this process may use, as the system tells it.
#pragma once

#include <optional>

namespace pivotlab {

/// The tightest limit of this process's control group (version 2) in bytes, and what the group uses and cannot give
/// back; nothing if there is no limit.
struct GroupMemory {
  double limit, used;
};
std::optional<GroupMemory> group_memory();

/// Bytes that could be had now without swapping: MemAvailable, the control group's limit and those of the process
/// (RLIMIT_AS, RLIMIT_DATA), whichever leaves least. Infinite where the system does not tell.
double available_memory();

}  // namespace pivotlab
