// SPDX-License-Identifier: BSD-3-Clause
// Splitting numbers into digits of base 2⁸: they add up to the rounded number, and what is not finite stays visible.
#include "kernels/numerics/digits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace pivotlab::digits_test {
namespace {

double sum_of(const std::uint32_t (&of_digit)[digits::count], int number) {
  double sum = 0;
  for (const std::uint32_t digit : of_digit) sum = 256 * sum + static_cast<std::int8_t>(digit >> 8 * number);
  return sum;
}

void splits(const float (&x)[4]) {
  std::int32_t size = 0;
  for (const float number : x) size = digits::larger(size, digits::size_of(number));
  std::uint32_t of_digit[digits::count];
  digits::split(x, digits::factor_of(size), of_digit);
  const double unit = std::ldexp(digits::unit_of(size), -12);  // of the integer
  for (int i = 0; i < 4; ++i) {
    const auto first = static_cast<std::int8_t>(of_digit[0] >> 8 * i);
    EXPECT_LE(std::abs(first), 64);
    EXPECT_LE(std::abs(sum_of(of_digit, i) * unit - x[i]), unit / 2) << x[i];
  }
}

TEST(Digits, AddUpToTheRoundedNumber) {
  splits({1.0F, -1.0F, 0.0F, 0x1.fffffep0F});
  splits({-0x1.fffffep0F, 0x1.808080p0F, -0x1.7f7f7ep0F, 0x1.8p-20F});
  splits({0x1.fffffep127F, -0x1p127F, 1.0F, 0x1p-149F});
  splits({0.0F, 0.0F, 0.0F, 0.0F});
  splits({0x1p-95F, -0x1.23456p-96F, 0x1p-105F, 0.0F});
  rc::check([] {
    float x[4];
    const int exponent = *rc::gen::inRange(-90, 103);
    for (float& number : x)
      number =
          static_cast<float>(std::ldexp(*rc::gen::inRange(-(1 << 24), 1 << 24), exponent - *rc::gen::inRange(0, 30)));
    splits(x);
  });
}

TEST(Digits, HaveNoUnitWhereTheLargestNumberIsNotFinite) {
  for (const float x : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_GT(digits::size_of(-x), digits::size_of(std::numeric_limits<float>::max()));
    EXPECT_TRUE(std::isnan(digits::unit_of(digits::size_of(x))));
  }
}

TEST(Digits, AreZeroFarBelowTheSmallestFactor) {
  const float x[4] = {0x1p-140F, 0, 0, 0};
  EXPECT_TRUE(std::isfinite(digits::factor_of(digits::size_of(x[0]))));
  EXPECT_GT(digits::unit_of(digits::size_of(x[0])), 0);
}

}  // namespace
}  // namespace pivotlab::digits_test
