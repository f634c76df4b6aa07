// SPDX-License-Identifier: BSD-3-Clause
// First sweeps in single precision by the device's kernels, run on the host by fibers: results are as accurate as
// without them, nothing changes where they would lose columns, and bits depend on no order of threads.
#include "decomposition.hpp"

#include "kernels/gsvd/device/gsvd_driver.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::gsvd_mixed_emulation_test {
namespace {

using namespace test;

std::ptrdiff_t sweeps_in_single(const auto& result) {
  return std::ranges::count_if(result.sweeps, [](const SweepCounters& sweep) { return sweep.in_single; });
}
/// Counts corrections of all columns at once, which have no inner sweeps.
std::ptrdiff_t corrections(const auto& result) {
  return std::ranges::count_if(result.sweeps, [](const SweepCounters& sweep) { return sweep.max_inner_sweeps == 0; });
}

/// Makes F or G as ill-conditioned as wanted: the last column becomes the one before up to 1/condition of a
/// random one.
template <class T>
TestPair<T> with_condition(double condition, Matrix<T> TestPair<T>::*factor, Index n) {
  TestPair<T> pair = random_pair<T>(n, n, n, 7);
  Matrix<T>& A = pair.*factor;
  for (Index i = 0; i < n; ++i) A(i, n - 1) = A(i, n - 2) + A(i, n - 1) / condition;
  return pair;
}

template <class T>
class MixedTest : public testing::Test {
 public:
  static GsvdResult<T> solve(const TestPair<T>& pair, const std::string& variant, LaneOrder order = LaneOrder::forward,
                             int max_sweeps = 30) {
    return gsvd_emulated<T>(pair.F, pair.G,
                            {.variant = parse_gsvd_variant(variant).variant, .max_outer_sweeps = max_sweeps}, order);
  }
  static GsvdResult<T> mixed(const TestPair<T>& pair, const std::string& variant = "DHZ0-(ME-FB-ME)") {
    return solve(pair, variant + ";mixed");
  }
  static std::string bits_without(const TestPair<T>& pair) { return bits(solve(pair, "DHZ0-(ME-FB-ME)")); }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(MixedTest, Scalars);

TYPED_TEST(MixedTest, DecomposesPairsOfEveryShape) {
  const struct {
    const char* variant;
    Index m_f, m_g, n;
  } cases[] = {{"DHZ0-(ME-FB-ME)", 1, 1, 1},         {"DHZ0-(ME-FB-ME)", 300, 50, 20},
               {"DHZ0-(ME-FB-ME)", 36, 41, 34},      {"DHZ3-(MM-BO-RR);w=32", 36, 33, 33},
               {"DHZ2-(ME-FB-ME);w=32", 40, 36, 34}, {"DHZ5-(RR-FB-MM);sort=off", 48, 48, 48}};
  for (const auto& [variant, m_f, m_g, n] : cases) {
    SCOPED_TRACE(fmt::format("{} {} {} {}", variant, m_f, m_g, n));
    const auto pair = random_pair<TypeParam>(m_f, m_g, n);
    const auto r = this->mixed(pair, variant), plain = this->solve(pair, variant);
    expect_decomposition(pair, r, 20 * unit_roundoff<double>() * static_cast<double>(std::max(m_f, m_g)));
    EXPECT_LE(largest_relative_error(r.sigma, plain.sigma), 8e-14);
    EXPECT_LE(largest_relative_error(r.sigma, exact_sigma(pair)), 4e-14);
    EXPECT_GT(sweeps_in_single(r), 0);
    EXPECT_LE(r.sweeps.size(), plain.sweeps.size() + 2);
    if (n > 1) {
      EXPECT_TRUE(bits(r) != bits(plain));
    }
  }
}

TYPED_TEST(MixedTest, CorrectionsReplaceSweepsInDoublePrecision) {
  for (const char* variant : {"DHZ0-(ME-FB-ME)", "DHZ5-(RR-FB-ME);w=32;sort=off"}) {
    SCOPED_TRACE(variant);
    const auto pair = random_pair<TypeParam>(50, 45, 40);
    const auto r = this->mixed(pair, variant);
    EXPECT_EQ(sweeps_in_single(r) + corrections(r), std::ssize(r.sweeps));
    EXPECT_EQ(r.sweeps.back().big, 0);
    for (std::size_t i = sweeps_in_single(r); i + 1 < r.sweeps.size(); ++i) {
      EXPECT_GT(r.sweeps[i].big, 0);
      EXPECT_LE(r.sweeps[i].transformations, 40 * 39 / 2);
      EXPECT_LE(r.sweeps[i + 1].big, r.sweeps[i].big);
    }
    EXPECT_LE(corrections(r), 5);
    expect_decomposition(pair, r, 1e-14);
  }
}

TYPED_TEST(MixedTest, SweepsGoOnWhereSigmaAreEqual) {
  auto pair = random_pair<TypeParam>(40, 40, 40);
  for (Index j = 0; j < 40; ++j)
    for (Index i = 0; i < 40; ++i) pair.F(i, j) = static_cast<double>(1 + i / 8) * pair.G(i, j);
  const auto r = this->mixed(pair);
  expect_decomposition(pair, r, 1e-13);
  EXPECT_GT(sweeps_in_single(r), 0);
  EXPECT_EQ(corrections(r), 0);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(r.sigma[i], 5 - static_cast<double>(i / 8), 1e-12);
}

TYPED_TEST(MixedTest, IsForGradedColumnsToo) {
  const auto pair = random_pair<TypeParam>(40, 40, 36);
  const auto exact = exact_sigma(pair);
  auto graded = pair;
  for (Index j = 0; j < 36; ++j)
    for (Index i = 0; i < 40; ++i)
      graded.F(i, j) *= std::ldexp(1.0, -8 * int(j)), graded.G(i, j) *= std::ldexp(1.0, -8 * int(j));
  for (const char* variant : {"DHZ0-(ME-FB-ME)", "DHZ2-(ME-FB-ME)"}) {
    SCOPED_TRACE(variant);
    const auto r = this->mixed(graded, variant);
    expect_decomposition(graded, r, 1e-13);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 4e-14);
    EXPECT_GT(sweeps_in_single(r), 0);
  }
}

TYPED_TEST(MixedTest, IsForLargeAndSmallColumnsOfF) {
  for (const int step : {1, 7, -7}) {
    SCOPED_TRACE(step);
    auto pair = random_pair<TypeParam>(40, 40, 36);
    for (Index j = 0; j < 36; ++j)
      for (Index i = 0; i < 40; ++i) pair.F(i, j) *= std::ldexp(1.0, -step * int(j));
    const auto r = this->mixed(pair);
    expect_decomposition(pair, r, 1e-13);
    EXPECT_LE(largest_relative_error(r.sigma, exact_sigma(pair)), 4e-14);
    EXPECT_EQ(sweeps_in_single(r) > 0, std::abs(step) == 1);
    if (std::abs(step) > 1) {
      EXPECT_TRUE(bits(r) == this->bits_without(pair));
    }
  }
}

TYPED_TEST(MixedTest, DecomposesPairsWithIllConditionedMatrices) {
  for (const auto factor : {&TestPair<TypeParam>::F, &TestPair<TypeParam>::G})
    for (const double condition : {0x1p20, 0x1p40}) {
      SCOPED_TRACE(condition);
      const auto pair = with_condition(condition, factor, 40);
      const auto r = this->mixed(pair), plain = this->solve(pair, "DHZ0-(ME-FB-ME)");
      expect_decomposition(pair, r, 1e-13);
      EXPECT_LE(largest_relative_error(r.sigma, exact_sigma(pair)), 1e-13 + 100 * condition * unit_roundoff<double>());
      EXPECT_LE(r.sweeps.size(), plain.sweeps.size() + 4);
    }
}

TYPED_TEST(MixedTest, ChangesNothingIfATileIsLost) {
  auto pair = with_condition(0x1p30, &TestPair<TypeParam>::G, 40);
  for (Index i = 0; i < 40; ++i) pair.F(i, 39) = i % 2 == 0 ? pair.F(i, 38) : -pair.F(i, 38);  // the same scaling
  const auto r = this->mixed(pair);
  EXPECT_EQ(r.status, Status::passed);
  EXPECT_EQ(sweeps_in_single(r), 0);
  EXPECT_TRUE(bits(r) == this->bits_without(pair));
}

TYPED_TEST(MixedTest, ChangesNothingWhereSinglePrecisionDoesNotConverge) {
  auto pair = random_pair<TypeParam>(48, 48, 48);
  for (Index j = 0; j < 48; ++j)
    for (Index i = 0; i < 48; ++i) pair.F(i, j) *= std::ldexp(1.0, int(i * 17 % 37) - 18);
  const auto r = this->mixed(pair);
  expect_decomposition(pair, r, 1e-13);
  EXPECT_EQ(sweeps_in_single(r), 0);
  EXPECT_TRUE(bits(r) == this->bits_without(pair));
}

TYPED_TEST(MixedTest, FindsTheNullSpaceOfF) {
  for (const bool zero_rows : {false, true}) {
    const auto pair = rank_deficient_pair<TypeParam>(34, 19, zero_rows);
    const auto r = this->mixed(pair);
    expect_decomposition(pair, r, 1e-13);
    EXPECT_GT(r.sigma[18], 1e-4);
    for (std::size_t j = 19; j < 34; ++j) EXPECT_EQ(r.sigma[j], 0) << j;
  }
}

TYPED_TEST(MixedTest, RefusesADependentColumnOfG) {
  const auto pair = with_condition(0x1p200, &TestPair<TypeParam>::G, 40);
  EXPECT_THROW(this->mixed(pair, "DHZ0-(ME-BO-ME)"), InputError);
}

TYPED_TEST(MixedTest, CountsAmongTheSweeps) {
  const auto pair = random_pair<TypeParam>(40, 40, 40);
  const auto all = static_cast<int>(this->mixed(pair).sweeps.size());
  for (int most = 1; most < all; ++most) {
    const auto r = this->solve(pair, "DHZ0-(ME-FB-ME);mixed", LaneOrder::forward, most);
    EXPECT_EQ(r.status, Status::not_converged);
    EXPECT_EQ(static_cast<int>(r.sweeps.size()), most);
    EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), 1e-14);
    EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), 1e-14);
  }
}

TYPED_TEST(MixedTest, TheOrderOfTheThreadsDoesNotMatter) {
  for (const char* variant : {"DHZ0-(ME-FB-ME);mixed", "DHZ3-(ME-BO-ME);w=32;mixed"}) {
    SCOPED_TRACE(variant);
    const auto pair = random_pair<TypeParam>(36, 35, 34);
    const auto forward = this->solve(pair, variant, LaneOrder::forward, 2);
    EXPECT_EQ(sweeps_in_single(forward), 2);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
      EXPECT_TRUE(bits(this->solve(pair, variant, order, 2)) == bits(forward));
  }
}

TYPED_TEST(MixedTest, IsNotForTheHost) {
  const auto pair = random_pair<TypeParam>(36, 35, 34);
  const auto on_host = [&](const char* name) {
    return bits(gsvd<TypeParam>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant}));
  };
  EXPECT_TRUE(on_host("DHZ0-(ME-FB-ME);mixed") == on_host("DHZ0-(ME-FB-ME)"));
}

}  // namespace
}  // namespace pivotlab::gsvd_mixed_emulation_test
