// SPDX-License-Identifier: BSD-3-Clause
// Runs all cases of a plan that have no valid record yet.
//
// Problems are solved in worker processes, so that a crash, exhausted memory or an endless loop affects only one case
// (see README.md).
#pragma once

#include <experiments/engine/plan.hpp>
#include <experiments/engine/shard.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// A sweep with Timing::until takes the samples of a case in so many passes over all cases, each by another process:
/// the differences of processes, and those of the machine's state from minute to minute, average out.
constexpr int passes_of_sweep = 5;

/// The same beside another build. It is the least number of which the interval of a median with 90 % confidence leaves
/// out one at each end: a process differs from others by 3 to 60 % now and then.
constexpr int passes_in_pairs = 8;

/// Says how a folder with another plan is treated: a run refuses it, a sweep adds its cases, and a sweep of the planned
/// cases alone changes no plan.
enum class PlanOfFolder { same, grows, stays };

struct RunOptions {
  std::filesystem::path out = "runs";
  PlanOfFolder plan = PlanOfFolder::same;
  bool fresh = false;       ///< remove the manifest and all records of an earlier run first
  std::string only;         ///< "" or "missing": cases without a record; "failed": cases whose record has
                            ///< a failure of any kind; a status: cases whose record has this status
  int max_failures = 0;     ///< stop after so many cases that did not pass; 0: never
  double timeout_s = -1;    ///< per case, instead of the spec's; 0: no limit; negative: the spec's
  double memory_bytes = 0;  ///< memory limit of a case; 0: the free memory
  double checkpoint_s = 0;  ///< seconds between checkpoints, from which an interrupted case resumes;
                            ///< 0: no checkpoints
  /// Shell command that starts the processes of a case with ranks, with {ranks} in place of their number: "mpirun -n
  /// {ranks} pivotlab-mpi work". Empty: ranks are threads of one process.
  std::string launch;
  int workers = 1;  ///< number of workers that solve problems at the same time
  /// Shell command that starts one worker, `pivotlab work`, on any machine; empty: this program on this machine.
  std::string worker;
  /// Shell command that starts a worker of another build, whose samples are taken in turn with this one's; or empty.
  std::string beside = {};
  /// The share of the cases that the plan contains, if it was restricted to one; other processes run the others.
  std::optional<Shard> shard;
  bool takeover = false;  ///< continue a shard whose process was killed
  std::string command;    ///< the command line, for the records
  bool quiet = false;     ///< no progress
  /// Called with every record after it is written; the progress line is hidden.
  std::function<void(const PlannedCase& planned, const nlohmann::json& record)> on_record;
};

/// Returns whether the status is a failure of the solver; a refusal or a skip is none.
bool is_failure(std::string_view status);

/// Returns which cases of the plan a run in its folder runs, by their states (case_states). A sweep also adds samples
/// to records that passed with fewer than the spec's least number; throws InputError if another program or machine has
/// made them.
std::vector<bool> cases_to_run(const Plan& plan, const RunOptions& options, const std::vector<std::string>& states);

struct RunSummary {
  std::filesystem::path directory;              ///< <out>/<experiment>
  std::size_t planned = 0;                      ///< cases of the plan, after filters
  std::size_t reused = 0;                       ///< cases with the record of an earlier run
  std::size_t ran = 0;                          ///< cases with a new record
  std::map<std::string, std::size_t> statuses;  ///< number of the plan's records by status
  std::size_t failures = 0;                     ///< failed cases, without those that the spec expects to fail
  std::size_t expected = 0;                     ///< cases that failed as the spec expects
  bool interrupted = false;                     ///< by SIGINT or SIGTERM; the command's exit status is 130
  bool too_many_failures = false;               ///< stopped by max_failures
  double seconds = 0;

  std::size_t missing() const { return planned - reused - ran; }
};

/// Executes the plan. Progress goes to `progress` (one updating line where it is std::cerr on a terminal, else plain
/// lines). Throws InputError if the folder belongs to another spec, is in use by another process, or cannot be written.
RunSummary run(const Plan& plan, const RunOptions& options, std::ostream& progress);

}  // namespace pivotlab::experiments
