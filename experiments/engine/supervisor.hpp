// SPDX-License-Identifier: BSD-3-Clause
// The controller's side of an order: monitors the worker that solves it.
#pragma once

#include <algorithm>
#include <experiments/engine/worker.hpp>
#include <experiments/engine/worker_process.hpp>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <support/timer.hpp>
#include <vector>

namespace pivotlab::experiments {

struct Watch {
  double timeout_s = 0;  ///< time limit of a case (sum of its intervals) and of making the problem; 0: none
  std::function<void(const std::string& key)> on_case;          ///< a case begins or resumes
  std::function<bool(const nlohmann::json& report)> on_report;  ///< a case is finished; returns false to stop the run
};

/// Measures the time while somebody looks at it, at least once a second. In a longer gap the program was stopped or
/// waited for something else; of such a gap only two seconds count, so that nobody else is blamed for it.
class AttendedTimer {
 public:
  double seconds() const {
    seconds_ += std::min(since_look_.seconds(), 2.0);
    since_look_.restart();
    return seconds_;
  }
  void restart() { *this = {}; }

 private:
  mutable double seconds_ = 0;
  mutable Timer since_look_;
};

/// Gives an order to a worker and handles what it sends, until the order is finished, perhaps without reports on some
/// cases. A crash or a timeout becomes the report of the current case; if another process has killed the worker, it is
/// lost. The caller waits for input from process() and calls read() and check_time() until the order is finished.
/// Exceptions of the callbacks are rethrown by these functions.
class Supervisor {
 public:
  /// A worker that is `launched` for the order alone may end by itself, and sends no signs of life.
  Supervisor(WorkOrder order, Watch watch, std::unique_ptr<WorkerProcess> process, bool launched);

  bool finished() const { return finished_; }
  /// Returns the worker; the order must not be finished.
  WorkerProcess& process() const { return *process_; }
  /// Reads the messages that have arrived.
  void read();
  /// Ends a worker that exceeds its time, and one that has been silent for a minute.
  void check_time();
  /// Seconds until check_time() ends the worker; at most one.
  double seconds_left() const;

  /// Ends the worker if it has not ended.
  void kill() const;
  /// Returns the worker of a finished order; null if it has ended.
  std::unique_ptr<WorkerProcess> take_worker() { return std::move(process_); }
  /// The reason, if the worker was lost; else empty.
  const std::string& why_lost() const { return why_lost_; }
  const std::vector<const PlannedCase*>& cases_without_report() const { return order_.cases; }
  /// The key of the current case; empty while the problem is made.
  const std::string& current_case() const { return current_case_; }

 private:
  std::string end_worker();
  void give_up(const std::string& why);
  void handle_line(std::string_view line);
  void handle_end(const std::string& how);
  bool finish(const nlohmann::json& report);
  void blame(Status status, const std::string& message);

  WorkOrder order_;
  const Watch watch_;
  std::unique_ptr<WorkerProcess> process_;
  const bool launched_;
  const std::size_t cases_before_;
  bool finished_ = false;
  std::string current_case_;
  bool any_case_begun_ = false;
  AttendedTimer case_timer_, silence_;
  std::map<std::string, double> spent_s_;  ///< seconds per case, without the current interval
  std::string why_lost_;
};

}  // namespace pivotlab::experiments
