// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/quantity.hpp>

#include <iterator>

namespace pivotlab::experiments {

std::vector<RecordColumn> columns_of(const std::vector<Quantity>& quantities, const std::string& place,
                                     const std::string& prefix) {
  std::vector<RecordColumn> columns;
  for (const Quantity& quantity : quantities) {
    const std::string name = prefix + quantity.column, at = place + "/" + quantity.at;
    const bool is_group = !quantity.members.empty() && quantity.heading.empty();
    if (is_group) {
      auto nested = columns_of(quantity.members, at, name);
      columns.insert(columns.end(), std::make_move_iterator(nested.begin()), std::make_move_iterator(nested.end()));
    } else if (quantity.role != Role::none) {
      columns.push_back({name, at, quantity});
    }
  }
  return columns;
}

}  // namespace pivotlab::experiments
