// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {

void JsonNode::fail(std::string_view what) const {
  throw InputError(place_.empty() ? fmt::format("{}: {}", origin_, what)
                                  : fmt::format("{}: {}: {}", origin_, place_, what));
}

JsonNode JsonNode::at(const std::string& key) const {
  if (!has(key)) fail(fmt::format("key '{}' is missing; add it", key));
  return {json_.at(key), origin_, place_of(key)};
}

void JsonNode::expect(bool holds, std::string_view wanted) const {
  if (!holds) fail(fmt::format("expected {}, found {}", wanted, quoted(json_)));
}

void JsonNode::expect_object(const std::vector<std::string>& known_keys) const {
  expect(json_.is_object(), "an object {…}");
  for (const auto& [key, value] : json_.items())
    if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
      fail(fmt::format("unknown key '{}'; {}", key, nearest_text(key, known_keys)));
}

std::string JsonNode::text() const {
  expect(json_.is_string(), "a text");
  return json_.get<std::string>();
}

double JsonNode::number() const {
  expect(json_.is_number(), "a number");
  return json_.get<double>();
}

int JsonNode::integer() const {
  expect(json_.is_number_integer() && std::abs(json_.get<double>()) < 1e9, "an integer");
  return json_.get<int>();
}

bool JsonNode::boolean() const {
  expect(json_.is_boolean(), "true or false");
  return json_.get<bool>();
}

Value JsonNode::scalar() const {
  if (json_.is_boolean()) return json_.get<bool>();
  if (json_.is_string()) return json_.get<std::string>();
  expect(json_.is_number(), "a number, a text, true or false");
  return json_.is_number_integer() ? Value(json_.get<std::int64_t>()) : parse_value(to_string(json_.get<double>()));
}

}  // namespace pivotlab::experiments
