// SPDX-License-Identifier: BSD-3-Clause
// Shows on a terminal the current step of a long command.
#pragma once

#include <string_view>

namespace pivotlab::experiments {

/// Prints a line on stderr that is rewritten at every step and cleared at the end. Prints nothing if stderr is not a
/// terminal.
class Activity {
 public:
  explicit Activity(std::string_view step);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  void now(std::string_view step);

 private:
  bool terminal_;
};

}  // namespace pivotlab::experiments
