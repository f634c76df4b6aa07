// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::double_double_test {
namespace {

/// A significand of up to 106 bits times 2^e, with the gap between the two parts that a double-double may have.
rc::Gen<DoubleDouble> double_doubles(int span = 100) {
  const auto significand = rc::gen::map(rc::gen::inRange<std::int64_t>(1, std::int64_t(1) << 53),
                                        [](std::int64_t m) { return static_cast<double>(m) * 0x1p-53; });
  return rc::gen::map(rc::gen::tuple(significand, significand, rc::gen::inRange(-span, span), rc::gen::inRange(53, 70),
                                     rc::gen::arbitrary<bool>(), rc::gen::arbitrary<bool>()),
                      [](const auto& parts) {
                        const auto& [hi, lo, e, gap, negative, opposite] = parts;
                        const DoubleDouble x = DoubleDouble::sum(hi, std::ldexp(opposite ? -lo : lo, -gap - 1));
                        return ldexp(negative ? -x : x, e);
                      });
}

/// |x − exact| ≤ units·u²·|exact| with u = 2⁻⁵³, in an arithmetic much finer than both.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<120>, boost::multiprecision::et_off>;
Exact exact(const DoubleDouble& x) {
  return Exact(x.hi()) + Exact(x.lo());
}
bool within(const DoubleDouble& x, const Exact& expected, double units) {
  return x.hi() == x.hi() + x.lo() && abs(exact(x) - expected) <= units * 0x1p-106 * abs(expected);
}

RC_GTEST_PROP(DoubleDouble, ArithmeticIsWithinItsErrorBounds, ()) {
  const DoubleDouble x = *double_doubles(), y = *double_doubles();
  RC_ASSERT(within(x + y, exact(x) + exact(y), 3.01));
  RC_ASSERT(within(x - y, exact(x) - exact(y), 3.01));
  RC_ASSERT(within(x * y, exact(x) * exact(y), 4.01));
  RC_ASSERT(within(x / y, exact(x) / exact(y), 15.01));
  RC_ASSERT(within(sqrt(abs(x)), sqrt(abs(exact(x))), 3.13));
  RC_ASSERT(within(x + y.hi(), exact(x) + y.hi(), 2.01));
  RC_ASSERT(within(x * y.hi(), exact(x) * y.hi(), 2.01));
}

RC_GTEST_PROP(DoubleDouble, CancellationLosesNothing, ()) {
  const DoubleDouble x = *double_doubles();
  const DoubleDouble y = x * DoubleDouble(1 + std::ldexp(1.0, -*rc::gen::inRange(1, 52)));
  RC_ASSERT(within(x - y, exact(x) - exact(y), 3.01));
  RC_ASSERT(x - x == DoubleDouble(0));
}

RC_GTEST_PROP(DoubleDouble, OrderAndRoundTripsAreThoseOfQuad, ()) {
  const DoubleDouble x = *double_doubles(3), y = *double_doubles(3);
  RC_ASSERT((x < y) == (exact(x) < exact(y)));
  RC_ASSERT((x == y) == (exact(x) == exact(y)));
  RC_ASSERT(double(x) == static_cast<double>(Quad(x)));
  const Quad q = Quad(*double_doubles()) * Quad(0.75);  // has at most 113 bits, not always a double-double
  RC_ASSERT(abs(to_long<Exact>(q) - exact(DoubleDouble(q))) <= 0x1p-106 * abs(to_long<Exact>(q)));
}

TEST(DoubleDouble, LimitsDescribeTheArithmetic) {
  using Limits = std::numeric_limits<DoubleDouble>;
  EXPECT_EQ(unit_roundoff<DoubleDouble>(), DoubleDouble(0x1p-106));
  EXPECT_NE(DoubleDouble(1) + Limits::epsilon(), DoubleDouble(1));
  EXPECT_GT(Limits::max(), DoubleDouble(std::numeric_limits<double>::max()));
  EXPECT_EQ(Limits::lowest(), -Limits::max());
  EXPECT_EQ(Limits::denorm_min(), DoubleDouble(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(isnan(Limits::quiet_NaN()) && !isfinite(Limits::infinity()));
}

TEST(DoubleDouble, ZeroIsHandledByEveryOperation) {
  const DoubleDouble zero, one(1);
  EXPECT_EQ(sqrt(zero), zero);
  EXPECT_EQ(zero / one, zero);
  EXPECT_EQ(zero * one, zero);
  EXPECT_TRUE(isnan(zero / zero));
}

TEST(DoubleDouble, IsAPartOfComplexNumbers) {
  using Complex = std::complex<DoubleDouble>;
  const Complex z(DoubleDouble(3), DoubleDouble(-4));
  EXPECT_EQ(std::abs(z), DoubleDouble(5));
  EXPECT_EQ(conjugate(z) * z, Complex(DoubleDouble(25)));
  const Complex error = (z / Complex(DoubleDouble(1), DoubleDouble(7))) * Complex(DoubleDouble(1), DoubleDouble(7)) - z;
  EXPECT_LT(double(std::abs(error)), 0x1p-99);
}

}  // namespace
}  // namespace pivotlab::double_double_test
