// Prints what `pivotlab solve` says about a solution.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/commands/fact.hpp>
#include <vector>

namespace pivotlab::cli {

/// Prints the facts from top to bottom, without empty ones, as a single case reads best; programs get one row of a
/// table.
void print_facts(const TableOptions& options, const std::vector<experiments::Fact>& facts);

}  // namespace pivotlab::cli
