// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of residues against long integers, at its limits, and with faults that must show.
#include <gtest/gtest.h>
#include <kernels/exact/integer_products.hpp>
#include <kernels/exact/integers.hpp>
#include <kernels/exec/host_executor.hpp>
#include <tests/exact/exact_data.hpp>

namespace pivotlab::arithmetic_test {
namespace {

using namespace exact;
using test::Long;

Long product_of(const ResidueSystem& z) {
  Long product = 1;
  for (int i = 0; i < z.moduli; ++i) product *= z.modulus[i].p;
  return product;
}

std::vector<std::uint32_t> residues_of(const ResidueSystem& z, const Long& x) {
  std::vector<std::uint32_t> residues;
  for (int i = 0; i < z.moduli; ++i) {
    const Long p = z.modulus[i].p;
    residues.push_back(static_cast<std::uint32_t>(Long((x % p + p) % p)));
  }
  return residues;
}

DoubleDouble rebuilt_from(const ResidueSystem& z, const std::vector<std::uint32_t>& residues) {
  const auto residue = [&](int i, const Modulus&) { return residues[static_cast<std::size_t>(i)]; };
  switch (z.chunks) {
    case 2:
      return rebuilt<2>(z, 0, residue);
    case 3:
      return rebuilt<3>(z, 0, residue);
    case 4:
      return rebuilt<4>(z, 0, residue);
    default:
      return rebuilt<5>(z, 0, residue);
  }
}

/// Returns whether hi + lo differs from x by at most 2⁻¹⁰⁴|x|.
bool is_rebuilt(const ResidueSystem& z, const Long& x, const std::vector<std::uint32_t>& residues) {
  const DoubleDouble value = rebuilt_from(z, residues);
  const Long unit = Long(1) << test::unit_of_product;
  const Long error =
      x * unit - test::integer(value.hi(), test::unit_of_product) - test::integer(value.lo(), test::unit_of_product);
  return (abs(error) << 104) <= abs(x) * unit;
}

/// Numbers of all sizes, the last near ±P/2 as far as sums of products reach.
std::vector<Long> numbers_below_half(const ResidueSystem& z) {
  const Long limit = product_of(z) * 499 / 1000;  // 2^(2L) is less
  std::vector<Long> numbers{0, 1, -1, limit, -limit, limit - 1, 1 - limit};
  std::mt19937_64 engine(7);
  for (Long x = 3; x < limit; x = x * 5 + engine() % 3) numbers.insert(numbers.end(), {x, -x, limit - x});
  return numbers;
}

class EveryModuli : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Residues, EveryModuli, testing::Range(fewest_moduli, most_moduli + 1));

TEST_P(EveryModuli, RebuildsNumbersUpToHalfTheProduct) {
  const ResidueSystem z = residue_system(GetParam());
  EXPECT_LT(2 * even_budget(GetParam()), z.log2_product - 1);
  for (const Long& x : numbers_below_half(z)) ASSERT_TRUE(is_rebuilt(z, x, residues_of(z, x))) << x;
}

TEST_P(EveryModuli, FaultsShow) {
  const ResidueSystem z = residue_system(GetParam());
  const std::vector<Long> numbers = numbers_below_half(z);
  const auto all_rebuilt = [&](const ResidueSystem& system, int wrong_residue, const Long& added) {
    return std::ranges::all_of(numbers, [&](const Long& x) {
      auto residues = residues_of(z, x);
      if (wrong_residue >= 0) residues[static_cast<std::size_t>(wrong_residue)] += 1;
      return is_rebuilt(system, x + added, residues);
    });
  };
  ASSERT_TRUE(all_rebuilt(z, -1, 0));
  EXPECT_FALSE(all_rebuilt(z, -1, product_of(z))) << "the quotient off by one";
  for (int i = 0; i < z.moduli; ++i) {
    EXPECT_FALSE(all_rebuilt(z, i, 0)) << "residue " << i;
    ResidueSystem wrong = z;
    wrong.modulus[i].weight[0] += 1;
    EXPECT_FALSE(all_rebuilt(wrong, -1, 0)) << "weight " << i;
    wrong = z;
    wrong.modulus[i].inverse = wrong.modulus[i].inverse == 1 ? 2 : wrong.modulus[i].inverse - 1;
    EXPECT_FALSE(all_rebuilt(wrong, -1, 0)) << "inverse " << i;
  }
}

TEST(Residues, DivideWithoutErrors) {
  const ResidueSystem z = residue_system(most_moduli);
  for (int i = 0; i < most_moduli; ++i) {
    const Modulus& m = z.modulus[i];
    for (std::uint32_t x = 0; x < 1u << 24; x += x % m.p == 0 || x % m.p == m.p - 2 ? 1 : m.p - 2)
      ASSERT_EQ(reduced(x, m), x % m.p) << x << " mod " << m.p;
    const auto p = static_cast<std::int64_t>(m.p);
    const auto check = [&](std::int64_t sum) {
      const std::uint32_t r = nearly_reduced(static_cast<std::int32_t>(sum), m);
      ASSERT_LT(r, 2 * m.p) << sum;
      ASSERT_EQ(static_cast<std::int64_t>(r) % p, (sum % p + p) % p) << sum << " mod " << p;
    };
    constexpr std::int64_t limit = std::int64_t(1) << 30;
    for (std::int64_t step = 0; step < 2 * p; ++step) check(limit - step), check(step - limit), check(step - p);
  }
}

Long value_of(const Integer& x) {
  Long value = 0;
  for (int b = 15; b >= 0; --b) value = value * 256 + static_cast<std::int8_t>(x.digits[b / 4] >> 8 * (b % 4));
  return value;
}

TEST(Residues, BytesOfIntegersAreCongruent) {
  const ResidueSystem z = residue_system(most_moduli);
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 600; ++trial) {
    Wide magnitude = trial < 4 ? ~Wide(0) : Wide(engine()) << 64 | engine();
    magnitude >>= 2 + trial % 90;
    const Integer x = integer_of(magnitude, trial % 2 == 1, 0);
    const Long value = value_of(x);
    ASSERT_EQ(abs(value), Long(magnitude));
    ASSERT_TRUE(value == 0 || (value < 0) == (trial % 2 == 1));
    const int words = magnitude >> 94 == 0 ? 3 : 4;
    for (int i = 0; i < most_moduli; ++i) {
      const Modulus& m = z.modulus[i];
      const int p = static_cast<int>(m.p), byte = static_cast<std::int8_t>(residue_byte(x, words, m));
      ASSERT_EQ(Long(value - byte) % p, 0) << value << " mod " << p;
      ASSERT_LE(std::abs(byte), p / 2);
    }
  }
  // The largest digits.
  for (const std::int32_t digits : {0x7f7f7f7f, static_cast<std::int32_t>(0x80808080)}) {
    const Integer x{{digits, digits, digits, digits}, 0};
    for (int i = 0; i < most_moduli; ++i)
      ASSERT_EQ(Long(value_of(x) - static_cast<std::int8_t>(residue_byte(x, 4, z.modulus[i]))) % z.modulus[i].p, 0);
  }
}

TEST(Integers, RoundToNearestAndTellWhatIsLost) {
  for (const double x : {0.0, 1.0, -1.0, 0.75, -3.5, 0x1p-1074, -0x1.fffffffffffffp1023, 0x1.23456789abcdep-1030})
    for (int shift = -1100; shift <= 1300; shift += 7) {
      if (x != 0 && std::ilogb(x) + shift > 120) continue;
      const Rounded r = rounded_integer(x, shift);
      // In units of 2⁻²¹⁴⁸⁻ˢʰⁱᶠᵗ, where everything is an integer.
      const Long exact = abs(test::integer(x, test::unit_of_product)) << (shift + 1200);
      const Long unit = Long(1) << (test::unit_of_product + 1200);
      const Long error = abs(Long(exact - Long(r.magnitude) * unit));
      EXPECT_LE(2 * error, unit) << x << ' ' << shift;
      EXPECT_EQ(r.inexact, error != 0) << x << ' ' << shift;
    }
}

TEST(Integers, TwoLimbsLoseAtMostWhatIsCounted) {
  std::mt19937_64 engine(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const double hi = std::ldexp(static_cast<double>(static_cast<std::int64_t>(engine())), -63);
    const double lo = std::ldexp(static_cast<double>(static_cast<std::int64_t>(engine())), -63 - trial % 120);
    const int shift = trial % 113;
    const Integer x = integer_of(hi, lo, shift);
    const Long value = value_of(x);
    const Long exact = (test::integer(hi, 1200) + test::integer(lo, 1200)) << shift, unit = Long(1) << 1200;
    const Long error = exact - value * unit;
    EXPECT_LE(4 * error * error, x.lost * unit * unit) << hi << ' ' << lo << ' ' << shift;
  }
}

TEST(Logarithms, AreBoundsNearTheValues) {
  for (double x = 1; x < 1e6; x *= 1.0037) {
    EXPECT_GE(log2_bound(x), std::log2(x));
    EXPECT_LE(log2_bound(x), std::log2(x) + 0.0875);
  }
}

TEST(IntegerProducts, HoldSixtyFiveThousandTermsOfTheLargestBytes) {
  constexpr Index inner = 65536, vectors = 32;
  const std::array<std::int8_t, 3> values{-128, 127, -127};
  std::vector<std::int8_t> bytes;
  for (std::size_t v = 0; v < vectors; ++v) bytes.insert(bytes.end(), inner, values[v % 3]);
  std::vector<std::int32_t> sums(vectors * vectors, 5);
  const auto multiply = [&](bool adds) {
    HostIntegers(HostExecutor())
        .multiply({{bytes.data(), inner, 0},
                   {bytes.data(), inner, 0},
                   sums.data(),
                   vectors,
                   0,
                   vectors,
                   vectors,
                   inner,
                   1,
                   adds});
  };
  multiply(false);
  for (std::size_t i = 0; i < vectors; ++i)
    for (std::size_t j = 0; j < vectors; ++j)
      ASSERT_EQ(sums[i + j * vectors], values[i % 3] * values[j % 3] * inner) << i << ' ' << j;
  std::ranges::fill(sums, -100);
  multiply(true);
  EXPECT_EQ(sums[0], 128 * 128 * inner - 100);
}

}  // namespace
}  // namespace pivotlab::arithmetic_test
