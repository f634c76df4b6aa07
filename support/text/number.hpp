// SPDX-License-Identifier: BSD-3-Clause
// Numbers in texts, with a decimal point in every locale: std::stod and std::strtod take the comma of the program's
// locale, and std::stod refuses subnormal numbers.
#pragma once

#include <cstddef>
#include <string_view>

namespace pivotlab {

struct LeadingNumber {
  double value = 0;
  std::size_t length = 0;  ///< characters that were read, 0 if the text does not begin with a number
};

/// Reads the number that a text begins with, without leading blanks or plus sign, rounded to the nearest double: ±0 or
/// ±Inf beyond the range of numbers.
LeadingNumber leading_number(std::string_view text);

/// Rounds a finite x to so many significant decimal digits; leaves NaN and Inf unchanged.
double rounded_to_digits(double x, int digits);

}  // namespace pivotlab
