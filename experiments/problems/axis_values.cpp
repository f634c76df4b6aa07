// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/problems/axis_values.hpp>

namespace pivotlab::experiments {

std::int64_t integer_axis(const Case& axes, const char* name, std::int64_t least) {
  const auto value = std::get<std::int64_t>(axes.at(name));
  if (value < least) throw InputError(fmt::format("{}: is {}, must be at least {}", name, value, least));
  return value;
}

double number_axis(const Case& axes, const char* name) {
  const Value& value = axes.at(name);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

const std::string& text_axis(const Case& axes, const char* name) {
  return std::get<std::string>(axes.at(name));
}

bool flag_axis(const Case& axes, const char* name) {
  const auto found = axes.find(name);
  return found != axes.end() && std::get<bool>(found->second);
}

ScalarType type_axis(const Case& axes) {
  const std::string& name = text_axis(axes, "type");
  if (name == "d") return ScalarType::d;
  if (name == "z") return ScalarType::z;
  throw InputError(fmt::format("type: unknown scalar type '{}'; take d (real) or z (complex)", name));
}

std::uint64_t seed_axis(const Case& axes) {
  return static_cast<std::uint64_t>(integer_axis(axes, "seed", 0));
}

}  // namespace pivotlab::experiments
