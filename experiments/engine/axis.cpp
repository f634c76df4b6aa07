// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/axis.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>
#include <support/text/terminal.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace pivotlab::experiments {
namespace {

constexpr std::size_t most_values = 1'000'000;  // of an axis

/// Returns the factor 2 of "2n", for an axis that may be a multiple of n.
std::optional<std::int64_t> factor_of(const AxisInfo& axis, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (axis.multiple_of.empty() || text == nullptr || !text->ends_with(axis.multiple_of)) return std::nullopt;
  const std::string factor = text->substr(0, text->size() - axis.multiple_of.size());
  if (factor.empty()) return 1;
  const Value number = parse_value(factor);
  const auto* integer = std::get_if<std::int64_t>(&number);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

std::int64_t product(const AxisInfo& axis, std::int64_t factor, std::int64_t value) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(factor, value, &result))
    throw InputError(fmt::format("{}: {} times {} = {} is too large", axis.name, factor, axis.multiple_of, value));
  return result;
}

std::string choice_of(const AxisInfo& axis, const std::string& text) {
  const auto& choices = axis.domain.choices;
  const auto found =
      std::ranges::find_if(choices, [&](const std::string& one) { return lower_case(one) == lower_case(text); });
  if (found == choices.end())
    throw InputError(fmt::format("there is no '{}'; choose from {}", text, fmt::join(choices, ", ")));
  return *found;
}

}  // namespace

std::string option_of(const AxisInfo& axis) {
  if (!axis.option.empty()) return axis.option.substr(0, axis.option.find(','));
  std::string option = "--" + axis.name;
  std::ranges::replace(option, '_', '-');
  return option;
}

Value parse_value(const AxisInfo& axis, const Value& value, std::string_view written) {
  constexpr std::string_view kinds[] = {"neither true nor false", "not an integer; write for example 64 or 64:512:64",
                                        "not a number", "not a text"};
  const bool is_number_for_number =
      std::holds_alternative<double>(axis.default_value) && std::holds_alternative<std::int64_t>(value);
  const bool is_kind = value.index() == axis.default_value.index() || is_number_for_number;
  if (!is_kind && !factor_of(axis, value)) {
    const std::string text = written.empty() ? to_string(value) : std::string(written);
    const auto* number = std::get_if<double>(&value);
    if (std::holds_alternative<std::int64_t>(axis.default_value) && number != nullptr && std::trunc(*number) == *number)
      throw InputError(fmt::format("'{}' is {}", text,
                                   std::abs(*number) < 0x1p63 ? "above 2^53; write all digits of such an integer"
                                                              : "beyond the integers of 64 bits; take a smaller one"));
    throw InputError(fmt::format("'{}' is {}{}", text, kinds[axis.default_value.index()],
                                 axis.multiple_of.empty() ? "" : ", or a multiple like 2" + axis.multiple_of));
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return value;
  if (!is_utf8(*text))
    throw InputError(fmt::format("'{}' is not UTF-8, which JSON needs; rename what has this name", *text));
  if (axis.canonical != nullptr) return axis.canonical(*text);
  return axis.domain.choices.empty() ? value : choice_of(axis, *text);
}

std::vector<Value> parse_values(const AxisInfo& axis, std::string_view item) {
  std::vector<Value> values;
  if (std::holds_alternative<std::string>(axis.default_value))
    for (std::string& text : axis.expand != nullptr ? axis.expand(item) : expand_pattern(item))
      values.push_back(parse_value(axis, Value(std::move(text))));
  else
    for (const std::string& text : expand_item(item)) values.push_back(parse_value(axis, parse_value(text), text));
  return values;
}

void append_values(const AxisInfo& axis, std::string_view item, std::vector<Value>& values) {
  std::vector<Value> more = parse_values(axis, item);
  if (values.size() + more.size() > most_values)
    throw InputError(
        fmt::format("'{}': with the values before it they are more than {}; take fewer", item, most_values));
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Value> expand_values(std::string_view item) {
  std::vector<Value> values;
  for (const std::string& text : expand_item(item)) values.push_back(parse_value(text));
  return values;
}

Case resolve_multiples(Case axes, const std::vector<AxisInfo>& infos) {
  for (const AxisInfo& axis : infos)
    if (const auto found = axes.find(axis.name); found != axes.end())
      if (const auto factor = factor_of(axis, found->second))
        found->second = product(axis, *factor, std::get<std::int64_t>(axes.at(axis.multiple_of)));
  return axes;
}

}  // namespace pivotlab::experiments
