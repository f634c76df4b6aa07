// Runs a plan: every case that has no valid record yet gets one.
//
// Problems are solved in forked worker processes, one a problem, so that a crash, an exhausted memory or a case that
// never ends costs that case only (README.md tells why).
#pragma once

#include <experiments/engine/plan.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

struct RunOptions {
  std::filesystem::path out = "runs";
  bool fresh = false;       ///< forget the manifest and all records of an earlier run first
  std::string only;         ///< "": cases without a record; "missing": the same; "failed": those whose record tells of
                            ///< a failure of any kind, again; a status: those with exactly this status, again
  int max_failures = 0;     ///< stop after so many cases that did not pass; 0: never
  double timeout_s = -1;    ///< per case, instead of the spec's; 0: no limit; negative: the spec's
  double memory_bytes = 0;  ///< that a case may take, instead of what is free now; 0: what is free
  double checkpoint_s = 0;  ///< cases that can save what they have every so many seconds, and an interrupted one goes
                            ///< on from there; 0: they do not
  /// Cases with ranks are solved by as many processes that this program starts, with {ranks} in place of their number,
  /// its arguments as in a shell: "mpirun -n {ranks} pivotlab-mpi work". Empty: by threads of one process.
  std::string launch;
  std::string command;  ///< the command line, for the records
  bool quiet = false;   ///< no progress
  /// Called with every record as soon as it is on disk; the progress line is out of the way.
  std::function<void(const PlannedCase& planned, const nlohmann::json& record)> on_record;
};

/// Whether a status says something bad about a solver: a refusal or a skip does not.
bool is_failure(std::string_view status);

/// Whether `only` asks for a case in this state (a status, or "missing") to be run. Throws InputError for an unknown
/// one.
bool is_wanted(const std::string& only, const std::string& state);

struct RunSummary {
  std::filesystem::path directory;              ///< <out>/<experiment>
  std::size_t planned = 0;                      ///< cases of the plan, after filters
  std::size_t reused = 0;                       ///< have the record of an earlier run
  std::size_t ran = 0;                          ///< got a record now
  std::map<std::string, std::size_t> statuses;  ///< of all cases of the plan that have a record
  bool interrupted = false;                     ///< by SIGINT or SIGTERM; the command's exit status is 130
  bool too_many_failures = false;               ///< stopped by max_failures
  double seconds = 0;

  std::size_t missing() const { return planned - reused - ran; }
};

/// Executes the plan. Progress goes to `progress` (one updating line where it is std::cerr on a terminal, else plain
/// lines). Throws InputError when the folder belongs to another spec, is in use by another runner, or cannot be
/// written.
RunSummary run(const Plan& plan, const RunOptions& options, std::ostream& progress);

}  // namespace pivotlab::experiments
