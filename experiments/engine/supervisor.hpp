// The parent's side of an order: monitors the worker and replaces it after a failure.
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

/// Runs all cases of an order in worker processes. A crash or a timeout becomes the report of the current case, and a
/// new worker continues with the remaining cases. A worker that another process kills is lost: then the order is
/// finished without reports on the remaining cases. The caller waits for input from process() and calls read() and
/// check_time() until the order is finished. Exceptions of the callbacks are rethrown by these functions.
class Supervisor {
 public:
  /// A worker is forked for the order or, if `command` is not empty, started by it.
  Supervisor(WorkOrder order, Watch watch, std::string command);
  /// The order is sent to a worker that solves several orders one after the other. If it ends by itself, it is lost.
  Supervisor(WorkOrder order, Watch watch, std::unique_ptr<WorkerProcess> lasting);

  bool finished() const { return finished_; }
  WorkerProcess& process() const { return *process_; }
  /// Reads the messages that have arrived.
  void read();
  /// Ends a worker that exceeds its time, and a lasting one that has been silent for a minute.
  void check_time();
  /// Seconds until check_time() ends the worker; at most one.
  double seconds_left() const;
  bool has_worker() const { return process_ != nullptr; }
  void kill() const { process_->kill(); }

  /// Returns the lasting worker of a finished order; null if it was lost or has been ended.
  std::unique_ptr<WorkerProcess> take_worker() { return std::move(process_); }
  /// The reason, if the worker was lost; else empty.
  const std::string& why_lost() const { return why_lost_; }
  const std::vector<const PlannedCase*>& cases_without_report() const { return order_.cases; }
  /// The key of the current case; empty while the problem is made.
  const std::string& current_case() const { return current_case_; }

 private:
  void begin_worker();
  void continue_without_worker();
  void give_up(const std::string& why);
  void handle_line(std::string_view line);
  void handle_end(const std::string& how);
  void finish(const nlohmann::json& report);
  void blame(Status status, const std::string& message);

  WorkOrder order_;
  const Watch watch_;
  const std::string command_;
  const bool lasting_;
  std::unique_ptr<WorkerProcess> process_;
  bool finished_ = false;
  std::string buffer_;
  std::string current_case_;
  bool any_case_begun_ = false;
  std::size_t cases_before_ = 0;  ///< cases without a report when the current worker began
  AttendedTimer case_timer_, silence_;
  std::map<std::string, double> spent_s_;  ///< seconds per case, without the current interval
  std::string why_lost_;
};

}  // namespace pivotlab::experiments
