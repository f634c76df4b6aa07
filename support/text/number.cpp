// SPDX-License-Identifier: BSD-3-Clause
#include <support/text/number.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace pivotlab {

LeadingNumber leading_number(std::string_view text) {
  const char *first = text.data(), *last = first + text.size();
  LeadingNumber number;
  const auto [end, error] = std::from_chars(first, last, number.value);
  number.length = static_cast<std::size_t>(end - first);
  if (error != std::errc::result_out_of_range) return number;
  // from_chars does not say whether the number is too large or too small; a wider type holds more of them.
  long double wide = 0;
  const bool held = std::from_chars(first, end, wide).ec == std::errc();
  const std::string_view digits = text.substr(0, number.length);
  const bool small = digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  number.value = held ? static_cast<double>(wide) : std::copysign(small ? 0 : infinity, text.front() == '-' ? -1 : 1);
  return number;
}

double rounded_to_digits(double x, int digits) {
  if (!std::isfinite(x)) return x;
  std::array<char, 512> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits).ptr;
  return leading_number({text.data(), static_cast<std::size_t>(end - text.data())}).value;
}

}  // namespace pivotlab
