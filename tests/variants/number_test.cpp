// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <support/text/number.hpp>

#include <clocale>
#include <cmath>
#include <limits>
#include <string>

namespace pivotlab::number_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(LeadingNumber, IsTheNearestDoubleAlsoIfSubnormal) {
  EXPECT_EQ(leading_number("5e-324").value, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(leading_number("-1e-310").value, -1e-310);
  EXPECT_EQ(leading_number("1.7976931348623157e308").value, std::numeric_limits<double>::max());
  EXPECT_EQ(leading_number("2.5 kB").length, 3U);
  for (const char* none : {"", "x1", ",5", "+1"}) EXPECT_EQ(leading_number(none).length, 0U) << none;
}

TEST(LeadingNumber, BeyondTheRangeIsZeroOrInfinite) {
  for (const char* large : {"1e309", "1e5000", "10e99999"}) {
    EXPECT_EQ(leading_number(large).value, infinity) << large;
    EXPECT_EQ(leading_number("-" + std::string(large)).value, -infinity) << large;
  }
  for (const char* small : {"1e-400", "2e-324", "1.5E-99999"}) {
    EXPECT_EQ(leading_number(small).value, 0) << small;
    EXPECT_FALSE(std::signbit(leading_number(small).value)) << small;
  }
}

TEST(LeadingNumber, HasADecimalPointInEveryLocale) {
  for (const char* with_comma : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_ALL, with_comma) != nullptr) break;
  EXPECT_EQ(leading_number("2.5").value, 2.5);
  EXPECT_EQ(leading_number("1.5e-400").value, 0);
  EXPECT_EQ(rounded_to_digits(1234.5678, 6), 1234.57);
  std::setlocale(LC_ALL, "C");
}

TEST(RoundedToDigits, KeepsSubnormalNumbersAndWhatIsNotFinite) {
  EXPECT_EQ(rounded_to_digits(1.23456789e-310, 3), 1.23e-310);
  EXPECT_EQ(rounded_to_digits(-infinity, 3), -infinity);
  EXPECT_TRUE(std::isnan(rounded_to_digits(std::nan(""), 3)));
  EXPECT_EQ(rounded_to_digits(1.7976931348623157e308, 3), infinity);  // 1.80e308
}

}  // namespace
}  // namespace pivotlab::number_test
