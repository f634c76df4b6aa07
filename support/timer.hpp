// SPDX-License-Identifier: BSD-3-Clause
// Wall time, by the steady clock.
#pragma once

#include <chrono>

namespace pivotlab {

/// Measures the time since its construction or the last restart.
class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Adds the time of its scope to `seconds`.
class ScopeTimer {
 public:
  explicit ScopeTimer(double& seconds) : seconds_(seconds) {}
  ~ScopeTimer() { seconds_ += timer_.seconds(); }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  double& seconds_;
  Timer timer_;
};

}  // namespace pivotlab
