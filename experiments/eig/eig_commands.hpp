// The method's commands: solve a problem from files, write a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve eig`, for a general matrix from files.
std::shared_ptr<const CommandDescription> solve_eig_command();
/// Returns the command `pivotlab generate eig`.
std::shared_ptr<const CommandDescription> generate_eig_command();

}  // namespace pivotlab::experiments
