// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM as a flag.
#pragma once

#include <csignal>

namespace pivotlab::experiments {

/// During its lifetime, SIGINT and SIGTERM only set a flag, and are delivered only while the process waits with
/// mask_before(). There may be one object at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool received();
  /// The signal mask from before; without an object, an empty one. Child processes begin with it.
  static const sigset_t& mask_before();
};

}  // namespace pivotlab::experiments
