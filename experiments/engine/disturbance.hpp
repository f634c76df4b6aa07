// SPDX-License-Identifier: BSD-3-Clause
// These observations tell whether other work on the machine has made a sample of a time longer.
#pragma once

#include <sys/types.h>
#include <experiments/engine/environment.hpp>
#include <map>

namespace pivotlab::experiments {

/// A core whose probe takes longer by this factor is slowed. In 19 of 20 of 6,000 samples of 1 ms on two virtual cores
/// with a load of 5 the probe was within 1.05 of its least time; where it took longer by 1.15 to 1.3, half of the
/// samples did so by at least 16 %, and where twice as long, by 56 %.
constexpr double slowed_core = 1.12;

/// A sample whose process waited for a core for more than this part of it is disturbed.
constexpr double most_wait = 0.01;

/// The state of the machine beside a sample: times in seconds, numbers of tasks.
struct Beside {
  int others_running = 0;   ///< how many other tasks of the machine wanted a core both before and after it
  double others_cpu_s = 0;  ///< CPU time of all other processes meanwhile
  double probe_s = 0;       ///< the lesser time of probe_core_s() before and after it
  double waited_s = 0;      ///< the longest time for which a thread was ready to run and had no core

  /// Returns whether other work has made a sample of so many seconds longer: a thread waited for more than 1 % of it,
  /// or the core was slower than this process and those that it was forked from have seen it.
  bool disturbs(double seconds) const;
};

/// Observes the machine from its construction on.
class LoadWatch {
 public:
  LoadWatch();
  Beside end() const;

 private:
  CpuUse cpu_;
  std::map<pid_t, double> waits_;
  int others_running_;
  double probe_s_;
};

/// Returns for how many seconds each thread of this process and of its children has waited for a core so far; empty if
/// the system does not tell it.
std::map<pid_t, double> waits_for_cores();

/// Lets this process and all that it forks from now on know the least time of probe_core_s() that any of them has seen.
void share_least_probe();

/// Asks the system to let this thread, and those that it starts, run for 0.1 s without another task, instead of some
/// ms, where tasks share its core; they wait the longer in turn. Linux before 6.12 has no such request and ignores it.
void ask_for_long_slices();

}  // namespace pivotlab::experiments
