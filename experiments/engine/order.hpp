// Work orders as lines of JSON, for workers that are not forked.
#pragma once

#include <experiments/engine/worker.hpp>
#include <optional>
#include <string>
#include <vector>

namespace pivotlab::experiments {

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

/// Reads up to the end of the line or of the stream, byte by byte, so that later input stays in the stream. Returns
/// nothing at the end of the stream.
std::optional<std::string> read_line(int input);

}  // namespace pivotlab::experiments
