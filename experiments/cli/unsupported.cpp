// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/status.hpp>

#include <algorithm>
#include <experiments/cli/unsupported.hpp>
#include <experiments/engine/record_store.hpp>
#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::cli {
namespace {

using experiments::Plan;
using experiments::Value;

/// Returns for each case why it is not supported; nothing if it ran or has no record.
std::vector<std::optional<std::string>> reasons_of(const Plan& plan, const std::filesystem::path& run) {
  const experiments::RecordStore records(run);
  std::vector<std::optional<std::string>> reasons;
  for (const experiments::PlannedCase& planned : plan.cases) {
    const auto record = records.find(planned.key);
    const bool refused = record && record->at("status") == std::string(to_string(Status::not_supported));
    reasons.push_back(refused ? std::optional(record->at("message").get<std::string>()) : std::nullopt);
  }
  return reasons;
}

/// Returns the values of the axis that no case has.
std::vector<Unsupported> without_cases(const Plan& plan, const std::string& axis) {
  const auto found = std::ranges::find(plan.spec.axes, axis, &experiments::Axis::name);
  std::vector<Unsupported> values;
  if (found == plan.spec.axes.end()) return values;
  const std::string& why = experiments::axis_of(*plan.method, axis).without_cases;
  if (why.empty()) return values;
  for (const Value& value : found->values) {
    const bool has_case = std::ranges::any_of(plan.cases, [&](const experiments::PlannedCase& planned) {
      const auto own = planned.axes.find(axis);
      return own != planned.axes.end() && own->second == value;
    });
    if (!has_case) values.push_back({axis, experiments::to_string(value), 0, why});
  }
  return values;
}

bool is_named(const Plan& plan, const std::string& axis, const Value& value) {
  if (axis == "solver") return true;
  const auto found = std::ranges::find(plan.spec.axes, axis, &experiments::Axis::name);
  return found != plan.spec.axes.end() && std::ranges::find(found->values, value) != found->values.end();
}

}  // namespace

std::vector<Unsupported> find_unsupported(const Plan& plan, const std::filesystem::path& run,
                                          const std::vector<std::string>& named_axes) {
  const auto reasons = reasons_of(plan, run);
  std::vector<Unsupported> found;
  std::set<std::size_t> covered;
  for (const std::string& axis : named_axes) {
    for (Unsupported& value : without_cases(plan, axis)) found.push_back(std::move(value));
    std::map<Value, std::vector<std::size_t>> cases_of;
    for (std::size_t k = 0; k < plan.cases.size(); ++k)
      if (const auto value = plan.cases[k].axes.find(axis); value != plan.cases[k].axes.end())
        if (!covered.contains(k) && is_named(plan, axis, value->second)) cases_of[value->second].push_back(k);
    for (const auto& [value, cases] : cases_of) {
      if (!std::ranges::all_of(cases, [&](std::size_t k) { return reasons[k].has_value(); })) continue;
      found.push_back({axis, experiments::to_string(value), cases.size(), *reasons[cases.front()]});
      covered.insert(cases.begin(), cases.end());
    }
  }
  return found;
}

std::string describe(const Unsupported& unsupported) {
  if (unsupported.cases == 0)
    return fmt::format("{} {}: no case has it; {}", unsupported.axis, unsupported.value, unsupported.reason);
  return fmt::format(
      "{} {} is not supported here, {}: {}", unsupported.axis, unsupported.value,
      unsupported.cases == 1 ? "its case did not run" : fmt::format("none of its {} cases ran", unsupported.cases),
      unsupported.reason);
}

}  // namespace pivotlab::cli
