// The parent's side of a run: starts a worker for a problem, monitors it and replaces it after a failure.
#pragma once

#include <experiments/engine/worker.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// During its lifetime, SIGINT and SIGTERM only set a flag, and are delivered only while the supervisor waits. There
/// may be one object at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool received();
};

struct Watch {
  double timeout_s = 0;  ///< time limit of a case (sum of its intervals) and of making the problem; 0: none
  std::function<void(const std::string& key)> on_case;          ///< a case begins or resumes
  std::function<bool(const nlohmann::json& report)> on_report;  ///< a case is finished; returns false to stop
  std::function<void()> on_tick;                                ///< at least once a second
};

/// Runs all cases of an order in child processes. A crash or a timeout becomes the report of the current case, and a
/// new worker continues with the remaining cases. Returns false if stopped by a signal or by on_report. Exceptions of
/// the callbacks end the worker and are rethrown.
bool supervise(WorkOrder order, const Watch& watch);

}  // namespace pivotlab::experiments
