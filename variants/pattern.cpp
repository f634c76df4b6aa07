// SPDX-License-Identifier: BSD-3-Clause
// The grammar of lists: values, ranges first:last:step, and names with alternatives and ranges, {a,b}, {0..7},
// {0.01..0.99..0.14}.
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace pivotlab {
namespace {

// Limit far above any experiment and far below the available memory: {0..999999999} is a mistake.
constexpr std::size_t most_values = 1'000'000;

[[noreturn]] void reject(std::string_view pattern, std::size_t place, std::string_view what_and_remedy) {
  throw InputError(fmt::format("pattern '{}': character {}: {}", pattern, place + 1, what_and_remedy));
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(end + separator.size()))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

__extension__ typedef __int128 Integer128;

/// mantissa·10^−places, because ranges of decimals must be exact.
struct Decimal {
  Integer128 mantissa = 0;
  int places = 0;
};

/// Reads a decimal number whose digits fit into 64 bits.
std::optional<Decimal> parse_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  const bool has_point = point != std::string_view::npos;
  const std::string_view fraction = has_point ? text.substr(point + 1) : "";
  std::string digits(text);
  if (has_point) digits.erase(point, 1);
  if (has_point && (fraction.empty() || fraction.size() > 18 || point == 0 || text[point - 1] == '-'))
    return std::nullopt;
  std::int64_t mantissa = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), mantissa);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Decimal{mantissa, static_cast<int>(fraction.size())};
}

/// Prints a number with no more decimals than necessary, as in names.
std::string to_text(Decimal number) {
  for (; number.places > 0 && number.mantissa % 10 == 0; --number.places) number.mantissa /= 10;
  const Integer128 magnitude = number.mantissa < 0 ? -number.mantissa : number.mantissa;
  std::string digits = fmt::format("{:0{}}", magnitude, number.places + 1);
  if (number.places > 0) digits.insert(digits.size() - static_cast<std::size_t>(number.places), ".");
  return number.mantissa < 0 ? "-" + digits : digits;
}

/// Returns the numbers from the first to the last of a range, "first:last" or "first:last:step" with the separator in
/// place of ':'. The step may be left out between integers.
std::vector<std::string> progression(std::string_view range, std::string_view separator) {
  const auto fail = [&](std::string_view what_and_remedy) {
    throw InputError(fmt::format("range '{}': {}", range, what_and_remedy));
  };
  std::vector<Decimal> numbers;
  int places = 0;
  for (const std::string_view part : split(range, separator)) {
    if (const std::optional<Decimal> number = parse_decimal(part))
      numbers.push_back(*number);
    else
      fail(fmt::format("'{}' is not a number of up to 18 digits; write first{}last or first{}last{}step", part,
                       separator, separator, separator));
    places = std::max(places, numbers.back().places);
  }
  if (numbers.size() > 3)
    fail(fmt::format("has more than three numbers; write first{}last{}step", separator, separator));
  if (numbers.size() == 2 && places > 0)
    fail(fmt::format("a range of decimals needs a step, as in 0.1{}0.9{}0.2", separator, separator));
  if (numbers.size() == 2) numbers.push_back({1, 0});
  for (Decimal& number : numbers)
    for (; number.places < places; ++number.places) number.mantissa *= 10;
  const Integer128 first = numbers[0].mantissa, last = numbers[1].mantissa, step = numbers[2].mantissa;
  if (step == 0 || (step > 0 ? first > last : first < last))
    fail(fmt::format("the step {} does not lead from {} to {}; change its sign or the ends", to_text(numbers[2]),
                     to_text(numbers[0]), to_text(numbers[1])));
  if ((last - first) / step >= static_cast<Integer128>(most_values))
    fail(fmt::format("has more than {} values; take a larger step", most_values));
  std::vector<std::string> values;
  for (Integer128 value = first; step > 0 ? value <= last : value >= last; value += step)
    values.push_back(to_text({value, places}));
  return values;
}

bool is_range(std::string_view item) {
  return item.find(':') != std::string_view::npos && item.find_first_not_of("-.0123456789:") == std::string_view::npos;
}

class PatternExpansion {
 public:
  explicit PatternExpansion(std::string_view pattern) : pattern_(pattern) {}

  std::vector<std::string> names() {
    for (std::size_t at = 0; at < pattern_.size();) {
      const std::size_t brace = std::min(pattern_.find_first_of("{}", at), pattern_.size());
      append({std::string(pattern_.substr(at, brace - at))}, at);
      at = brace == pattern_.size() ? brace : append_group(brace);
    }
    return std::move(names_);
  }

 private:
  // Expands the group that opens at `open`. Returns the position after it.
  std::size_t append_group(std::size_t open) {
    if (pattern_[open] == '}') reject(pattern_, open, "'}' without '{'; add the '{' or remove it");
    const std::size_t close = pattern_.find_first_of("{}", open + 1);
    if (close == std::string_view::npos) reject(pattern_, open, "'{' without '}'; close the group");
    if (pattern_[close] == '{') reject(pattern_, close, "a group inside a group; write the alternatives out");
    const std::string_view group = pattern_.substr(open + 1, close - open - 1);
    if (group.empty())
      reject(pattern_, open, "an empty group; write alternatives as in {ME,MM} or a range as in {0..7}");

    std::vector<std::string> alternatives;
    for (const std::string_view item : split(group, ",")) append_item(item, open, alternatives);
    append(alternatives, open);
    return close + 1;
  }

  void append_item(std::string_view item, std::size_t place, std::vector<std::string>& alternatives) const {
    if (item.find("..") == std::string_view::npos) {
      alternatives.emplace_back(item);
      return;
    }
    try {
      for (std::string& value : progression(item, "..")) alternatives.push_back(std::move(value));
    } catch (const InputError& error) {
      reject(pattern_, place, error.what());
    }
    check_count(alternatives.size(), place);
  }

  // Continues every name so far in every way: the leftmost group varies slowest.
  void append(const std::vector<std::string>& continuations, std::size_t place) {
    check_count(names_.size() * continuations.size(), place);
    std::vector<std::string> longer;
    longer.reserve(names_.size() * continuations.size());
    for (const std::string& name : names_)
      for (const std::string& continuation : continuations) longer.push_back(name + continuation);
    names_ = std::move(longer);
  }

  void check_count(std::size_t count, std::size_t place) const {
    if (count > most_values)
      reject(pattern_, place, fmt::format("more than {} names; split the pattern or narrow a range", most_values));
  }

  std::string_view pattern_;
  std::vector<std::string> names_{""};
};

}  // namespace

std::vector<std::string> expand_pattern(std::string_view pattern) {
  return PatternExpansion(pattern).names();
}

std::vector<std::string> expand_item(std::string_view item) {
  return is_range(item) ? progression(item, ":") : expand_pattern(item);
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  if (std::ranges::find(items, "") != items.end())
    throw InputError(fmt::format("'{}' has an empty item; write values with single commas between them", list));
  return items;
}

std::vector<std::string> expand_list(std::string_view list) {
  std::vector<std::string> values;
  for (const std::string& item : split_list(list)) {
    std::vector<std::string> more = expand_item(item);
    if (values.size() + more.size() > most_values)
      throw InputError(fmt::format("'{}': more than {} values; take fewer", list, most_values));
    std::ranges::move(more, std::back_inserter(values));
  }
  return values;
}

}  // namespace pivotlab
