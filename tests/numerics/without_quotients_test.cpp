// SPDX-License-Identifier: BSD-3-Clause
// Roots and signs by the bits of double.
#include "kernels/numerics/without_quotients.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/scalar.hpp>

#include <cmath>

namespace pivotlab::without_quotients_test {
namespace {

RC_GTEST_PROP(WithoutQuotients, ReciprocalSquareRootIsRightToTwoUlp, ()) {
  const double fraction = *rc::gen::inRange<std::int64_t>(0, std::int64_t(1) << 53) * 0x1p-53;
  const double x = std::ldexp(1 + fraction, *rc::gen::inRange(-1022, 1024));
  const Quad error = Quad(reciprocal_square_root(x)) * sqrt(Quad(x)) - 1;
  RC_ASSERT(std::abs(static_cast<double>(error)) <= 2 * 0x1p-52);
}

TEST(WithoutQuotients, NegatesByTheSignBit) {
  EXPECT_EQ(negated_if(true, 2.5), -2.5);
  EXPECT_EQ(negated_if(false, -2.5), -2.5);
  EXPECT_TRUE(std::signbit(negated_if(true, 0.0)));
}

}  // namespace
}  // namespace pivotlab::without_quotients_test
