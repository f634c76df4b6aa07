// SPDX-License-Identifier: BSD-3-Clause
// Facts about a solution, which `pivotlab solve` prints.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/tables/table.hpp>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

enum class Audience {
  all,
  people,    ///< lines of the summary and tables, not CSV and JSON
  programs,  ///< CSV and JSON, and tables where it is named
};

/// One line of the summary.
struct Fact {
  std::string key, heading;
  ColumnKind kind = ColumnKind::text;
  Cell value = {};
  Audience audience = Audience::all;
};

/// Returns how tables print a quantity.
ColumnKind kind_of(const Quantity& quantity);
/// Returns the cell of a value in a record; a list becomes its length.
Cell cell_of(const nlohmann::json& value);

/// Returns the facts of the named rows, with the headings of tables.
template <class S>
std::vector<Fact> facts_of(const Rows<S>& rows, const S& object, std::initializer_list<std::string_view> names) {
  std::vector<Fact> facts;
  for (const std::string_view name : names)
    for (const Row<S>& one : rows)
      if (const Quantity& quantity = one.quantity; quantity.at == name)
        facts.push_back({quantity.at, quantity.heading, kind_of(quantity), cell_of(one.value(object))});
  return facts;
}

/// Concatenates lists of facts.
std::vector<Fact> joined(std::initializer_list<std::vector<Fact>> lists);

}  // namespace pivotlab::experiments
