// What a method brings to the engine. The engine knows nothing of GSVD, factorizations or eigenvalues: it makes
// problems, has them solved and timed, has solutions judged, and writes down what it is told.
#pragma once

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
}

namespace pivotlab::experiments {

/// An axis that a method understands.
struct AxisInfo {
  std::string name, summary;
  Value default_value;
  Domain domain = {};  ///< of canonical values; its type is that of the default value
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

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view title() const { return name(); }
  virtual std::string_view summary() const { return ""; }
  virtual const std::vector<AxisInfo>& axes() const = 0;
  /// The sections of its records: some of variant, problem, convergence and metrics. A method without one writes null.
  virtual const std::vector<Section>& sections() const {
    static const std::vector<Section> none;
    return none;
  }
  /// The case that axis values stand for: derived values filled in, names in canonical form, '?' replaced.
  /// `axes` holds a value for every axis. Throws InputError (the place in the spec is added by the caller).
  virtual Case canonical(const Case& axes) const = 0;
  /// The part of a canonical case that determines the problem. Consecutive cases with equal problems share it.
  virtual Case problem(const Case& axes) const = 0;
  virtual Estimate estimate(const Case& axes) const = 0;
  /// Makes the problem of a canonical case; may keep a large one in the folder `cache`, which may not exist yet.
  virtual std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const = 0;
  /// Likewise by several processes, which call this and all functions of the problem together; each has a part of it.
  /// What they throw is a SharedInputError or SharedNotSupported, or ends them all.
  virtual std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const;
};

/// The axis by which a case tells how many ranks work on it.
inline constexpr const char* ranks_axis = "ranks";

using MethodLookup = std::function<const Method&(std::string_view)>;

/// A built-in method; throws InputError naming the nearest for an unknown name.
const Method& find_method(std::string_view name);
std::vector<std::string> method_names();
const std::vector<const Method*>& all_methods();

}  // namespace pivotlab::experiments
