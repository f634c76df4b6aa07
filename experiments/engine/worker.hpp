// The child's side of a run: makes one problem, solves and judges its cases, and reports to the parent in lines of
// JSON.
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
  double checkpoint_s = 0;      ///< seconds between checkpoints; 0: none
  std::vector<int> cores = {};  ///< cores for this order; empty: all that the worker may use
  std::vector<int> gpus = {};   ///< places of GPUs in find_gpus() for this order; empty: all
  std::vector<const PlannedCase*> cases;
};

/// Solves the cases of an order and writes messages to the socket, one JSON object per line:
///   {"turn": key}      this case is being worked on from now on
///   {"done": report}   a case is finished; the report is what a record needs and only the worker knows; the worker
///                      goes on when it is answered by one byte
/// It makes the problem before the first case. It never throws: every error becomes a report, and the process ends when
/// the connection is closed.
void work(const WorkOrder& order, int socket) noexcept;

/// The same by several processes; the first one writes messages to `output` and reads answers from `input`. An
/// exception of only one process is not caught, so that it ends all of them.
void work_together(Transport& ranks, const WorkOrder& order, int input, int output);

/// Serves a parent over two streams: sends {"ready": description of the machine}, and for every order that it receives
/// forks a process that solves it and relays messages and answers. It sends {"alive": true} every ten seconds and
/// {"ended": how} when that process has ended. Returns when the parent has closed the connection; throws
/// std::runtime_error if another process has killed that process.
void serve(int input, int output, const MethodLookup& find = find_method);

/// Returns the report on a case that has only a status.
nlohmann::json make_report(const std::string& key, Status status, const std::string& message);

}  // namespace pivotlab::experiments
