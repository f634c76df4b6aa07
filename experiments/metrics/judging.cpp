// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/metrics/judging.hpp>

#include <cmath>

namespace pivotlab::experiments {

std::string_view to_string(JudgePrecision precision) {
  switch (precision) {
    case JudgePrecision::quad:
      return "quad";
    case JudgePrecision::double_double:
      return "double-double";
    default:
      return "exact products";
  }
}

std::string_view to_string(JudgeDevice device) {
  return device == JudgeDevice::host ? "host" : "gpu";
}

std::string describe_failures(const std::vector<BoundedMetric>& metrics) {
  std::string text;
  for (const auto& [name, value, bound] : metrics) {
    const bool exists = !std::isnan(value) && !std::isnan(bound);
    if ((exists && value <= bound) || bound == std::numeric_limits<double>::infinity()) continue;
    text += text.empty() ? "" : ", ";
    text += exists ? fmt::format("{} {:.2g} > {:.2g}", name, value, bound) : fmt::format("{} cannot be computed", name);
  }
  return text;
}

}  // namespace pivotlab::experiments
