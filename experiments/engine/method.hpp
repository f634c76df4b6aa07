// Interface of a method to the engine, which knows none by name: it makes problems, times solutions, has them judged,
// and writes records.
#pragma once

#include <experiments/engine/axis.hpp>
#include <experiments/engine/quantity.hpp>
#include <experiments/engine/value.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <pivotlab/status.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {
class Transport;
class VariantNames;
}  // namespace pivotlab

namespace pivotlab::experiments {

struct CommandDescription;  // experiments/commands/command_description.hpp

/// A generator or a baseline, or an option of it, for lists.
struct ListEntry {
  std::string name, default_value, summary;
};

/// What a case will take, from a simple model of the machine; good to a factor of a few.
struct Estimate {
  double generate_s = 0;  ///< making the problem, once for all cases that share it
  double solve_s = 0;     ///< one solution
  double judge_s = 0;     ///< its metrics
  double bytes = 0;       ///< the most memory at any time
  double gpu_bytes = 0;   ///< of the GPU likewise; 0: the case does without
};

/// A solution and how long the algorithm alone took. Methods derive their own, which hold the factors.
struct Solution {
  virtual ~Solution() = default;
  Status status = Status::passed;  ///< passed, not_converged, …: what the solver says
  std::string message;             ///< one line, why it is not passed
  double compute_s = 0;            ///< the compute phase, without copies of the input
  bool resumed = false;            ///< from a checkpoint; compute_s includes what went before, the wall time does not
};

struct Judgement;  // judgement.hpp: needs JSON

/// A problem in memory; lives in a worker process.
class Problem {
 public:
  virtual ~Problem() = default;
  /// One solution, timed. Called several times for a case. May throw; NotSupported and bad_alloc have their statuses.
  virtual std::unique_ptr<Solution> solve(const Case& axes) const = 0;
  /// From now on solve() saves what it has every so many seconds into files of the folder, and goes on from those that
  /// an interrupted one has left. Methods that cannot do nothing.
  virtual void keep_checkpoints(const std::filesystem::path& folder, double every_s) { (void)folder, (void)every_s; }
  /// The metrics of one solution.
  virtual Judgement judge(const Case& axes, const Solution& solution) const = 0;
  /// The first rank's number on all ranks of a problem that several processes work on together.
  virtual double agreed(double mine) const { return mine; }
};

/// One method, described as data. Lists, plans, sweeps, cases, records, their schema, tables and comparisons follow.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view title() const = 0;
  virtual std::string_view summary() const = 0;

  /// The axes; `solver`, `backend` and `threads` are among those of every method.
  virtual const std::vector<AxisInfo>& axes() const = 0;
  /// The grammars of its variants' names. Options of the first one are options of `sweep`.
  virtual std::vector<const VariantNames*> variants() const { return {}; }
  virtual std::vector<ListEntry> generators() const { return {}; }
  /// Reference solvers of all scalar types, "lapack:dsytrf". The letter of the type follows ':' and '+'.
  virtual std::vector<ListEntry> baselines() const { return {}; }
  /// Command lines for the help of `sweep`, without "pivotlab sweep METHOD".
  virtual std::vector<std::string> sweep_examples() const { return {}; }
  /// The sections of its records: some of variant, problem, convergence and metrics. A method without one writes null.
  virtual const std::vector<Section>& sections() const {
    static const std::vector<Section> none;
    return none;
  }

  /// The case that axis values stand for: derived values filled in, names in canonical form, '?' replaced.
  /// `axes` holds a value for every axis. Throws InputError "<axis>: …", to which the caller adds the place.
  virtual Case canonical(const Case& axes) const = 0;
  /// The part of a canonical case that determines the problem: all but the axes of another role.
  Case problem(const Case& axes) const;
  virtual Estimate estimate(const Case& axes) const = 0;
  /// Makes the problem of a canonical case; may keep a large one in the folder `cache`, which may not exist yet.
  virtual std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const = 0;

  /// The commands `solve`, for a user's own problem, and `generate`, for a file with a test problem; nullptr: there is
  /// no such command.
  virtual std::shared_ptr<const CommandDescription> solve_command() const { return nullptr; }
  virtual std::shared_ptr<const CommandDescription> generate_command() const { return nullptr; }

  /// The axis by which a case tells how many ranks work on it; empty: the method has no solvers over ranks.
  virtual std::string_view ranks_axis() const { return ""; }
  /// make_problem() by several processes, which call this and all functions of the problem together; each has a part of
  /// it. What they throw is a SharedInputError or SharedNotSupported, or ends them all.
  virtual std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const;
  /// The command `solve` of the program for MPI, run by all ranks together.
  virtual std::shared_ptr<const CommandDescription> solve_command_over(Transport& ranks) const {
    return (void)ranks, nullptr;
  }
};

/// The axis of that name; throws InputError naming the nearest for an unknown one.
const AxisInfo& axis_of(const Method& method, std::string_view name);

using MethodLookup = std::function<const Method&(std::string_view)>;

/// The methods of the program. Each program, and a test with methods of its own, defines this function once.
const std::vector<const Method*>& all_methods();
/// The method of that name; throws InputError naming the nearest for an unknown name.
const Method& find_method(std::string_view name);
std::vector<std::string> method_names();

}  // namespace pivotlab::experiments
