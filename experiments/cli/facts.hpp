// What `pivotlab solve` tells of a solution.
#pragma once

#include <experiments/cli/command.hpp>
#include <optional>
#include <string>
#include <vector>

namespace pivotlab::cli {

enum class Audience {
  all,
  people,    ///< lines of the summary and tables, not CSV and JSON
  programs,  ///< CSV and JSON, and tables where it is named
};

/// One line of the summary.
struct Fact {
  std::string key, heading;
  experiments::ColumnKind kind;
  experiments::Cell value;
  Audience audience = Audience::all;
};

/// The value, or the cell that says that there is none.
template <class Value>
experiments::Cell cell_or_none(const std::optional<Value>& value) {
  return value ? experiments::Cell(*value) : experiments::Cell();
}

/// From top to bottom, without what is empty, as a single case reads best; programs get it as one row of a table.
void print_facts(const TableOptions& options, const std::vector<Fact>& facts);

}  // namespace pivotlab::cli
