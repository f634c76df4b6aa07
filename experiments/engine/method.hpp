// SPDX-License-Identifier: BSD-3-Clause
// Interface of a method to the engine, which does not know methods by name. The engine makes problems, times and judges
// solutions through this interface, and writes records.
#pragma once

#include <experiments/engine/axis.hpp>
#include <experiments/engine/quantity.hpp>
#include <experiments/engine/value.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <pivotlab/status.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {
class Transport;
class VariantNames;
}  // namespace pivotlab

namespace pivotlab::experiments {

struct CommandDescription;  // experiments/commands/command_description.hpp

/// An entry of `list`: a generator or a baseline, or an option of it.
struct ListEntry {
  std::string name, default_value, summary;
};

/// Estimated time and memory of a case, from a simple model of the machine; accurate to a factor of a few.
struct Estimate {
  double generate_s = 0;  ///< generation of the problem, once for all cases that share it
  double solve_s = 0;     ///< one solution
  double judge_s = 0;     ///< its metrics
  double bytes = 0;       ///< peak memory of the host
  double gpu_bytes = 0;   ///< peak memory of the GPU; 0: the case uses no GPU
};

/// A solution and the time of the algorithm alone. Methods derive their own classes, which hold the factors.
struct Solution {
  virtual ~Solution() = default;
  Status status = Status::passed;  ///< status that the solver reports: passed, not_converged, …
  std::string message;             ///< reason if it is not passed, one line
  double compute_s = 0;            ///< the compute phase, without copies of the input
  bool resumed = false;  ///< resumed from a checkpoint; compute_s includes the time before it, the wall time does not
};

/// A fault of a solver that is not ours; what() is the reason in one line.
class SolverFault : public std::runtime_error {
 public:
  SolverFault(Status given, const std::string& reason) : std::runtime_error(reason), status(given) {}
  Status status;
};

struct Judgement;  // judgement.hpp: not included because it needs JSON

/// A case that is ready to be computed.
class Run {
 public:
  virtual ~Run() = default;
  /// Starts what solve() needs and what the time of a solution leaves out: the process of a solver that is not ours,
  /// which may take this much memory; 0: what is free. Called once, before the first solution. May throw as solve().
  virtual void start(double memory_bytes) { (void)memory_bytes; }
  /// Computes one solution; the wall time of a sample is that of this call. Called several times. May throw;
  /// NotSupported and std::bad_alloc give the statuses not_supported and out_of_memory, a SolverFault its own.
  virtual std::unique_ptr<Solution> solve() const = 0;
  /// Lets solve() write checkpoints into files whose names begin with `path`, every `every_s` seconds, and resume from
  /// those of an interrupted run. By default a method has no checkpoints.
  virtual void keep_checkpoints(const std::filesystem::path& path, double every_s) { (void)path, (void)every_s; }
  /// Computes the metrics of one solution.
  virtual Judgement judge(const Solution& solution) const = 0;
  /// Returns whether a later solution has to be judged, too, because it differs from those before.
  virtual bool differs(const Solution& solution) const { return (void)solution, false; }
  /// Returns the section `own` of the record as JSON, whatever has failed; empty for solvers of ours.
  virtual std::string own_section() const { return {}; }
};

/// A problem in the memory of a worker process.
class Problem {
 public:
  virtual ~Problem() = default;
  /// Interprets a case of this problem, which outlives the result. Allocates nothing on a GPU and computes nothing, so
  /// that the wall time of a solution is that of the library's call. May throw as Run::solve().
  virtual std::unique_ptr<Run> prepare(const Case& axes) const = 0;
  /// Returns the number of the first rank on all ranks, for a problem that several processes share.
  virtual double agreed(double mine) const { return mine; }
};

/// What the verdict `passed` of a method's judge proves about a solution, and what it does not prove.
struct Claims {
  std::string_view proved, unproved;
};

/// One method, described as data. Lists, plans, sweeps, cases, records, their schema, tables and comparisons are
/// derived from it.
class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view title() const = 0;
  virtual std::string_view summary() const = 0;
  virtual Claims claims() const { return {}; }
  /// BibTeX entries of the papers that describe its algorithms, the main one first.
  virtual std::vector<std::string_view> papers() const { return {}; }

  /// The axes; `solver`, `backend` and `threads` are among those of every method. The value of one that is called
  /// `batch` is the number of problems that are solved at once.
  virtual const std::vector<AxisInfo>& axes() const = 0;
  /// The grammars of its variants' names. Options of the first grammar are options of `sweep`.
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

  /// Returns the canonical case: derived values filled in, names in canonical form, '?' replaced. `axes` holds a value
  /// for every axis. Throws InputError "<axis>: …", before which the caller puts the place.
  virtual Case canonical(const Case& axes) const = 0;
  /// Returns the part of a canonical case that determines the problem: the axes with AxisRole::problem.
  Case problem(const Case& axes) const;
  virtual Estimate estimate(const Case& axes) const = 0;
  /// Makes the problem of a canonical case; may store a large one in the folder `cache`, which need not exist.
  virtual std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const = 0;

  /// The commands `solve`, for a user's own problem, and `generate`, for a file with a test problem; nullptr: there is
  /// no such command.
  virtual std::shared_ptr<const CommandDescription> solve_command() const { return nullptr; }
  virtual std::shared_ptr<const CommandDescription> generate_command() const { return nullptr; }

  /// The axis that gives the number of ranks of a case; empty: the method has no solvers over ranks.
  virtual std::string_view ranks_axis() const { return ""; }
  /// The same as make_problem() for several processes, each with a part of the problem. All processes call this
  /// function and all functions of the problem together. Exceptions other than SharedInputError and SharedNotSupported
  /// end all processes.
  virtual std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const;
  /// The command `solve` of pivotlab-mpi, which all ranks run together.
  virtual std::shared_ptr<const CommandDescription> solve_command_over(Transport& ranks) const {
    return (void)ranks, nullptr;
  }
};

/// Returns the axis with that name; throws InputError naming the nearest for an unknown one.
const AxisInfo& axis_of(const Method& method, std::string_view name);

using MethodLookup = std::function<const Method&(std::string_view)>;

/// The methods of the program. Each program, and a test with methods of its own, defines this function once.
const std::vector<const Method*>& all_methods();
/// Returns the method with that name; throws InputError naming the nearest for an unknown name.
const Method& find_method(std::string_view name);
std::vector<std::string> method_names();
/// Returns what an error about an unknown method advises: one of these names and, where the program has been built with
/// one method, a build of all.
std::string method_advice(std::string_view name, const std::vector<std::string>& names);

}  // namespace pivotlab::experiments
