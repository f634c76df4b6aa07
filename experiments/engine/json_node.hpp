// SPDX-License-Identifier: BSD-3-Clause
// Reads JSON from files and other processes key by key; error messages give the place.
#pragma once

#include <fmt/format.h>
#include <experiments/engine/value.hpp>

#include <nlohmann/json.hpp>
#include <pivotlab/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// A JSON value with its path. The readers throw InputError "<origin>: <place>: …" for a value of another type.
class JsonNode {
 public:
  using Json = nlohmann::ordered_json;

  JsonNode(const Json& json, std::string_view origin, std::string place = "")
      : json_(json), origin_(origin), place_(std::move(place)) {}

  [[noreturn]] void fail(std::string_view what) const;

  /// Returns make(); puts the place of the node before the message of its InputErrors.
  template <class Make>
  decltype(auto) located(Make make) const {
    try {
      return make();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  const Json& json() const { return json_; }
  bool has(std::string_view key) const { return json_.contains(key); }
  /// Returns a member; throws InputError if it is missing.
  JsonNode at(const std::string& key) const;

  void expect(bool holds, std::string_view wanted) const;
  void expect_object(const std::vector<std::string>& known_keys) const;

  template <class Visit>  // visit(key, node)
  void each_member(Visit visit) const {
    expect(json_.is_object(), "an object {…}");
    for (const auto& [key, value] : json_.items()) visit(key, JsonNode(value, origin_, place_of(key)));
  }
  template <class Visit>  // visit(node)
  void each_element(Visit visit) const {
    expect(json_.is_array(), "a list […]");
    for (std::size_t i = 0; i < json_.size(); ++i) visit(JsonNode(json_[i], origin_, fmt::format("{}[{}]", place_, i)));
  }

  std::string text() const;
  double number() const;
  int integer() const;
  bool boolean() const;
  Value scalar() const;

 private:
  std::string place_of(std::string_view key) const {
    return fmt::format("{}{}{}", place_, place_.empty() ? "" : ".", key);
  }

  const Json& json_;
  std::string_view origin_;
  std::string place_;
};

}  // namespace pivotlab::experiments
