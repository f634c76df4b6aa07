// SPDX-License-Identifier: BSD-3-Clause
// The device's kernels, run on the host by fibers: correct for every variant and shape, and bitwise the same for every
// order of the threads of a block.
#include "decomposition.hpp"

#include "kernels/gsvd/device/gsvd_driver.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>

namespace pivotlab::gsvd_emulation_test {
namespace {

using namespace test;

template <class T>
class EmulationTest : public testing::Test {
 public:
  static GsvdResult<T> solve(const TestPair<T>& pair, const std::string& variant, LaneOrder order = LaneOrder::forward,
                             int max_sweeps = 30) {
    return gsvd_emulated<T>(pair.F, pair.G,
                            {.variant = parse_gsvd_variant(variant).variant, .max_outer_sweeps = max_sweeps}, order);
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(EmulationTest, Scalars);

TYPED_TEST(EmulationTest, EveryVariantDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(20, 21, 20);
  const auto exact = exact_sigma(pair);
  for (const auto& name : expand_pattern("DHZ{0..7}-(ME-FB-ME)")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    expect_decomposition(pair, r, 20 * unit_roundoff<double>() * 21);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 4e-14);
  }
}

TYPED_TEST(EmulationTest, EveryOptionDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(36, 41, 34);
  const auto exact = exact_sigma(pair);
  for (const char* name :
       {"DHZ0-(MM-BO-RR)", "DHZ0-(ME-FB-ME);w=32", "DHZ3-(RR-BO-MM);w=32;sort=off", "DHZ0-(ME-FB-ME);factor=pivoted",
        "DHZ2-(ME-FB-ME);factor=qr", "DHZ0-(ME-FB-ME);w=32;factor=qr", "DHZ5-(ME-BO-ME);w=32;factor=pivoted"}) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, name);
    expect_decomposition(pair, r, 20 * unit_roundoff<double>() * 41);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 4e-14);
  }
}

TYPED_TEST(EmulationTest, NullSpaceOfFHasZeroSigmas) {
  for (const bool zero_rows : {false, true})
    for (const char* name : {"DHZ0-(ME-FB-ME)", "DHZ0-(ME-BO-ME);factor=pivoted"}) {
      SCOPED_TRACE(name);
      const auto pair = rank_deficient_pair<TypeParam>(34, 19, zero_rows);
      const auto r = this->solve(pair, name);
      expect_decomposition(pair, r, 1e-13);
      EXPECT_GT(r.sigma[18], 1e-4);
      for (std::size_t j = 19; j < 34; ++j) EXPECT_EQ(r.sigma[j], 0) << j;
      EXPECT_LE(r.sweeps.size(), 10u);
    }
}

TYPED_TEST(EmulationTest, ColumnsOfFWhoseSquaresLoseDigitsAreZeros) {
  for (const int exponent : {500, 512, 520, 528, 536})
    for (unsigned seed = 0; seed < 4; ++seed) {
      const auto pair = collapsing_pair<TypeParam>(exponent, seed);
      expect_decomposition(pair, this->solve(pair, "DHZ0-(ME-FB-ME);w=16"), 1e-14);
    }
}

TYPED_TEST(EmulationTest, EveryOrderAndShapeWorks) {
  for (const auto& [m_f, m_g, n] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {2, 2, 2}, {5, 3, 3}, {31, 31, 31}, {33, 40, 33}, {64, 64, 64}, {300, 50, 20}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", m_f, m_g, n));
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    expect_decomposition(pair, this->solve(pair, "DHZ0-(ME-FB-ME)"),
                         20 * unit_roundoff<double>() * static_cast<double>(std::max(m_f, m_g)));
  }
}

TYPED_TEST(EmulationTest, TheOrderOfTheThreadsDoesNotMatter) {
  const auto pair = random_pair<TypeParam>(36, 35, 34);
  for (const char* name : {"DHZ0-(ME-FB-ME)", "DHZ3-(ME-BO-ME);w=32", "DHZ0-(ME-BO-ME);factor=qr"}) {
    SCOPED_TRACE(name);
    const auto forward = this->solve(pair, name, LaneOrder::forward, 2);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
      EXPECT_EQ(bits(this->solve(pair, name, order, 2)), bits(forward));
  }
}

}  // namespace
}  // namespace pivotlab::gsvd_emulation_test
