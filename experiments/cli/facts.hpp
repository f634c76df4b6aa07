// What `pivotlab solve` tells of a solution.
#pragma once

#include <experiments/cli/command.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// One line of the summary.
struct Fact {
  std::string key, heading;
  experiments::ColumnKind kind;
  experiments::Cell value;
};

/// From top to bottom, without what is empty, as a single case reads best; programs get it as one row of a table.
void print_facts(const TableOptions& options, const std::vector<Fact>& facts);

}  // namespace pivotlab::cli
