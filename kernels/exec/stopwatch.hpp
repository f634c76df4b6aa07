// SPDX-License-Identifier: BSD-3-Clause
// Times of an executor's work: marks in the order of its work, and the seconds between two of them. On the host a mark
// is the time at which it is made.
#pragma once

#include <chrono>

namespace pivotlab {

template <class Executor>
class Stopwatch {
 public:
  using Mark = std::chrono::steady_clock::time_point;

  explicit Stopwatch(Executor&) {}
  Mark mark() { return std::chrono::steady_clock::now(); }
  double seconds(Mark from, Mark to) { return std::chrono::duration<double>(to - from).count(); }
};

}  // namespace pivotlab
