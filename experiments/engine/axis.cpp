#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/axis.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>
#include <support/text/terminal.hpp>

#include <algorithm>
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

Value parse_value(const AxisInfo& axis, const Value& value) {
  constexpr std::string_view kinds[] = {"neither true nor false", "no integer; write for example 64 or 64:512:64",
                                        "no number", "no text"};
  const bool is_number_for_number =
      std::holds_alternative<double>(axis.default_value) && std::holds_alternative<std::int64_t>(value);
  const bool is_kind = value.index() == axis.default_value.index() || is_number_for_number;
  if (!is_kind && !factor_of(axis, value))
    throw InputError(fmt::format("'{}' is {}{}", to_string(value), kinds[axis.default_value.index()],
                                 axis.multiple_of.empty() ? "" : ", or a multiple like 2" + axis.multiple_of));
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
    for (std::string& text : expand_pattern(item)) values.push_back(parse_value(axis, Value(std::move(text))));
  else
    for (const Value& value : expand_values(item)) values.push_back(parse_value(axis, value));
  return values;
}

void append_values(const AxisInfo& axis, std::string_view item, std::vector<Value>& values) {
  std::vector<Value> more = parse_values(axis, item);
  if (values.size() + more.size() > most_values)
    throw InputError(
        fmt::format("'{}': with the values before it they are more than {}; take fewer", item, most_values));
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<Value> expand_values(std::string_view text) {
  const bool is_range = !text.empty() && text.find_first_not_of("-.0123456789:") == std::string_view::npos &&
                        text.find(':') != std::string_view::npos;
  const bool has_decimals = text.find('.') != std::string_view::npos;
  std::vector<Value> values;
  if (!is_range || has_decimals) {
    for (const std::string& item : is_range ? expand_list(text) : expand_pattern(text))
      values.push_back(parse_value(item));
    return values;
  }

  std::vector<std::int64_t> parts;
  for (std::string_view rest = text;;) {
    const std::size_t colon = rest.find(':');
    const Value part = parse_value(rest.substr(0, colon));
    if (!std::holds_alternative<std::int64_t>(part))
      throw InputError(fmt::format("range '{}': '{}' is no integer; write first:last or first:last:step", text,
                                   rest.substr(0, colon)));
    parts.push_back(std::get<std::int64_t>(part));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  const std::int64_t first = parts[0], last = parts[1], step = parts.size() > 2 ? parts[2] : 1;
  if (parts.size() > 3)
    throw InputError(fmt::format("range '{}': has more than three numbers; write first:last:step", text));
  if (step == 0 || (step > 0 ? first > last : first < last))
    throw InputError(fmt::format("range '{}': the step {} does not lead from {} to {}; change its sign or the ends",
                                 text, step, first, last));
  // Differences of integers may need 64 bits; unsigned arithmetic has no overflow.
  const auto bits = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  const std::uint64_t steps =
      step > 0 ? (bits(last) - bits(first)) / bits(step) : (bits(first) - bits(last)) / -bits(step);
  if (steps >= most_values)
    throw InputError(fmt::format("range '{}': has more than {} values; take a larger step", text, most_values));
  for (std::uint64_t k = 0; k <= steps; ++k)
    values.emplace_back(static_cast<std::int64_t>(bits(first) + k * bits(step)));
  return values;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  if (std::ranges::find(items, "") != items.end())
    throw InputError(fmt::format("'{}' has an empty item; write values with single commas between them", text));
  return items;
}

Case resolve_multiples(Case axes, const std::vector<AxisInfo>& infos) {
  for (const AxisInfo& axis : infos)
    if (const auto found = axes.find(axis.name); found != axes.end())
      if (const auto factor = factor_of(axis, found->second))
        found->second = product(axis, *factor, std::get<std::int64_t>(axes.at(axis.multiple_of)));
  return axes;
}

}  // namespace pivotlab::experiments
