// The method's commands: solve a problem from files, write a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <memory>

namespace pivotlab {
class Transport;
}

namespace pivotlab::experiments {

/// `pivotlab solve gsvd`: for a pair (F, G) from files.
std::shared_ptr<const CommandDescription> solve_gsvd_command();
/// `pivotlab generate gsvd`.
std::shared_ptr<const CommandDescription> generate_gsvd_command();
/// The same over the ranks, of a pair in one HDF5 file of which each rank reads its columns.
std::shared_ptr<const CommandDescription> solve_gsvd_command_over(Transport& ranks);

}  // namespace pivotlab::experiments
