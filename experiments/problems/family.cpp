// SPDX-License-Identifier: BSD-3-Clause
// analysis/own_solver.py calls the function in a process of its own, and answers with its matrices.
#include <fmt/format.h>
#include <experiments/own/own_name.hpp>
#include <experiments/own/python_process.hpp>
#include <experiments/problems/family.hpp>
#include <pivotlab/error.hpp>

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

/// Calls the function; without a problem it is only looked for. Returns its arrays in their order.
std::map<std::string, OwnArray> call(const OwnName& name, const json& problem) {
  try {
    PythonProcess process(json{{"file", name.source},
                               {"function", name.function},
                               {"options", options_for_process(name)},
                               {"problem", problem}},
                          {});
    OwnAnswer answer;
    (void)process.receive(answer);
    return std::move(answer.arrays);
  } catch (const SolverFault& fault) {
    throw InputError(fmt::format("{}:{}: {}", name.source, name.function, fault.what()));
  }
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
  const std::map<std::string, OwnArray> arrays =
      call(name, {{"n", wanted.n}, {"seed", wanted.seed}, {"type", std::string(1, static_cast<char>(wanted.type))}});
  if (arrays.size() != shapes.size())
    throw InputError(fmt::format("{}: has returned {} matrices, must return {}", what, arrays.size(), shapes.size()));
  folder_.emplace();
  for (const auto& [_, array] : arrays) {
    const std::size_t k = paths_.size();
    check_array(array, shapes[k], wanted.type, what);
    AnyMatrix matrix = array.is_complex ? matrix_of<std::complex<double>>(array) : matrix_of<double>(array);
    if (wanted.type == ScalarType::z) matrix = to_complex(std::move(matrix));
    paths_.push_back(folder_->path() / fmt::format("{}.mtx", k));
    write_matrix_market(paths_.back(), matrix);
  }
}

std::string ProblemFiles::renamed(std::string message) const {
  for (const std::string& path : paths_)
    if (const std::size_t at = message.find(path); folder_ && at != std::string::npos)
      message.replace(at, path.size(), generator_);
  return message;
}

}  // namespace pivotlab::experiments
