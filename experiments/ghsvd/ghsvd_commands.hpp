// The commands for problems in files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve ghsvd`, for a pair and signs from files.
std::shared_ptr<const CommandDescription> solve_ghsvd_command();

}  // namespace pivotlab::experiments
