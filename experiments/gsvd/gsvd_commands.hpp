// The method's commands: solve a problem from files, write a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab {
class Transport;
}

namespace pivotlab::experiments {

/// Returns the command `pivotlab solve gsvd`, for a pair (F, G) from files.
std::shared_ptr<const CommandDescription> solve_gsvd_command();
/// Returns the command `pivotlab generate gsvd`.
std::shared_ptr<const CommandDescription> generate_gsvd_command();
/// Returns the command `pivotlab generate ghsvd`: a pair and signs of the rows of F.
std::shared_ptr<const CommandDescription> generate_signed_pair_command();
/// Returns the command `solve gsvd` over ranks, for a pair in one HDF5 file of which each rank reads its columns.
std::shared_ptr<const CommandDescription> solve_gsvd_command_over(Transport& ranks);

}  // namespace pivotlab::experiments
