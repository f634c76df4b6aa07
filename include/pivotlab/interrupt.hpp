// SPDX-License-Identifier: BSD-3-Clause
// Ending a long call of the library before it is finished, for example at Ctrl-C.
#pragma once

#include <atomic>
#include <stdexcept>

namespace pivotlab {

/// A call of the library has been ended by an InterruptScope.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it exists, long calls of the library in the thread that made it ask `wanted` now and then, and throw
/// Interrupted once it returns true: on the host after each step of a sweep, each stage and each panel of a
/// factorization, on a GPU after each sweep and each group of panels; never within a routine of LAPACK, cuBLAS or
/// cuSOLVER. `wanted` is called in the same thread and must not throw. No bit of a result depends on it. What a call
/// overwrites is undefined after Interrupted. Scopes may be nested; the innermost one counts.
class InterruptScope {
 public:
  explicit InterruptScope(bool (*wanted)());
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool (*outer_)();
};

/// Throws Interrupted if the innermost scope of this thread asks for it; for loops that take long. Does nothing in a
/// parallel region of OpenMP, which no exception may leave.
void throw_if_interrupted();

/// Lets a parallel region end early. All of its threads call seen() between pieces of work and leave out the rest once
/// it returns true; after the region, throw_if_seen() throws Interrupted. Does nothing within another parallel region.
class ParallelInterrupt {
 public:
  ParallelInterrupt();
  bool seen();
  void throw_if_seen() const;

 private:
  bool active_;
  std::atomic<bool> seen_ = false;
};

}  // namespace pivotlab
