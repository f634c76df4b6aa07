// Alternatives and ranges in names: {a,b}, {0..7}, {16..64..16}, {0.01..0.99..0.14}.
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

// Far above any experiment, far below what exhausts the memory: {0..999999999} is a slip.
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

// A decimal number without sign as it is written, mantissa·10^-places: ranges of decimals have to be exact.
struct Decimal {
  std::int64_t mantissa = 0;
  int places = 0;
};

std::optional<Decimal> parse_number(std::string_view text) {
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

std::int64_t with_places(const Decimal& number, int places) {
  std::int64_t mantissa = number.mantissa;
  for (int k = number.places; k < places; ++k) mantissa *= 10;
  return mantissa;
}

// With no more decimals than it needs, as numbers are printed in names.
std::string to_text(Decimal number) {
  for (; number.places > 0 && number.mantissa % 10 == 0; --number.places) number.mantissa /= 10;
  std::string digits = fmt::format("{:0{}}", number.mantissa, number.places + 1);
  if (number.places > 0) digits.insert(digits.size() - static_cast<std::size_t>(number.places), ".");
  return digits;
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
  // The group that opens at `open`; returns the place after it.
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
    const std::optional<Decimal> ends_of_range[] = {parse_number(ends[0]), parse_number(ends[1]),
                                                    ends.size() == 3 ? parse_number(ends[2]) : Decimal{1, 0}};
    const auto no_range = [&] {
      reject(pattern_, place,
             fmt::format("'{}' is no range; write FIRST..LAST or FIRST..LAST..STEP, FIRST ≤ LAST, STEP > 0", item));
    };
    int places = 0;
    for (const auto& number : ends_of_range) {
      if (ends.size() > 3 || !number) no_range();
      places = std::max(places, number->places);
    }
    const std::int64_t first = with_places(*ends_of_range[0], places), last = with_places(*ends_of_range[1], places),
                       step = with_places(*ends_of_range[2], places);
    if (last < first || step == 0) no_range();
    const std::size_t count = static_cast<std::size_t>((last - first) / step) + 1;
    check_count(alternatives.size() + count, place);
    for (std::int64_t value = first; value <= last; value += step) alternatives.push_back(to_text({value, places}));
  }

  // Every name so far is continued in every way: the leftmost group varies slowest.
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

}  // namespace pivotlab
