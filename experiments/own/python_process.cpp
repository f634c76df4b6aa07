// SPDX-License-Identifier: BSD-3-Clause
// The protocol of analysis/own_solver.py.
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/own/python_process.hpp>

namespace pivotlab::experiments {

using nlohmann::json;

namespace {

std::vector<std::string> harness_command() {
  std::string python = find_python();
  if (python.empty())
    throw SolverFault(Status::not_supported, "there is no Python interpreter; install python3 or set PIVOTLAB_PYTHON");
  if (python.find('/') == std::string::npos) python = find_on_path(python);
  return {python, resource("analysis/own_solver.py").string()};
}

}  // namespace

PythonProcess::PythonProcess(const json& first, const Child::Limits& limits) : child_(harness_command(), limits, true) {
  say(first);
}

void PythonProcess::say(const json& message) const {
  child_.send(message.dump(-1, ' ', false, json::error_handler_t::replace) + '\n');
}

json PythonProcess::receive(OwnAnswer& answer) {
  constexpr std::size_t longest_line = std::size_t{1} << 20;
  std::string line;
  for (char c = 0; c != '\n'; line += c)
    if (line.size() > longest_line || !child_.receive(&c, 1)) fail_for_end();
  json message = parse_json<json>(line, "the process's answer");
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

std::string PythonProcess::printed() const {
  constexpr std::size_t most_printed = 2048;
  return child_.printed(most_printed);
}

void PythonProcess::fail_for_end() {
  throw SolverFault(Status::failed, describe_death(child_.wait(), printed()));
}

json options_for_process(const OwnName& name) {
  json options = json::object();
  for (const auto& [option, value] : name.options) std::visit([&](const auto& x) { options[option] = x; }, value);
  return options;
}

}  // namespace pivotlab::experiments
