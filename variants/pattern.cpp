// Alternatives and ranges in names: {a,b}, {0..7}, {16..64..16}.
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
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
    const std::optional<int> first = parse_number(ends[0]), last = parse_number(ends[1]);
    const std::optional<int> step = ends.size() == 3 ? parse_number(ends[2]) : 1;
    if (ends.size() > 3 || !first || !last || !step || *last < *first || *step == 0)
      reject(pattern_, place,
             fmt::format("'{}' is no range; write FIRST..LAST or FIRST..LAST..STEP, FIRST ≤ LAST, STEP ≥ 1", item));
    const std::size_t count = static_cast<std::size_t>((*last - *first) / *step) + 1;
    check_count(alternatives.size() + count, place);
    for (std::size_t k = 0; k < count; ++k)
      alternatives.push_back(std::to_string(*first + static_cast<int>(k) * *step));
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
