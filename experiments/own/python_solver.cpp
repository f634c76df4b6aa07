// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python, solvers of shared libraries, and other versions of pivotlab: analysis/own_solver.py runs in the
// process, loads the file, and answers (python_process.hpp).
#include <fmt/format.h>
#include <experiments/own/own_solver.hpp>
#include <experiments/own/python_process.hpp>
#include <experiments/own/results.hpp>
#include <pivotlab/error.hpp>
#include <support/timer.hpp>

#include <memory>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

std::unique_ptr<PythonProcess> started(const OwnName& name, const std::string& method, const Child::Limits& limits) {
  return std::make_unique<PythonProcess>(json{{"kind", to_string(name.kind)},
                                              {"file", loaded_file(name)},
                                              {"function", name.function},
                                              {"options", options_for_process(name)},
                                              {"method", method}},
                                         limits);
}

class PythonSolver final : public OwnSolver {
 public:
  PythonSolver(OwnName name, const std::string& digest, const Child::Limits& limits)
      : OwnSolver(std::move(name), digest, limits) {}

  void start(const OwnProblem& problem) override {
    const Timer timer;
    process_ = started(name_, problem.method, limits_);
    json arrays = json::array();
    for (const OwnInput& one : problem.inputs) arrays.push_back({one.name, one.is_complex, one.shape});
    attend([&] {
      OwnAnswer nothing;
      section_.update(process_->receive(nothing).at("identity"));
      process_->say({{"arrays", arrays}, {"signs", problem.signs}, {"results", result_names(problem.method)}});
      for (const OwnInput& one : problem.inputs) process_->send(one.bytes());
      (void)process_->receive(nothing);
    });
    section_["start_s"] = timer.seconds();
  }

  OwnAnswer solve() override {
    OwnAnswer answer;
    attend([&] {
      process_->say({{"solve", true}});
      const json message = process_->receive(answer);
      answer.seconds = message.at("seconds");
      section_["values"] = message.at("values");
    });
    return answer;
  }

 private:
  /// Keeps what the process has printed, and the traceback, also when it has failed.
  template <class Action>
  void attend(Action action) {
    try {
      action();
      section_["output"] = process_->printed();
    } catch (...) {
      section_["output"] = process_->printed();
      section_["traceback"] = process_->traceback();
      throw;
    }
  }

  std::unique_ptr<PythonProcess> process_;
};

}  // namespace

std::unique_ptr<OwnSolver> make_python_solver(OwnName name, const std::string& digest, const Child::Limits& limits) {
  return std::make_unique<PythonSolver>(std::move(name), digest, limits);
}

std::unique_ptr<OwnSolver> make_own_solver(const std::string& text, const std::string& digest,
                                           const Child::Limits& limits) {
  OwnName name = parse_own_solver(text);
  if (digest_of(name) != digest)
    throw SolverFault(Status::failed,
                      fmt::format("{}: has changed since the run was started; start it again", name.source));
  const auto make = name.kind == OwnKind::command ? make_command_solver : make_python_solver;
  return make(std::move(name), digest, limits);
}

void check_own_solver(const std::string& text, const std::string& method) {
  OwnName name = parse_own_solver(text);
  if (name.kind == OwnKind::command) return;
  try {
    OwnAnswer nothing;
    (void)started(name, method, {})->receive(nothing);
  } catch (const SolverFault& fault) {
    name.options.clear();
    throw InputError(fmt::format("solver: {}: {}", to_string(name), fault.what()));
  }
}

std::string OwnSolver::section() const {
  return section_.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace pivotlab::experiments
