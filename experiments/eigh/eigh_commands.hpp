// The command that solves a problem from a file. The one that writes test problems is in
// experiments/ldlt/ldlt_commands.hpp.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve eigh`, for a Hermitian matrix from a file.
std::shared_ptr<const CommandDescription> solve_eigh_command();

}  // namespace pivotlab::experiments
