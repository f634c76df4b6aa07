// SPDX-License-Identifier: BSD-3-Clause
// Products of ten kinds with every number of moduli: the bounds hold, without any rounding in the comparison.
#include <gtest/gtest.h>
#include <kernels/exact/residue_system.hpp>
#include <tests/exact/exact_data.hpp>

namespace pivotlab::bounds_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

constexpr Index m = 6, n = 5, k = 45;

template <class T>
void expect_bounded(const ExactProduct<T>& C, const std::vector<LongComplex>& exact) {
  for (std::size_t e = 0; e < exact.size(); ++e) {
    const T hi = C.hi.data()[e], lo = C.lo.data()[e];
    const double bound = C.bound.data()[e];
    ASSERT_TRUE(is_within(squared_error(exact[e], hi, lo), bound)) << "entry " << e << ", bound " << bound;
    if (C.report.exact()) {
      ASSERT_LE(bound, 0x1.0001p-104 * (std::abs(real_part(hi)) + std::abs(hi - real_part(hi))) + 0x1p-1071);
    }
  }
}

template <class T>
void expect_bounded(const Kind& kind) {
  const Problem<T> problem = make_problem<T>(kind, m, n, k);
  const auto exact = exact_entries(problem.A.factor(), problem.B.factor());
  for (int moduli = exact::fewest_moduli; moduli <= exact::most_moduli; ++moduli)
    for (const bool balance : {false, true}) {
      if (is_complex<T> && balance != (moduli % 2 == 0)) continue;
      SCOPED_TRACE(kind.name + ", " + std::to_string(moduli) + " moduli" + (balance ? ", balanced" : ""));
      expect_bounded(exact_product<T>(problem.A.factor(), problem.B.factor(), {.moduli = moduli, .balance = balance}),
                     exact);
    }
}

class EveryKind : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(ExactProduct, EveryKind, testing::ValuesIn(kinds.begin(), kinds.end() - 1));

TEST_P(EveryKind, ErrorsAreWithinTheBounds) {
  expect_bounded<double>(GetParam());
}

TEST_P(EveryKind, ErrorsOfComplexProductsAreWithinTheBounds) {
  expect_bounded<Complex>(GetParam());
}

TEST_P(EveryKind, FewestModuliAreExactWhereTheReportTellsSo) {
  const Problem<double> problem = make_problem<double>(GetParam(), m, n, k);
  const auto C = exact_product<double>(problem.A.factor(), problem.B.factor(), {.balance = true});
  if (GetParam().name != "wide" && !GetParam().two_limbs) {
    EXPECT_TRUE(C.report.exact());
  }
  if (!C.report.exact()) {
    EXPECT_EQ(C.report.moduli, exact::most_moduli);
  }
  expect_bounded(C, exact_entries(problem.A.factor(), problem.B.factor()));
}

TEST_P(EveryKind, WantedBitsAreProved) {
  const Problem<Complex> problem = make_problem<Complex>(GetParam(), m, n, k);
  for (const double bits : {20.0, 85.0}) {
    const auto C = exact_product<Complex>(problem.A.factor(), problem.B.factor(), {.bits = bits});
    EXPECT_LE(C.report.bound(), std::exp2(-bits));
    expect_bounded(C, exact_entries(problem.A.factor(), problem.B.factor()));
  }
}

TEST(ExactProduct, BalanceRemovesAnInnerGrading) {
  const Kind& graded = kinds[2];
  const Problem<double> problem = make_problem<double>(graded, m, n, k);
  EXPECT_GT(exact_product<double>(problem.A.factor(), problem.B.factor(), {.moduli = 16}).report.left_lost, 0);
  const auto plain = exact_product<double>(problem.A.factor(), problem.B.factor(), {.moduli = 20}),
             balanced = exact_product<double>(problem.A.factor(), problem.B.factor(), {.moduli = 20, .balance = true});
  EXPECT_FALSE(plain.report.exact());
  EXPECT_TRUE(balanced.report.exact());
}

TEST(ExactProduct, ProductsOfVectorsReachTheLimit) {
  // Norms just below the budget, and parallel vectors: |X| is as near to P/2 as it comes.
  for (int moduli = exact::fewest_moduli; moduli <= exact::most_moduli; ++moduli) {
    Matrix<double> a(1, 16), b(16, 2);
    const double size = std::exp2(exact::even_budget(moduli) - 2 - std::floor(exact::even_budget(moduli) - 2) - 0.001);
    for (Index t = 0; t < 16; ++t) a(0, t) = b(t, 0) = size, b(t, 1) = -size;
    const auto C = exact_product<double>(a, b, {.moduli = moduli});
    expect_bounded(C, exact_entries<double>(a, b));
  }
}

TEST(ExactProduct, SumsInThirtyTwoBitsReachTheirLimit) {
  // Numbers with the residues 128 and ±(p − 1)/2 of the first eleven moduli, in vectors that need no scaling.
  using exact::residue_system;
  constexpr Index inner = 65536;
  const auto z = residue_system(exact::most_moduli);
  Long step = 1, y = 0;
  for (int i = 0; i < 11; ++i) {
    const Long p = z.modulus[i].p, wanted = p / 2;
    while (y % p != wanted) y += step;
    step *= p;
  }
  const double smallest = std::exp2(exact::even_budget(exact::most_moduli) - 8.8);
  while (y < Long(smallest)) y += step;
  Matrix<double> hi(1, inner), lo(1, inner);
  const auto high = static_cast<double>(y);
  const auto low = static_cast<double>(Long(y - Long(high)));
  ASSERT_EQ(Long(high) + Long(low), y);
  std::ranges::fill(hi.col(0), high);
  for (Index t = 0; t < inner; ++t) hi(0, t) = high, lo(0, t) = low;
  const ExactFactor<double> a(hi.view(), lo.view());
  Matrix<double> c(1, 1), c_low(1, 1);
  const ExactReport report = exact_update<double>({.hi = c, .lo = c_low, .subtract = true}, a, a.transpose(),
                                                  {.moduli = exact::most_moduli, .gram = true});
  EXPECT_TRUE(report.exact());
  const Long square = y * y * inner, error = square + Long(c(0, 0)) + Long(c_low(0, 0));
  EXPECT_LE(abs(error) << 104, square);
}

}  // namespace
}  // namespace pivotlab::bounds_test
