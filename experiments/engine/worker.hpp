// SPDX-License-Identifier: BSD-3-Clause
// The worker's side of a run: solves the cases of orders, and reports in lines of JSON.
//
// A worker is a process that a command starts: `pivotlab work`, which serves one order after the other, or several
// processes `pivotlab-mpi work`, which solve the cases of one order together. The dialogue with the controller:
//
//   {"ready": machine}      ←  first line of `pivotlab work` (worker_host.hpp)
//   {"order": …}            →  cases of one problem (order.hpp)
//   {"turn": key}           ←  this case is being worked on from now on
//   {"done": report}        ←  a case is finished; the report is what a record needs and only the worker knows
//   {"written": key}        →  its record is written, and the worker goes on: a kill affects at most one case, and
//                              writing does not disturb the next case
//   {"ended": how}          ←  the process that solved the order has ended; the next order may be sent
//   {"killed": how}         ←  the same, but another process has killed it: no case is to blame
//   {"alive": true}         ←  every ten seconds between an order and its end
//   {"sample": true}        →  only in an order `in_turns`, after each turn: takes a sample; with false, ends the case
//
// `pivotlab work` forks a process for every order, so that a crash is the failure of a case and no loss of the worker.
// `pivotlab-mpi work` sends only turns and reports.
#pragma once

#include <experiments/engine/connection.hpp>
#include <experiments/engine/plan.hpp>
#include <filesystem>
#include <map>
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
  double memory_bytes = 0;      ///< that a solver which is not ours may take; 0: what is free
  std::vector<int> cores = {};  ///< cores for this order; empty: all that the worker may use
  std::vector<int> gpus = {};   ///< places of GPUs in find_gpus() for this order; empty: all
  std::string beside = {};      ///< shell command of another build's worker, whose samples are taken in turn with ours
  bool in_turns = false;        ///< each sample is asked for (solve_in_pairs)
  std::vector<const PlannedCase*> cases;
  /// By key, the member `time` of a record to whose samples the worker adds; JSON text. It has a
  /// member `beside`, that of the other build, if there is one.
  std::map<std::string, std::string> earlier = {};
};

/// Serves orders until the controller closes the connection. Looks for GPUs if `with_gpus`.
void serve(int input, int output, bool with_gpus, const MethodLookup& find = find_method);

/// Serves one order by several processes, of which the first has the streams. An exception of only one process is not
/// caught, so that it ends all of them.
void serve_together(Transport& ranks, int input, int output);

/// Makes the problem of an order and solves its cases in this process. It never throws: every error becomes a report.
/// The process ends when the connection is closed.
void solve_order(const WorkOrder& order, Connection& connection) noexcept;

/// Returns the report on a case that has only a status.
nlohmann::json make_report(const std::string& key, Status status, const std::string& message);

}  // namespace pivotlab::experiments
