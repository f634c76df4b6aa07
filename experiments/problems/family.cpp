// SPDX-License-Identifier: BSD-3-Clause
// analysis/own_solver.py calls the function in a process of its own, and answers with its matrices.
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/own/answer.hpp>
#include <experiments/own/child.hpp>
#include <experiments/own/own_name.hpp>
#include <experiments/problems/family.hpp>
#include <pivotlab/error.hpp>

#include <stdlib.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Runs an action whose errors are of solvers; they become errors of the generator.
template <class Action>
auto as_generator(Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    std::string message = error.what();
    if (message.starts_with("solver: ")) message = message.substr(message.find(' ') + 1);
    throw InputError("generator: " + message);
  }
}

std::vector<std::string> command_of_family() {
  std::string python = find_python();
  if (python.empty())
    throw NotSupported("there is no Python interpreter for the generator; install python3 or set PIVOTLAB_PYTHON");
  if (python.find('/') == std::string::npos) python = find_on_path(python);
  return {python, resource("analysis/own_solver.py").string()};
}

/// Receives a message and its arrays; `what` begins the message of an InputError for a fault.
json receive(Child& child, std::vector<OwnArray>& arrays, const std::string& what) {
  constexpr std::size_t longest_line = std::size_t{1} << 20, most_printed = 2048;
  const auto require = [&](bool received) {
    if (!received) throw InputError(what + ": " + describe_death(child.wait(), child.printed(most_printed)));
  };
  std::string line;
  for (char c = 0; c != '\n'; line += c) require(line.size() <= longest_line && child.receive(&c, 1));
  json message = parse_json<json>(line, "the answer of a generator");
  if (message.contains("fault")) throw InputError(what + ": " + message["fault"].get<std::string>());
  for (const json& one : message.at("arrays")) {
    OwnArray& array = arrays.emplace_back(OwnArray{.is_complex = one.at(1), .shape = one.at(2)});
    std::size_t bytes = array.is_complex ? 2 * sizeof(double) : sizeof(double);
    for (const Index length : array.shape) bytes *= static_cast<std::size_t>(length);
    array.bytes.resize(bytes);
    require(child.receive(array.bytes.data(), bytes));
  }
  return message;
}

/// Calls the function; without a problem it is only looked for.
std::vector<OwnArray> call(const OwnName& name, const json& problem) {
  json options = json::object();
  for (const auto& [option, value] : name.options) std::visit([&](const auto& x) { options[option] = x; }, value);
  Child child(command_of_family(), {}, true);
  child.send(json{{"file", name.source}, {"function", name.function}, {"options", options}, {"problem", problem}}.dump(
                 -1, ' ', false, json::error_handler_t::replace) +
             '\n');
  std::vector<OwnArray> arrays;
  (void)receive(child, arrays, fmt::format("{}:{}", name.source, name.function));
  return arrays;
}

template <class T>
AnyMatrix matrix_of(const OwnArray& array) {
  Matrix<T> matrix(array.shape[0], array.shape[1]);
  std::memcpy(static_cast<void*>(matrix.data()), array.bytes.data(), array.bytes.size());
  return matrix;
}

void check_array(const OwnArray& array, std::pair<Index, Index> shape, ScalarType type, const std::string& what) {
  const std::vector<Index> wanted{shape.first, shape.second};
  if (array.shape != wanted)
    throw InputError(fmt::format("{}: has returned an array of shape ({}), must return ({})", what,
                                 fmt::join(array.shape, ", "), fmt::join(wanted, ", ")));
  const auto* numbers = reinterpret_cast<const double*>(array.bytes.data());
  if (!std::all_of(numbers, numbers + array.bytes.size() / sizeof(double), [](double x) { return std::isfinite(x); }))
    throw InputError(fmt::format("{}: has returned NaN or Inf", what));
  if (array.is_complex && type == ScalarType::d)
    throw InputError(fmt::format("{}: has returned complex numbers, for type d; take --type z", what));
}

}  // namespace

bool is_family(std::string_view generator) {
  return is_own_solver(generator) && generator.substr(0, generator.find(':')).ends_with(".py");
}

void read_family(ProblemCase& problem, const Case& axes) {
  static std::map<std::string, std::string> digests;  // one file may make many problems
  as_generator([&] {
    const OwnName name = parse_own_solver(problem.generator);
    problem.generator = to_string(name);
    if (const auto known = axes.find("digest"); known != axes.end()) {
      problem.digest = to_string(known->second);
    } else {
      std::string& digest = digests[name.source];
      if (digest.empty()) digest = digest_of(name);
      problem.digest = digest;
    }
  });
}

void check_family(const std::string& generator) {
  as_generator([&] { return call(parse_own_solver(generator), nullptr); });
}

ProblemFiles::ProblemFiles(const ProblemCase& wanted, const std::vector<std::pair<Index, Index>>& shapes)
    : generator_(wanted.generator) {
  if (!is_family(wanted.generator)) {
    paths_ = {path_of(wanted.generator)};
    return;
  }
  const OwnName name = parse_own_solver(wanted.generator);
  const std::string what = fmt::format("{}:{}", name.source, name.function);
  if (digest_of(name) != wanted.digest)
    throw InputError(fmt::format("{}: has changed since the run was started; start it again", name.source));
  const std::vector<OwnArray> arrays =
      call(name, {{"n", wanted.n}, {"seed", wanted.seed}, {"type", std::string(1, static_cast<char>(wanted.type))}});
  if (arrays.size() != shapes.size())
    throw InputError(fmt::format("{}: has returned {} matrices, must return {}", what, arrays.size(), shapes.size()));
  std::string pattern = (fs::temp_directory_path() / "pivotlab-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw InputError(fmt::format("{}: cannot be made; set TMPDIR", pattern));
  folder_ = pattern;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    check_array(arrays[k], shapes[k], wanted.type, what);
    AnyMatrix matrix = arrays[k].is_complex ? matrix_of<std::complex<double>>(arrays[k]) : matrix_of<double>(arrays[k]);
    if (wanted.type == ScalarType::z) matrix = to_complex(std::move(matrix));
    paths_.push_back(folder_ / fmt::format("{}.mtx", k));
    write_matrix_market(paths_.back(), matrix);
  }
}

std::string ProblemFiles::renamed(std::string message) const {
  for (const std::string& path : paths_)
    if (const std::size_t at = message.find(path); !folder_.empty() && at != std::string::npos)
      message.replace(at, path.size(), generator_);
  return message;
}

ProblemFiles::~ProblemFiles() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace pivotlab::experiments
