// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/problems/axis_values.hpp>
#include <experiments/problems/family.hpp>
#include <experiments/problems/kind.hpp>

#include <map>
#include <tuple>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

const ProblemCase& identify(const KindOfProblem& kind, const std::string& generator, Symmetry symmetry) {
  static std::map<std::tuple<const KindOfProblem*, std::string, Symmetry>, ProblemCase> seen;
  const std::tuple key(&kind, generator, symmetry);
  const auto known = seen.find(key);
  return known != seen.end() ? known->second : seen.emplace(key, kind.identify(generator, symmetry)).first->second;
}

void read_rows(const KindOfProblem& kind, const Case& axes, ProblemCase& problem) {
  for (const RowCount& one : kind.rows) {
    const std::int64_t m = integer_axis(axes, one.axis, 0);
    const bool takes_few =
        problem.is_from_files() || (kind.takes_few_rows != nullptr && kind.takes_few_rows(problem.generator));
    if (m != 0 && m < problem.n && !takes_few)
      throw InputError(
          fmt::format("{}: is {}, must be at least n = {} (or 0 for n){}", one.axis, m, problem.n,
                      kind.takes_few_rows == nullptr ? "" : fmt::format(" with generator '{}'", problem.generator)));
    problem.*one.count = m == 0 ? problem.n : static_cast<Index>(m);
  }
}

std::ptrdiff_t elements_of(const KindOfProblem& kind, const ProblemCase& problem) {
  std::ptrdiff_t rows = kind.rows.empty() ? problem.n : 0;
  for (const RowCount& one : kind.rows) rows += problem.*one.count;
  return rows * problem.n;
}

}  // namespace

ProblemCase read_problem(const KindOfProblem& kind, const Case& axes) {
  ProblemCase problem;
  const std::string& generator = text_axis(axes, "generator");
  if (axes.contains("symmetry") && text_axis(axes, "symmetry") == "symmetric") problem.symmetry = Symmetry::symmetric;
  const FileSource* source = find_source(kind.sources, generator);
  const bool is_identified = axes.contains("digest");
  if (source != nullptr && !is_identified) {
    problem = with_axis_context("generator", [&] { return identify(kind, generator, problem.symmetry); });
    problem.generator = generator;
    if (source->permuted || axes.contains("signs")) problem.seed = seed_axis(axes);
  } else if (is_family(generator)) {
    problem.generator = generator;
    problem.type = type_axis(axes);
    problem.n = integer_axis(axes, "n", 1);
    problem.seed = seed_axis(axes);
    read_family(problem, axes);
    read_rows(kind, axes, problem);
  } else {
    problem.generator =
        source != nullptr ? generator : with_axis_context("generator", [&] { return kind.canonical(generator); });
    problem.type = type_axis(axes);
    problem.n = integer_axis(axes, "n", source != nullptr ? 0 : kind.least_order);
    problem.seed = seed_axis(axes);
    if (source != nullptr) problem.digest = text_axis(axes, "digest");
    read_rows(kind, axes, problem);
  }
  if (axes.contains("signs")) problem.signs = text_axis(axes, "signs");
  return problem;
}

void write_problem(const KindOfProblem& kind, const ProblemCase& problem, Case& axes) {
  axes["type"] = std::string(1, static_cast<char>(problem.type));
  axes["n"] = std::int64_t{problem.n};
  axes["generator"] = problem.generator;
  axes["seed"] = static_cast<std::int64_t>(problem.seed);
  for (const RowCount& one : kind.rows) axes[one.axis] = std::int64_t{problem.*one.count};
  if (problem.is_from_files()) axes["digest"] = problem.digest;
  if (!problem.signs.empty()) axes["signs"] = problem.signs;
}

std::vector<ListEntry> entries_of(const std::vector<GeneratorInfo>& generators, std::span<const FileSource> sources) {
  std::vector<ListEntry> entries;
  for (const GeneratorInfo& generator : generators) {
    entries.push_back({generator.name, "", generator.summary});
    for (const auto& option : generator.options)
      entries.push_back({fmt::format("  ;{}=", option.name), option.default_value, option.summary});
  }
  for (const FileSource& source : sources)
    entries.push_back({fmt::format("{}:{}", source.name, source.files), "", std::string(source.summary)});
  return entries;
}

namespace detail {

bool is_cached(const KindOfProblem& kind, const ProblemCase& problem) {
  constexpr std::ptrdiff_t fewest_elements = std::ptrdiff_t{2} * 256 * 256;
  return elements_of(kind, problem) >= fewest_elements && kind.is_slow_to_generate(problem);
}

fs::path cache_file(const fs::path& cache, std::string_view key) {
  return cache / fmt::format("{}-{}.h5", key, build_info().commit.substr(0, 12));
}

void write_to_cache(const fs::path& file, const std::function<void(const fs::path& temporary)>& write) {
  const fs::path temporary = file.string() + fmt::format(".{}.tmp", ::getpid());
  try {
    fs::create_directories(file.parent_path());
    write(temporary);
    fs::rename(temporary, file);
  } catch (const std::exception&) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
  }
}

}  // namespace detail
}  // namespace pivotlab::experiments
