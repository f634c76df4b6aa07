// SPDX-License-Identifier: BSD-3-Clause
// Checks of specs, whether from a file or from options.
#include <fmt/format.h>
#include <experiments/engine/spec.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pivotlab::experiments {
namespace {

class Validator {
 public:
  Validator(const Spec& spec, const Method& method) : spec_(spec), method_(method) {}

  void check() const {
    check_name();
    check_axes();
    check_zip();
    for (const Case& rule : spec_.exclude)
      for (const auto& [name, value] : rule) (void)known_axis("exclude", name);
    check_timing();
  }

 private:
  [[noreturn]] void fail(std::string_view place, std::string_view what) const {
    throw InputError(fmt::format("{}: {}: {}", spec_.origin.empty() ? spec_.name : spec_.origin, place, what));
  }

  void check_name() const {
    // The name is the name of a folder; a leading point would hide it or refer to a folder outside the runs.
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    if (spec_.name.empty() || spec_.name.front() == '.' || spec_.name.find_first_not_of(letters) != std::string::npos)
      fail("name", fmt::format("'{}' cannot name a folder; use letters, digits, '.', '_' and '-'", spec_.name));
  }

  const AxisInfo& known_axis(std::string_view place, const std::string& name) const {
    try {
      return axis_of(method_, name);
    } catch (const InputError& error) {
      fail(place, error.what());
    }
  }

  void check_axes() const {
    std::set<std::string> seen;
    for (const Axis& axis : spec_.axes) {
      const AxisInfo& info = known_axis("axes", axis.name);
      const std::string place = "axes." + axis.name;
      if (!seen.insert(axis.name).second) fail(place, "the axis is given twice; join its values");
      if (axis.values.empty()) fail(place, "an axis needs at least one value");
      try {
        for (const Value& value : axis.values) (void)parse_value(info, value);
      } catch (const InputError& error) {
        fail(place, error.what());
      }
    }
  }

  void check_zip() const {
    std::set<std::string> seen;
    for (const auto& group : spec_.zip) {
      if (group.size() < 2) fail("zip", "a group needs two axes or more");
      std::size_t length = 0;
      for (const std::string& name : group) {
        (void)known_axis("zip", name);
        const auto axis =
            std::find_if(spec_.axes.begin(), spec_.axes.end(), [&](const Axis& a) { return a.name == name; });
        if (axis == spec_.axes.end()) fail("zip", fmt::format("axis '{}' has no values; add it to axes", name));
        if (!seen.insert(name).second) fail("zip", fmt::format("axis '{}' occurs twice; keep one", name));
        if (length != 0 && axis->values.size() != length)
          fail("zip", fmt::format("axis '{}' has {} values where '{}' has {}; give them as many", name,
                                  axis->values.size(), group.front(), length));
        length = axis->values.size();
      }
    }
  }

  void check_timing() const {
    const Timing& timing = spec_.timing;
    const auto not_negative = [&](const char* key, double value) {
      if (!(value >= 0) || !std::isfinite(value))
        fail(fmt::format("timing.{}", key), fmt::format("is {}, must not be negative", value));
    };
    not_negative("warmup", timing.warmup);
    not_negative("relative_spread", timing.relative_spread);
    not_negative("until", timing.until);
    not_negative("budget_s", timing.budget_s);
    not_negative("timeout_s", timing.timeout_s);
    if (timing.min_repeats < 1)
      fail("timing.min_repeats", fmt::format("is {}, must be at least 1", timing.min_repeats));
    if (timing.max_repeats < timing.min_repeats)
      fail("timing.max_repeats",
           fmt::format("is {}, must be at least min_repeats = {}", timing.max_repeats, timing.min_repeats));
  }

  const Spec& spec_;
  const Method& method_;
};

}  // namespace

void validate(const Spec& spec, const MethodLookup& find) {
  Validator(spec, find(spec.method)).check();
}

std::string place_of(const Spec& spec, const AxisInfo& axis, const Case& axes) {
  if (spec.origin.empty()) return option_of(axis);
  std::string place = fmt::format("{}: axes.{}", spec.origin, axis.name);
  const auto given = std::ranges::find(spec.axes, axis.name, &Axis::name);
  const auto value = axes.find(axis.name);
  if (given == spec.axes.end() || value == axes.end() || given->items.size() != given->values.size()) return place;
  const auto found = std::ranges::find(given->values, value->second);
  if (std::ranges::count(given->values, value->second) != 1) return place;
  return fmt::format("{}[{}]", place, given->items[found - given->values.begin()]);
}

}  // namespace pivotlab::experiments
