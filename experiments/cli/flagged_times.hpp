// SPDX-License-Identifier: BSD-3-Clause
// Flagged times in records: noisy, loaded, throttled, resumed (results/record.schema.json).
#pragma once

#include <cstddef>
#include <experiments/tables/table.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// Returns the flags of a record's times.
std::vector<std::string> flags_of(const nlohmann::json& record);

/// Returns the cell "noisy,loaded"; an empty one without flags.
experiments::Cell list_of(const std::vector<std::string>& flags);

/// Marks the number of a cell if the condition holds; other cells are unchanged.
experiments::Cell flagged_if(bool condition, const experiments::Cell& cell);

/// Counts the times of a table and their flags.
class FlagCounts {
 public:
  void add(const std::vector<std::string>& flags);
  /// Returns "87 of 132 times are noisy, 3 loaded (~)"; empty without flags.
  std::string remark() const;

 private:
  std::size_t times_ = 0;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace pivotlab::cli
