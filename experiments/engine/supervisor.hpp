// The parent's side of a run: a forked worker for a problem, watched and, where it must be, replaced.
#pragma once

#include <experiments/engine/worker.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// While it lives, SIGINT and SIGTERM only set a flag, and are delivered only where the supervisor waits. One at a
/// time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool received();
};

struct Watch {
  double timeout_s = 0;  ///< of a case, all its turns together, and of making the problem; 0: no limit
  std::function<void(const std::string& key)> on_turn;          ///< a case is being worked on
  std::function<bool(const nlohmann::json& report)> on_report;  ///< a case is finished; false: stop here
  std::function<void()> on_tick;                                ///< at least once a second
};

/// Has all cases of an order worked on in child processes. A crash or a timeout becomes the report of the case whose
/// turn it was, and a new worker goes on with the rest. Returns false when stopped by a signal or by on_report.
/// What the callbacks throw ends the worker and comes out here.
bool supervise(WorkOrder order, const Watch& watch);

}  // namespace pivotlab::experiments
