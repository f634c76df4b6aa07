// The commands for problems in files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve hsvd`, for a matrix and signs from files.
std::shared_ptr<const CommandDescription> solve_hsvd_command();

/// Returns the command `pivotlab generate hsvd`.
std::shared_ptr<const CommandDescription> generate_hsvd_command();

}  // namespace pivotlab::experiments
