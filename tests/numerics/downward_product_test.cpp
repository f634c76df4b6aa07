// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/downward_product.hpp"

#include <gtest/gtest.h>
#include <pivotlab/scalar.hpp>

#include <cfenv>
#include <random>

namespace pivotlab::downward_product_test {
namespace {

double product_rounded_down(double a, double b) {
  const volatile double x = a, y = b;
  const int mode = std::fegetround();
  std::fesetround(FE_DOWNWARD);
  const volatile double product = x * y;
  std::fesetround(mode);
  return product;
}

/// Any sign and magnitude; half of them with few bits, so that products are often exact.
double any_double(std::mt19937_64& generator, int exponent) {
  const double mantissa = std::uniform_real_distribution(-2.0, 2.0)(generator);
  const double rounded = generator() % 2 == 0 ? mantissa : std::ldexp(std::round(std::ldexp(mantissa, 9)), -9);
  return std::ldexp(rounded, std::uniform_int_distribution(-exponent, exponent)(generator));
}

TEST(DownwardProduct, RoundsProductDown) {
  std::mt19937_64 generator(1);
  for (int exponent : {10, 500, 560, 1000})  // the latter two overflow and underflow, too
    for (int i = 0; i < 200'000; ++i) {
      const double a = any_double(generator, exponent), b = any_double(generator, exponent);
      const DownwardProduct<double> product(a, b);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(product.c), std::bit_cast<std::uint64_t>(product_rounded_down(a, b)))
          << a << " " << b;
      if (exponent == 10) {
        ASSERT_EQ(Quad(a) * Quad(b) - Quad(product.c), Quad(product.d)) << a << " " << b;
      }
    }
}

TEST(DownwardProduct, ZeroForZeros) {
  for (const double a : {0.0, -0.0})
    for (const double b : {0.0, -0.0, 1.0, -1.0}) {
      const DownwardProduct<double> product(a, b);
      EXPECT_EQ(product.c, 0);
      EXPECT_EQ(product.d, 0);
    }
}

}  // namespace
}  // namespace pivotlab::downward_product_test
