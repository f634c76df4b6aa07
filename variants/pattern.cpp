// Alternatives and ranges in names: {a,b}, {0..7}, {16..64..16}, {0.01..0.99..0.14}; lists a,b,first:last:step.
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace pivotlab {
namespace {

// Limit far above any experiment and far below the available memory: {0..999999999} is a mistake.
constexpr std::size_t max_names = 1'000'000;

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

// A decimal number without sign, mantissa·10^-places, because ranges of decimals must be exact.
struct Decimal {
  std::int64_t mantissa = 0;
  int places = 0;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  constexpr std::size_t max_digits = 9;
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  const std::string digits = std::string(whole).append(fraction);
  const bool malformed = whole.empty() || (point != std::string_view::npos && fraction.empty());
  if (malformed || digits.size() > max_digits || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  Decimal number{.places = static_cast<int>(fraction.size())};
  std::from_chars(digits.data(), digits.data() + digits.size(), number.mantissa);
  return number;
}

std::optional<Decimal> parse_signed(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::optional<Decimal> number = parse_decimal(text.substr(negative ? 1 : 0));
  if (number && negative) number->mantissa = -number->mantissa;
  return number;
}

std::int64_t with_places(const Decimal& number, int places) {
  std::int64_t mantissa = number.mantissa;
  for (int k = number.places; k < places; ++k) mantissa *= 10;
  return mantissa;
}

// Prints a number with no more decimals than necessary, as in names.
std::string to_text(Decimal number) {
  for (; number.places > 0 && number.mantissa % 10 == 0; --number.places) number.mantissa /= 10;
  std::string digits = fmt::format("{:0{}}", std::abs(number.mantissa), number.places + 1);
  if (number.places > 0) digits.insert(digits.size() - static_cast<std::size_t>(number.places), ".");
  return number.mantissa < 0 ? "-" + digits : digits;
}

/// Splits a list at commas outside of braces and parentheses.
std::vector<std::string_view> split_items(std::string_view list) {
  std::vector<std::string_view> items;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    if (c != ',' || (depth != 0 && at < list.size())) continue;
    items.push_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  return items;
}

bool is_range(std::string_view item) {
  return item.find(':') != std::string_view::npos && item.find_first_not_of("-.0123456789:") == std::string_view::npos;
}

/// Expands "first:last" or "first:last:step", exact decimals of either sign, rising or falling.
std::vector<std::string> expand_range(std::string_view item) {
  const auto no_range = [&](std::string_view why) {
    throw InputError(fmt::format("range '{}': {}; write first:last or first:last:step", item, why));
  };
  std::vector<Decimal> numbers;
  int places = 0;
  for (const std::string_view part : split(item, ":")) {
    const std::optional<Decimal> number = parse_signed(part);
    if (number)
      numbers.push_back(*number);
    else
      no_range(fmt::format("'{}' is no number of up to nine digits", part));
    places = std::max(places, numbers.back().places);
  }
  if (numbers.size() > 3) no_range("it has more than three numbers");
  if (numbers.size() == 2 && places > 0) no_range("a range of decimals needs a step, as in 0.1:0.9:0.2");
  if (numbers.size() == 2) numbers.push_back({1, 0});
  const std::int64_t first = with_places(numbers[0], places), last = with_places(numbers[1], places),
                     step = with_places(numbers[2], places);
  if (step == 0 || (step > 0 ? first > last : first < last)) no_range("the step does not lead from first to last");
  const std::int64_t steps = (last - first) / step;
  if (steps >= static_cast<std::int64_t>(max_names)) no_range(fmt::format("it has more than {} values", max_names));
  std::vector<std::string> values;
  for (std::int64_t k = 0; k <= steps; ++k) values.push_back(to_text({first + k * step, places}));
  return values;
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
    const std::vector<std::string_view> ends = split(item, "..");
    if (ends.size() == 1) {
      alternatives.emplace_back(item);
      return;
    }
    const std::optional<Decimal> ends_of_range[] = {parse_decimal(ends[0]), parse_decimal(ends[1]),
                                                    ends.size() == 3 ? parse_decimal(ends[2]) : Decimal{1, 0}};
    const auto no_range = [&] {
      reject(pattern_, place,
             fmt::format("'{}' is no range; write FIRST..LAST of integers or FIRST..LAST..STEP, FIRST ≤ LAST, STEP > 0",
                         item));
    };
    int places = 0;
    for (const auto& number : ends_of_range) {
      if (ends.size() > 3 || !number) no_range();
      places = std::max(places, number->places);
    }
    if (ends.size() == 2 && places > 0) no_range();
    const std::int64_t first = with_places(*ends_of_range[0], places), last = with_places(*ends_of_range[1], places),
                       step = with_places(*ends_of_range[2], places);
    if (last < first || step == 0) no_range();
    const std::size_t count = static_cast<std::size_t>((last - first) / step) + 1;
    check_count(alternatives.size() + count, place);
    for (std::int64_t value = first; value <= last; value += step) alternatives.push_back(to_text({value, places}));
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
    if (count > max_names)
      reject(pattern_, place, fmt::format("more than {} names; split the pattern or narrow a range", max_names));
  }

  std::string_view pattern_;
  std::vector<std::string> names_{""};
};

}  // namespace

std::vector<std::string> expand_pattern(std::string_view pattern) {
  return PatternExpansion(pattern).names();
}

std::vector<std::string> expand_list(std::string_view list) {
  std::vector<std::string> values;
  for (const std::string_view item : split_items(list)) {
    if (item.empty())
      throw InputError(fmt::format("'{}' has an empty item; write values with single commas between them", list));
    const std::vector<std::string> more = is_range(item) ? expand_range(item) : expand_pattern(item);
    if (values.size() + more.size() > max_names)
      throw InputError(fmt::format("'{}': more than {} values; take fewer", list, max_names));
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

}  // namespace pivotlab
