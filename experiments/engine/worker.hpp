// The child's side of a run: makes one problem, solves and judges its cases, and tells the parent by lines of JSON.
#pragma once

#include <experiments/engine/plan.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Cases that share a problem.
struct WorkOrder {
  const Method* method = nullptr;
  Timing timing;
  std::filesystem::path cache, checkpoints;
  double checkpoint_s = 0;  ///< between checkpoints; 0: none
  std::vector<const PlannedCase*> cases;
  std::string launch;  ///< a program and its arguments, as in a shell, that starts the processes which work on it
                       ///< together; empty: one is forked
};

/// What a worker says, one JSON object a line:
///   {"turn": key}      this case is being worked on from now on
///   {"done": report}   a case is finished; the report is what a record needs and only the worker knows; the worker
///                      goes on when it is answered by one byte
/// Before its first turn it makes the problem. Never throws: whatever goes wrong becomes a report, and when nobody
/// listens any more the worker just ends.
void work(const WorkOrder& order, int socket) noexcept;

/// The same by several processes, of which the first one speaks and listens, with `output` and `input`. What only one
/// of them throws is not caught: it has to end all of them.
void work_together(Transport& ranks, const WorkOrder& order, int input, int output);

/// The report on a case that has nothing to show but its status.
nlohmann::json make_report(const std::string& key, Status status, const std::string& message);

}  // namespace pivotlab::experiments
