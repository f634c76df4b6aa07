// The method's commands: solve a problem from files, write a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve ldlt`, for a symmetric matrix and right-hand sides from files.
std::shared_ptr<const CommandDescription> solve_ldlt_command();
/// Returns the command `pivotlab generate ldlt`.
std::shared_ptr<const CommandDescription> generate_ldlt_command();
/// Returns the command `pivotlab generate eigh`, the same for Hermitian matrices.
std::shared_ptr<const CommandDescription> generate_eigh_command();

}  // namespace pivotlab::experiments
