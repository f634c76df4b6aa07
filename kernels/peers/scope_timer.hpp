// The time that a routine takes.
#pragma once

#include <chrono>

namespace pivotlab::peers {

/// Adds the time of its scope to `seconds`.
class ScopeTimer {
 public:
  explicit ScopeTimer(double& seconds) : seconds_(seconds) {}
  ~ScopeTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace pivotlab::peers
