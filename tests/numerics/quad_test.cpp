// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/long_numbers.hpp>

#include <cstdint>
#include <sstream>
#include <vector>

namespace pivotlab::quad_test {
namespace {

/// Sums and products of the numbers below are exact in it.
using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1000, boost::multiprecision::digit_base_2, void, std::int32_t>,
    boost::multiprecision::et_off>;

Exact exact(const Quad& x) {
  return to_long<Exact>(x);
}

/// Significands of 113 bits, also with long runs of zeros or ones, times 2^e, |e| ≤ 130.
rc::Gen<Quad> quads() {
  const auto bits =
      rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0, 60), rc::gen::inRange(0, 3)),
                   [](const auto& parts) {
                     const auto& [any, shift, kind] = parts;
                     return kind == 0 ? any : kind == 1 ? any >> shift << shift : ~std::uint64_t(0) << shift;
                   });
  return rc::gen::map(rc::gen::tuple(bits, bits, rc::gen::inRange(-130, 130), rc::gen::arbitrary<bool>()),
                      [](const auto& parts) {
                        const auto& [high, low, e, negative] = parts;
                        const Quad significand = 1 + ldexp(Quad(high >> 16), -48) + ldexp(Quad(low), -112);
                        return ldexp(negative ? -significand : significand, e);
                      });
}

RC_GTEST_PROP(Quad, ArithmeticRoundsToNearest, ()) {
  const Quad x = *quads(), y = *quads();
  RC_ASSERT(x + y == to_quad(Exact(exact(x) + exact(y))));
  RC_ASSERT(x - y == to_quad(Exact(exact(x) - exact(y))));
  RC_ASSERT(x * y == to_quad(Exact(exact(x) * exact(y))));
  RC_ASSERT(x / y == to_quad(Exact(exact(x) / exact(y))));
  RC_ASSERT(sqrt(abs(x)) == to_quad(Exact(sqrt(abs(exact(x))))));
  RC_ASSERT(static_cast<double>(x) == static_cast<double>(exact(x)));
  RC_ASSERT((x < y) == (exact(x) < exact(y)));
}

RC_GTEST_PROP(Quad, PassesThroughLongNumbersWithoutRounding, ()) {
  const Quad x = *quads();
  RC_ASSERT(to_quad(exact(x)) == x);
  int e;
  const Quad significand = frexp(x, &e);
  RC_ASSERT(0.5 <= abs(significand));
  RC_ASSERT(abs(significand) < 1);
  RC_ASSERT(ldexp(significand, e) == x);
  RC_ASSERT(ilogb(x) == e - 1);
}

TEST(Quad, HasZeroAndInfinityForLongNumbersBeyondItsRange) {
  for (const int e : {16500, 20000, 34560, 65536, 100000}) {  // exponents modulo 2¹⁶ are within the range, too
    EXPECT_EQ(to_quad(Exact(ldexp(Exact(-3), -e))), 0) << e;
    EXPECT_EQ(to_quad(Exact(ldexp(Exact(3), e))), std::numeric_limits<Quad>::infinity()) << e;
  }
  EXPECT_EQ(to_quad(Exact(ldexp(Exact(1), -16494))), std::numeric_limits<Quad>::denorm_min());
  EXPECT_TRUE(isnan(to_quad(std::numeric_limits<Exact>::quiet_NaN())));
}

TEST(Quad, LimitsAreThoseOfBinary128) {
  using Limits = std::numeric_limits<Quad>;
  EXPECT_GT(1 + Limits::epsilon(), 1);
  EXPECT_EQ(1 + Limits::epsilon() / 2, 1);
  EXPECT_EQ(Limits::min(), ldexp(Quad(1), Limits::min_exponent - 1));
  EXPECT_EQ(Limits::max(), ldexp(1 - Limits::epsilon() / 2, Limits::max_exponent));
  EXPECT_TRUE(isinf(2 * Limits::max()));
  EXPECT_GT(Limits::denorm_min(), 0);
  EXPECT_EQ(Limits::denorm_min() / 2, 0);
  EXPECT_TRUE(isnan(Limits::infinity() - Limits::infinity()));
  EXPECT_FALSE(isfinite(Limits::quiet_NaN()));
  EXPECT_TRUE(signbit(Quad(-0.0)));
}

TEST(Quad, ElementaryFunctionsAreAccurateToAnUlpOrTwo) {
  const Quad third = Quad(1) / 3, ulp = std::numeric_limits<Quad>::epsilon();
  EXPECT_LE(abs(pow(Quad(2), third) - to_quad(Exact(pow(Exact(2), exact(third))))), 2 * ulp);
  EXPECT_LE(abs(sin(third) - to_quad(Exact(sin(exact(third))))), ulp);
  EXPECT_LE(abs(cos(third) - to_quad(Exact(cos(exact(third))))), ulp);
  EXPECT_LE(abs(cos(pi()) + 1), ulp);
}

TEST(Quad, IsPrintedWithTheDigitsOfTheStream) {
  std::ostringstream out;
  out.precision(30);
  out << Quad(1) / 3;
  EXPECT_EQ(out.str(), "0.333333333333333333333333333333");
}

}  // namespace
}  // namespace pivotlab::quad_test
