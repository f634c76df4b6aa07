// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python, solvers of shared libraries, and other versions of pivotlab: analysis/own_solver.py runs in the
// process, loads the file, and answers. A message in either direction is a line of JSON, whose member `arrays` lists
// [name, is complex, shape] of the arrays that follow it as bytes by columns.
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/own/own_solver.hpp>
#include <experiments/own/results.hpp>
#include <pivotlab/error.hpp>
#include <support/timer.hpp>

#include <unistd.h>
#include <optional>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

constexpr std::size_t most_printed = 2048;

std::vector<std::string> harness_command() {
  std::string python = find_python();
  if (python.empty())
    throw SolverFault(Status::not_supported, "there is no Python interpreter; install python3 or set PIVOTLAB_PYTHON");
  if (python.find('/') == std::string::npos) python = find_on_path(python);
  return {python, resource("analysis/own_solver.py").string()};
}

/// The process with the conversation.
class PythonProcess {
 public:
  PythonProcess(const OwnName& name, const std::string& method, const Child::Limits& limits)
      : child_(harness_command(), limits, true) {
    json options = json::object();
    for (const auto& [option, value] : name.options) std::visit([&](const auto& x) { options[option] = x; }, value);
    say({{"kind", to_string(name.kind)},
         {"file", loaded_file(name)},
         {"function", name.function},
         {"options", options},
         {"method", method}});
  }

  void say(const json& message) const {
    child_.send(message.dump(-1, ' ', false, json::error_handler_t::replace) + '\n');
  }
  void send(std::string_view bytes) const { child_.send(bytes); }

  /// Receives a message; its arrays go to `answer`. Throws SolverFault for a fault that it reports, and for its end.
  json receive(OwnAnswer& answer) {
    std::string line;
    for (char c = 0; c != '\n'; line += c)
      if (line.size() > longest_line || !child_.receive(&c, 1)) fail_for_end();
    json message = parse_json<json>(line, "the solver's answer");
    if (message.contains("fault")) {
      traceback_ = message["traceback"];
      throw SolverFault(status_from_string(message["status"].get<std::string>()), message["fault"]);
    }
    for (const json& one : message.value("arrays", json::array())) {
      OwnArray array{.is_complex = one.at(1), .shape = one.at(2)};
      std::size_t bytes = array.is_complex ? 16 : 8;
      for (const Index length : array.shape) bytes *= static_cast<std::size_t>(length);
      array.bytes.resize(bytes);
      if (!child_.receive(array.bytes.data(), bytes)) fail_for_end();
      answer.arrays[one.at(0)] = std::move(array);
    }
    return message;
  }

  const std::string& traceback() const { return traceback_; }
  std::string printed() const { return child_.printed(most_printed); }

 private:
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  [[noreturn]] void fail_for_end() { throw SolverFault(Status::failed, describe_death(child_.wait(), printed())); }

  Child child_;
  std::string traceback_;
};

class PythonSolver final : public OwnSolver {
 public:
  PythonSolver(OwnName name, const std::string& digest, const Child::Limits& limits)
      : OwnSolver(std::move(name), digest, limits) {}

  void start(const OwnProblem& problem) override {
    const Timer timer;
    process_.emplace(name_, problem.method, limits_);
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

  std::optional<PythonProcess> process_;
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
    (void)PythonProcess(name, method, {}).receive(nothing);
  } catch (const SolverFault& fault) {
    name.options.clear();
    throw InputError(fmt::format("solver: {}: {}", to_string(name), fault.what()));
  }
}

std::string OwnSolver::section() const {
  return section_.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace pivotlab::experiments
