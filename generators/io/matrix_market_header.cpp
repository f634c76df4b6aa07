// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/matrix_market_header.hpp"

#include <fmt/format.h>
#include <support/text/number.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "generators/io/check.hpp"

namespace pivotlab::io {
namespace {

constexpr std::string_view banner_rule =
    "it must read '%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
    "general|symmetric|hermitian|skew-symmetric'";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Parses a banner word, one of `names` in the order of the enumeration.
template <class Enum, std::size_t count>
Enum choice(const TextSource& source, LineParser& line, std::string_view what,
            const std::array<std::string_view, count>& names) {
  const auto word = line.word();
  const auto found = std::find(names.begin(), names.end(), lower(word));
  if (found == names.end())
    source.fail(word.empty() ? fmt::format("the banner ends before the {}", what)
                             : fmt::format("unknown {} {} in the banner", what, printable(word)),
                banner_rule);
  return static_cast<Enum>(found - names.begin());
}

Header read_banner(TextSource& source) {
  std::string_view text;
  source.next(text);
  LineParser line(source, text);
  if (lower(line.word()) != "%%matrixmarket") source.fail("no Matrix Market banner", banner_rule);
  if (const auto object = line.word(); lower(object) != "matrix")
    source.fail(fmt::format("unknown object {} in the banner", printable(object)), banner_rule);
  using Names2 = std::array<std::string_view, 2>;
  using Names4 = std::array<std::string_view, 4>;
  const auto format = choice<Format>(source, line, "format", Names2{"coordinate", "array"});
  const auto field = choice<Field>(source, line, "field", Names4{"real", "integer", "complex", "pattern"});
  const auto symmetry =
      choice<Symmetry>(source, line, "symmetry", Names4{"general", "symmetric", "hermitian", "skew-symmetric"});
  if (!line.at_end()) source.fail(fmt::format("{} follows the banner", printable(line.word())), banner_rule);
  if (field == Field::pattern && format == Format::array)
    source.fail("an array cannot be a pattern", "declare it real or give coordinates");
  if (field == Field::pattern && symmetry == Symmetry::skew_symmetric)
    source.fail("a pattern cannot be skew-symmetric", "declare it symmetric or give values");
  if (field != Field::complex && symmetry == Symmetry::hermitian)
    source.fail("only a complex matrix can be hermitian", "declare it symmetric");
  return {format, field, symmetry};
}

/// Converts "-0017" to "-17".
std::string without_leading_zeros(std::string_view integer) {
  const bool negative = integer.starts_with('-');
  integer.remove_prefix(negative ? 1 : 0);
  integer.remove_prefix(std::min(integer.find_first_not_of('0'), integer.size() - 1));
  return std::string(negative ? "-" : "") + std::string(integer);
}

std::uint64_t stored_entries(const Header& header) {
  const auto n = static_cast<std::uint64_t>(header.cols);
  switch (header.symmetry) {
    case Symmetry::general:
      return static_cast<std::uint64_t>(header.rows) * n;
    case Symmetry::skew_symmetric:
      return n * (n - 1) / 2;
    default:
      return n * (n + 1) / 2;
  }
}

}  // namespace

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool LineParser::at_end() {
  while (next_ != end_ && is_blank(*next_)) ++next_;
  return next_ == end_;
}

std::string_view LineParser::word() {
  if (at_end()) return {};
  const char* first = next_;
  next_ = std::find_if(next_, end_, is_blank);
  return {first, static_cast<std::size_t>(next_ - first)};
}

std::int64_t LineParser::integer(std::string_view name) {
  std::int64_t value = 0;
  const char* first = number_begin(name);
  const auto [last, error] = std::from_chars(first, end_, value);
  if (!number_ends(last)) not_a_number(name, "an integer");
  if (error == std::errc::result_out_of_range) too_large(name);
  next_ = last;
  return value;
}

std::int32_t LineParser::index(std::string_view name, Index limit) {
  const auto value = integer(name);
  if (value < 1 || value > limit)
    source_.fail(fmt::format("{} {} lies outside 1..{}", name, value, limit), "correct the index or the size line");
  return static_cast<std::int32_t>(value - 1);
}

double LineParser::real(std::string_view name) {
  const char* first = number_begin(name);
  const auto [value, length] = leading_number({first, static_cast<std::size_t>(end_ - first)});
  const char* last = first + length;
  if (!number_ends(last)) not_a_number(name, "a number");
  if (!std::isfinite(value))
    source_.fail(fmt::format("{} {} is NaN, infinite or beyond the range of double", name,
                             printable({first, static_cast<std::size_t>(last - first)})),
                 "give finite numbers");
  next_ = last;
  return value;
}

double LineParser::integral(std::string_view name) {
  const char* first = number_begin(name);
  std::int64_t value = 0;
  const auto [last, error] = std::from_chars(first, end_, value);
  if (!number_ends(last)) not_a_number(name, "an integer");
  next_ = last;
  constexpr auto all_held = std::int64_t{1} << std::numeric_limits<double>::digits;
  if (error == std::errc() && -all_held <= value && value <= all_held) return static_cast<double>(value);
  // A double represents an integer if it prints as the same digits.
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const std::string digits = without_leading_zeros(text);
  const double nearest = leading_number(digits).value;
  if (!std::isfinite(nearest) || fmt::format("{:.0f}", nearest) != digits)
    source_.fail(fmt::format("{} {} is not a double, which skips integers beyond 2^53", name, printable(text)),
                 "declare the matrix real to have it rounded");
  return nearest;
}

void LineParser::finish() {
  if (!at_end()) source_.fail(fmt::format("{} follows a complete entry", printable(word())), "write one entry a line");
}

const char* LineParser::number_begin(std::string_view name) {
  if (at_end()) source_.fail(fmt::format("the {} is missing", name), "complete the line");
  // A plus sign is allowed in the format, but not in from_chars.
  return *next_ == '+' && end_ - next_ > 1 && next_[1] != '-' ? next_ + 1 : next_;
}
bool LineParser::number_ends(const char* last) const {
  return last > next_ && (last == end_ || is_blank(*last));
}
void LineParser::not_a_number(std::string_view name, std::string_view expected) {
  source_.fail(fmt::format("{} {} is not {}", name, printable(word()), expected), "correct the line");
}
void LineParser::too_large(std::string_view name) {
  source_.fail(fmt::format("{} {} is too large", name, printable(word())), "correct the line");
}

bool next_data_line(TextSource& source, std::string_view& text, bool comments) {
  while (source.next(text)) {
    if (comments && text.starts_with('%')) continue;
    if (!std::all_of(text.begin(), text.end(), is_blank)) return true;
  }
  return false;
}

Header read_header(TextSource& source) {
  auto header = read_banner(source);
  std::string_view text;
  if (!next_data_line(source, text, true)) source.fail("the file ends before the size line", "complete the file");
  header.size_line = source.line_number();
  LineParser line(source, text);
  header.rows = line.integer("number of rows");
  header.cols = line.integer("number of columns");
  const auto entries = header.format == Format::coordinate ? line.integer("number of entries") : 0;
  if (!line.at_end()) source.fail(fmt::format("{} follows the sizes", printable(line.word())), "correct the size line");
  if (header.rows < 1 || header.cols < 1 || entries < 0)
    source.fail("the sizes are not positive", "give a matrix with at least one row and one column");
  if (std::max(header.rows, header.cols) > std::numeric_limits<std::int32_t>::max())
    source.fail(fmt::format("a {} x {} matrix is too large", header.rows, header.cols), "correct the size line");
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    source.fail(fmt::format("a {} x {} matrix cannot be symmetric", header.rows, header.cols),
                "declare it general or correct the size line");
  header.entries = header.format == Format::coordinate ? static_cast<std::uint64_t>(entries) : stored_entries(header);

  // This is checked before any allocation: "1 1
  // " is the shortest coordinate entry, "1
  // " the shortest of an array.
  const std::uint64_t shortest = header.format == Format::coordinate ? 4 : 2;
  if (header.entries > (source.longest_text() + 1) / shortest)
    source.fail(fmt::format("{} entries are announced, more than a file of this size can hold", header.entries),
                "the file is truncated or the size line is wrong");
  return header;
}

}  // namespace pivotlab::io
