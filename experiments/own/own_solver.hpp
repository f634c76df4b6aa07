// SPDX-License-Identifier: BSD-3-Clause
// A solver of the user's that runs in a process of its own.
#pragma once

#include <experiments/own/answer.hpp>
#include <experiments/own/child.hpp>
#include <experiments/own/own_name.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace pivotlab::experiments {

class OwnSolver {
 public:
  virtual ~OwnSolver() = default;
  /// Starts its process and gives it the problem, whose elements must outlive it. Throws SolverFault.
  virtual void start(const OwnProblem& problem) = 0;
  virtual OwnAnswer solve() = 0;
  /// Returns the section `own` of the record, as far as it is known.
  std::string section() const;

 protected:
  OwnSolver(OwnName name, const std::string& digest, const Child::Limits& limits)
      : name_(std::move(name)), limits_(limits), section_(identity_of(name_, digest)) {}
  const OwnName name_;
  const Child::Limits limits_;
  nlohmann::json section_;
};

/// Makes the solver of this canonical name. Throws SolverFault if its files no longer have the digest.
std::unique_ptr<OwnSolver> make_own_solver(const std::string& name, const std::string& digest,
                                           const Child::Limits& limits);

/// A solver that analysis/own_solver.py loads: a function of Python, of a library, or of another version of pivotlab.
std::unique_ptr<OwnSolver> make_python_solver(OwnName name, const std::string& digest, const Child::Limits& limits);
std::unique_ptr<OwnSolver> make_command_solver(OwnName name, const std::string& digest, const Child::Limits& limits);

/// Loads the file of a solver for this method in a process, and looks for the function and its options. Throws
/// InputError "solver: …" if one is missing. A command is not examined.
void check_own_solver(const std::string& name, const std::string& method);

}  // namespace pivotlab::experiments
