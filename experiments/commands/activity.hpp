// Shows on a terminal which step a long command is at.
#pragma once

#include <string_view>

namespace pivotlab::experiments {

/// A line on stderr that is rewritten at every step and cleared at the end; nothing where stderr is no terminal.
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
