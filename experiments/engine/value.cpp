// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <xxhash.h>
#include <experiments/engine/value.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2⁵³

std::string number_text(double x) {
  if (std::trunc(x) == x && std::abs(x) <= kLargestExactInteger) return std::to_string(static_cast<std::int64_t>(x));
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool matches_text(std::string_view text, std::string_view pattern) {
  // Greedy matching that backtracks to the last '*' only is sufficient: a later '*' makes earlier ones final.
  std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::string to_string(const Value& value) {
  struct Printer {
    std::string operator()(bool x) const { return x ? "true" : "false"; }
    std::string operator()(std::int64_t x) const { return std::to_string(x); }
    std::string operator()(double x) const { return number_text(x); }
    std::string operator()(const std::string& x) const { return x; }
  };
  return std::visit(Printer{}, value);
}

Value parse_value(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t integer = 0;
  if (read_whole(text, integer)) return integer;
  double real = 0;
  if (read_whole(text, real) && std::isfinite(real)) {
    if (std::trunc(real) == real && std::abs(real) <= kLargestExactInteger) return static_cast<std::int64_t>(real);
    return real;
  }
  return std::string(text);
}

std::string canonical_json(const Case& axes) {
  std::string result = "{";
  for (const auto& [name, value] : axes) {
    if (result.size() > 1) result += ',';
    result += json_string(name) + ':';
    result += std::holds_alternative<std::string>(value) ? json_string(std::get<std::string>(value)) : to_string(value);
  }
  return result + '}';
}

std::string digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string case_key(const Case& axes) {
  return digest(canonical_json(axes));
}

std::string describe(const Case& axes) {
  std::string result;
  for (const auto& [name, value] : axes) {
    if (!result.empty()) result += ' ';
    result += name + '=' + to_string(value);
  }
  return result;
}

bool matches(const Value& value, std::string_view pattern) {
  return matches_text(to_string(value), pattern);
}

}  // namespace pivotlab::experiments
