// The command that solves a problem from a file; test problems are written by `pivotlab generate ldlt`.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve eigh`, for a Hermitian matrix from a file.
std::shared_ptr<const CommandDescription> solve_eigh_command();

}  // namespace pivotlab::experiments
