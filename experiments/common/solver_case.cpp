// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/solver_case.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/own/own_name.hpp>
#include <experiments/problems/axis_values.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/threads.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <map>

namespace pivotlab::experiments {
namespace {

/// Throws InputError naming the nearest for a name that is not among the baselines. A build without LAPACK does not
/// know its names: then every name is accepted, and the case is not supported.
void require_known(const std::string& name, const std::vector<BaselineInfo>& baselines, ScalarType type) {
  std::vector<std::string> names;
  for (const BaselineInfo& one : baselines) names.push_back(one.name);
  const bool library_is_known =
      std::ranges::any_of(names, [&](const std::string& one) { return library_of(one) == library_of(name); });
  if (library_of(name) == "lapack" && !library_is_known) return;
  if (std::ranges::find(names, name) == names.end())
    throw InputError(fmt::format("solver: unknown baseline '{}' for type {}; {}", name, static_cast<char>(type),
                                 nearest_text(name, names)));
}

/// Reads the name of a solver of the user's. Throws InputError for the name of one of ours behind the file.
void read_own_solver(SolverCase& result, const Case& axes,
                     const std::function<std::string(const std::string&)>& read_variant) {
  const OwnName name = parse_own_solver(result.solver);
  const auto is_taken = [&] {
    try {
      (void)read_variant(name.function);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  if (name.kind != OwnKind::pivotlab && is_taken())  // variants of another version have our names
    throw InputError(fmt::format("solver: '{}': '{}' is the name of a variant; choose another name for yours",
                                 result.solver, name.function));
  static std::map<std::string, std::string> digests;  // one file may be the solver of many cases
  result.solver = to_string(name);
  result.backend = "own";
  if (const auto known = axes.find("solver_digest"); known != axes.end()) {
    result.solver_digest = to_string(known->second);
  } else {
    std::string& digest = digests[fmt::format("{}:{}", to_string(name.kind), name.source)];
    if (digest.empty()) digest = digest_of(name);
    result.solver_digest = digest;
  }
}

}  // namespace

std::string library_of(std::string_view baseline) {
  return std::string(baseline.substr(0, baseline.find(':')));
}

std::string baseline_of_type(std::string name, ScalarType type, Symmetry symmetry) {
  const bool real = type == ScalarType::d, symmetric = real || symmetry == Symmetry::symmetric;
  for (std::size_t at = 0; (at = name.find('?', at)) != std::string::npos; ++at) {
    const std::string stem = name.substr(at + 1, 2);
    if (stem == "sy" || stem == "he") name.replace(at + 1, 2, symmetric ? "sy" : "he");
    if (stem == "sp" || stem == "hp") name.replace(at + 1, 2, symmetric ? "sp" : "hp");
    if (stem == "or" || stem == "un") name.replace(at + 1, 2, real ? "or" : "un");
    name[at] = static_cast<char>(type);
  }
  return name;
}

void read_solver(SolverCase& result, const Case& axes, const std::vector<BaselineInfo>& baselines,
                 const std::function<std::string(const std::string&)>& read_variant) {
  const std::int64_t threads = integer_axis(axes, "threads", 0);
  if (threads > most_threads)
    throw InputError(
        fmt::format("threads: {} are more than {}, the largest number; take fewer", threads, most_threads));
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.solver = text_axis(axes, "solver");
  if (is_own_solver(result.solver)) {
    read_own_solver(result, axes, read_variant);
  } else if (is_baseline(result.solver)) {
    result.solver = baseline_of_type(std::move(result.solver), result.type, result.symmetry);
    result.backend = library_of(result.solver);
    require_known(result.solver, baselines, result.type);
  } else {
    result.backend = to_string(with_axis_context("backend", [&] { return parse_backend(text_axis(axes, "backend")); }));
    result.solver = with_axis_context("solver", [&] { return read_variant(result.solver); });
  }
  if (result.on_gpu()) result.threads = 1;
}

Case to_case(std::string_view method, const KindOfProblem& kind, const SolverCase& interpreted) {
  Case axes = {{"method", std::string(method)},
               {"solver", interpreted.solver},
               {"backend", interpreted.backend},
               {"threads", std::int64_t{interpreted.threads}}};
  if (interpreted.by_own()) axes["solver_digest"] = interpreted.solver_digest;
  if (interpreted.batch > 1) axes["batch"] = std::int64_t{interpreted.batch};
  write_problem(kind, interpreted, axes);
  return axes;
}

}  // namespace pivotlab::experiments
