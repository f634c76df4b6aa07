// SPDX-License-Identifier: BSD-3-Clause
// The conversation with a process in which analysis/own_solver.py runs. A message in either direction is a line of
// JSON, whose member `arrays` lists [name, is complex, shape] of the arrays that follow it as bytes by columns.
#pragma once

#include <experiments/own/answer.hpp>
#include <experiments/own/child.hpp>
#include <experiments/own/own_name.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

class PythonProcess {
 public:
  /// Starts it with this first message. Throws SolverFault if there is no Python interpreter.
  PythonProcess(const nlohmann::json& first, const Child::Limits& limits);

  void say(const nlohmann::json& message) const;
  void send(std::string_view bytes) const { child_.send(bytes); }

  /// Receives a message; its arrays go to `answer`. Throws SolverFault for a fault that it reports, and for its end.
  nlohmann::json receive(OwnAnswer& answer);

  const std::string& traceback() const { return traceback_; }
  std::string printed() const;

 private:
  [[noreturn]] void fail_for_end();

  Child child_;
  std::string traceback_;
};

/// Returns the options of a name as the process takes them.
nlohmann::json options_for_process(const OwnName& name);

}  // namespace pivotlab::experiments
