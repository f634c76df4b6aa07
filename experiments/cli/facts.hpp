// SPDX-License-Identifier: BSD-3-Clause
// Prints the facts about a solution, for `pivotlab solve`.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/commands/fact.hpp>
#include <vector>

namespace pivotlab::cli {

/// Prints one fact per line, without empty ones; for programs, one row of a table.
void print_facts(const TableOptions& options, const std::vector<experiments::Fact>& facts);

}  // namespace pivotlab::cli
