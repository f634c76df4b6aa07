// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/metrics/judging.hpp>

#include <cmath>
#include <cstdlib>
#include <pivotlab/error.hpp>

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

JudgeOptions judge_options_of_environment() {
  const char* name = std::getenv("PIVOTLAB_JUDGE");
  if (name == nullptr) return {};
  for (const JudgePrecision precision :
       {JudgePrecision::quad, JudgePrecision::double_double, JudgePrecision::exact_products})
    if (to_string(precision) == name) return {.precision = precision};
  throw InputError(fmt::format("PIVOTLAB_JUDGE: is '{}'; take quad, double-double or exact products", name));
}

std::string_view to_string(JudgeDevice device) {
  return device == JudgeDevice::host ? "host" : "gpu";
}

std::string_view to_string(Reference reference) {
  switch (reference) {
    case Reference::construction:
      return "construction";
    case Reference::extended:
      return "extended";
    case Reference::residuals:
      return "residuals";
    case Reference::refined:
      return "refined";
    default:
      return "double";
  }
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
