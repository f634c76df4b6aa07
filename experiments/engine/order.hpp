// SPDX-License-Identifier: BSD-3-Clause
// Work orders as lines of JSON.
#pragma once

#include <experiments/engine/worker.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// The line {"order": …}.
std::string to_line(const WorkOrder& order);

/// A work order that owns the cases to which it points.
class ReadOrder {
 public:
  explicit ReadOrder(const std::string& line, const MethodLookup& find = find_method);
  ReadOrder(const ReadOrder&) = delete;
  ReadOrder& operator=(const ReadOrder&) = delete;
  const WorkOrder& order() const { return order_; }

 private:
  std::vector<PlannedCase> cases_;
  WorkOrder order_;
};

}  // namespace pivotlab::experiments
