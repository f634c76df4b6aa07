// What a worker shall do, as a line of JSON: for workers that are not forked.
#pragma once

#include <experiments/engine/worker.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

std::string to_line(const WorkOrder& order);

/// An order with the cases that it points to.
class ReadOrder {
 public:
  explicit ReadOrder(const std::string& line);
  ReadOrder(const ReadOrder&) = delete;
  ReadOrder& operator=(const ReadOrder&) = delete;
  const WorkOrder& order() const { return order_; }

 private:
  std::vector<PlannedCase> cases_;
  WorkOrder order_;
};

/// Up to the end of the line or of the stream, byte by byte: what follows is somebody else's.
std::string read_line(int input);

}  // namespace pivotlab::experiments
