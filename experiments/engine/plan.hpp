// SPDX-License-Identifier: BSD-3-Clause
// The list of cases that a spec stands for.
#pragma once

#include <cstdint>
#include <experiments/engine/method.hpp>
#include <experiments/engine/spec.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pivotlab::experiments {

class RecordStore;

struct PlannedCase {
  std::string key;        ///< case_key(axes)
  Case axes;              ///< canonical
  std::size_t group = 0;  ///< number of the problem; the cases of one problem are consecutive
  Estimate estimate;
};

struct Plan {
  Spec spec;  ///< with the method's defaults filled in
  const Method* method = nullptr;
  std::vector<PlannedCase> cases;
};

/// The default limit for the number of cases of a plan.
inline constexpr std::uint64_t usual_max_cases = 1'000'000;

/// Crosses, zips and excludes; drops repeated cases; groups the cases by problem, problems and cases in the order in
/// which they first appear. Throws InputError for values that the method refuses, if no case is left, and, before axes
/// are crossed, if the axes make more than `max_cases` cases. That count subtracts exclusions that name a single axis
/// or axes of one zip.
Plan make_plan(const Spec& spec, const MethodLookup& find = find_method, std::uint64_t max_cases = usual_max_cases);

/// Keeps the cases that match every filter, each "axis=pattern,axis=pattern" with '*' for any text.
/// A pattern may hold alternatives in braces: "solver=DHZ{0,4}*". Throws InputError for an unknown axis.
void filter(Plan& plan, const std::vector<std::string>& filters);

/// Keeps the cases whose key `contains` accepts; none may be left.
void keep(Plan& plan, const std::function<bool(const std::string& key)>& contains);

/// The estimated total time of all cases in seconds (each problem once, and the fewest samples that `timing` requires)
/// and the largest memory of a case in bytes.
struct PlanEstimate {
  double seconds = 0;
  double bytes = 0;
};
PlanEstimate estimate(const Plan& plan);

/// Returns the folder of a run: <out>/<experiment>.
std::filesystem::path run_directory(const std::filesystem::path& out, const Spec& spec);

/// Returns the state of each case: the status of its record, or "missing", in the order of plan.cases.
std::vector<std::string> case_states(const Plan& plan, const std::filesystem::path& out);
std::vector<std::string> case_states(const Plan& plan, const RecordStore& records);

}  // namespace pivotlab::experiments
