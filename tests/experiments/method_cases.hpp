// SPDX-License-Identifier: BSD-3-Clause
// Cases of a method from its defaults, and small runs from the spec to the records.
#pragma once

#include <experiments/engine/record.hpp>
#include <experiments/problems/axis_values.hpp>
#include <tests/experiments/scratch.hpp>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace pivotlab::experiments {

/// Returns the canonical case of the defaults with changes, which are checked like values of a spec.
inline Case canonical_case(const Method& method, Case changes) {
  Case axes;
  for (const AxisInfo& info : method.axes()) axes[info.name] = info.default_value;
  for (const auto& [name, value] : changes)
    axes[name] = with_axis_context(name.c_str(), [&] { return parse_value(axis_of(method, name), value); });
  return method.canonical(axes);
}

/// Runs with two threads and one sample.
inline Spec small_spec(const Method& method, std::vector<Axis> axes) {
  Spec spec;
  spec.name = "small";
  spec.method = method.name();
  spec.axes = std::move(axes);
  spec.axes.push_back({"threads", integers({2})});
  spec.timing.max_repeats = 1;
  return spec;
}

}  // namespace pivotlab::experiments
