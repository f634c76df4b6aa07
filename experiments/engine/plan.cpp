// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/record_store.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::experiments {
namespace {

bool is_excluded(const Case& axes, const std::vector<Case>& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](const Case& rule) {
    return std::all_of(rule.begin(), rule.end(), [&](const auto& item) {
      const auto axis = axes.find(item.first);
      return axis != axes.end() && matches(axis->second, to_string(item.second));
    });
  });
}

/// Axes that advance together.
struct Digit {
  std::vector<const Axis*> axes;
  std::vector<std::size_t> positions;  ///< positions of values that no rule on these axes excludes

  void set(Case& values, std::size_t position) const {
    for (const Axis* axis : axes) values[axis->name] = axis->values[position];
  }
};

void find_positions(Digit& digit, const std::vector<Case>& rules) {
  for (std::size_t k = 0; k < digit.axes.front()->values.size(); ++k) {
    Case values;
    digit.set(values, k);
    if (!is_excluded(values, rules)) digit.positions.push_back(k);
  }
}

/// Returns single axes and zipped groups; a group is at the place of its first axis.
std::vector<Digit> make_digits(const Spec& spec) {
  const auto group_of = [&](const std::string& name) {
    return std::find_if(spec.zip.begin(), spec.zip.end(),
                        [&](const auto& group) { return std::find(group.begin(), group.end(), name) != group.end(); });
  };
  std::vector<Digit> digits;
  std::map<const std::vector<std::string>*, std::size_t> place;
  for (const Axis& axis : spec.axes) {
    const auto group = group_of(axis.name);
    const bool zipped = group != spec.zip.end();
    if (zipped && place.contains(&*group)) {
      digits[place[&*group]].axes.push_back(&axis);
    } else {
      if (zipped) place[&*group] = digits.size();
      digits.push_back({{&axis}, {}});
    }
  }
  for (Digit& digit : digits) find_positions(digit, spec.exclude);
  return digits;
}

void check_count(const std::vector<Digit>& digits, const Spec& spec, std::uint64_t max_cases) {
  double count = 1;  // a product of sizes may have hundreds of digits
  for (const Digit& digit : digits) count *= static_cast<double>(digit.positions.size());
  if (count > static_cast<double>(max_cases))
    throw InputError(
        fmt::format("{}: axes: make {:.{}g} cases, at most {} are planned; take fewer values, or allow more with "
                    "--max-cases",
                    spec.name, count, count < 1e15 ? 15 : 3, max_cases));
}

/// Calls visit(case) for every combination, the last digit fastest.
template <class Visit>
void cross(const std::vector<Digit>& digits, Visit visit) {
  std::vector<std::size_t> position(digits.size(), 0);
  while (std::ranges::none_of(digits, [](const Digit& digit) { return digit.positions.empty(); })) {
    Case axes;
    for (std::size_t d = 0; d < digits.size(); ++d) digits[d].set(axes, digits[d].positions[position[d]]);
    visit(axes);
    std::size_t d = digits.size();
    while (d > 0 && ++position[d - 1] == digits[d - 1].positions.size()) position[--d] = 0;
    if (d == 0) return;
  }
}

/// Writes defaults into the spec, so that the manifest of a run is complete and a changed default is detected.
void fill_in_defaults(Spec& spec, const Method& method) {
  for (const AxisInfo& info : method.axes())
    if (std::ranges::find(spec.axes, info.name, &Axis::name) == spec.axes.end())
      spec.axes.push_back({info.name, {info.default_value}});
}

/// Returns the canonical case. Error messages give the place in the spec that sets the value of the axis.
Case canonical_case(const Spec& spec, const Method& method, const Case& axes) {
  try {
    return method.canonical(resolve_multiples(axes, method.axes()));
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const AxisInfo& axis : method.axes())
      if (message.starts_with(axis.name + ": "))
        throw InputError(place_of(spec, axis, axes) + message.substr(axis.name.size()));
    throw InputError(fmt::format("{}: {}", spec.origin.empty() ? spec.name : spec.origin, message));
  }
}

struct Condition {
  std::string axis;
  std::vector<std::string> patterns;
};

Condition parse_condition(std::string_view text, const std::set<std::string>& known) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InputError(fmt::format("--filter: '{}': is not a condition; write axis=pattern, for example n=512", text));
  Condition condition{std::string(text.substr(0, equals)), {}};
  if (!known.contains(condition.axis))
    throw InputError(fmt::format("--filter: '{}': unknown axis '{}'; {}", text, condition.axis,
                                 nearest_text(condition.axis, known)));
  for (const Value& pattern : expand_values(text.substr(equals + 1))) condition.patterns.push_back(to_string(pattern));
  return condition;
}

bool fulfils(const Case& axes, const Condition& condition) {
  const auto axis = axes.find(condition.axis);
  return axis != axes.end() && std::any_of(condition.patterns.begin(), condition.patterns.end(),
                                           [&](const std::string& pattern) { return matches(axis->second, pattern); });
}

}  // namespace

Plan make_plan(const Spec& spec, const MethodLookup& find, std::uint64_t max_cases) {
  Plan plan{spec, &find(spec.method), {}};
  fill_in_defaults(plan.spec, *plan.method);
  validate(plan.spec, find);

  std::set<std::string> keys;
  std::map<Case, std::size_t> groups;
  const std::vector<Digit> digits = make_digits(plan.spec);
  check_count(digits, plan.spec, max_cases);
  cross(digits, [&](const Case& axes) {
    if (is_excluded(axes, spec.exclude)) return;
    PlannedCase planned;
    planned.axes = canonical_case(plan.spec, *plan.method, axes);
    planned.key = case_key(planned.axes);
    if (is_excluded(planned.axes, spec.exclude) || !keys.insert(planned.key).second) return;
    planned.group = groups.try_emplace(plan.method->problem(planned.axes), groups.size()).first->second;
    planned.estimate = plan.method->estimate(planned.axes);
    plan.cases.push_back(std::move(planned));
  });
  if (plan.cases.empty())
    throw InputError(fmt::format("{}: exclude: leaves no case; loosen the exclusions", plan.spec.name));
  std::stable_sort(plan.cases.begin(), plan.cases.end(),
                   [](const PlannedCase& a, const PlannedCase& b) { return a.group < b.group; });
  return plan;
}

void filter(Plan& plan, const std::vector<std::string>& filters) {
  std::set<std::string> known;
  for (const PlannedCase& planned : plan.cases)
    for (const auto& [name, value] : planned.axes) known.insert(name);
  for (const std::string& text : filters)
    for (const std::string& part : split_list(text)) {
      const Condition condition = parse_condition(part, known);
      std::erase_if(plan.cases, [&](const PlannedCase& planned) { return !fulfils(planned.axes, condition); });
      if (plan.cases.empty()) throw InputError(fmt::format("--filter: '{}': matches no case; loosen it", part));
    }
}

void keep(Plan& plan, const std::function<bool(const std::string& key)>& contains) {
  std::erase_if(plan.cases, [&](const PlannedCase& planned) { return !contains(planned.key); });
}

PlanEstimate estimate(const Plan& plan) {
  // Three samples are enough to estimate the spread; most cases need no more.
  const Timing& timing = plan.spec.timing;
  const int samples = std::max(timing.min_repeats, std::min(3, timing.max_repeats));
  PlanEstimate total;
  const PlannedCase* previous = nullptr;
  for (const PlannedCase& planned : plan.cases) {
    const Estimate& one = planned.estimate;
    if (previous == nullptr || previous->group != planned.group) total.seconds += one.generate_s;
    const double measured = std::max(one.solve_s, std::min(samples * one.solve_s, timing.budget_s + one.solve_s));
    total.seconds += timing.warmup * one.solve_s + measured + one.judge_s;
    total.bytes = std::max(total.bytes, one.bytes);
    previous = &planned;
  }
  return total;
}

std::filesystem::path run_directory(const std::filesystem::path& out, const Spec& spec) {
  return out / spec.name;
}

std::vector<std::string> case_states(const Plan& plan, const std::filesystem::path& out) {
  return case_states(plan, RecordStore(run_directory(out, plan.spec)));
}

std::vector<std::string> case_states(const Plan& plan, const RecordStore& records) {
  std::vector<std::string> states;
  for (const PlannedCase& planned : plan.cases) {
    const auto record = records.find(planned.key);
    states.push_back(record ? record->at("status").get<std::string>() : "missing");
  }
  return states;
}

}  // namespace pivotlab::experiments
