// SPDX-License-Identifier: BSD-3-Clause
// Theorem 2.2.1 and (2.7)–(2.11): the bounds for M, the pivots and the growth hold for each α.
#include "matrices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pivotlab::bounds_test {
namespace {

using namespace test;

constexpr double rounding = 1 + 1e-13;

template <class T>
void expect_bounds(const LdltFactorization<T>& f, double rounding_of_growth = rounding) {
  const LdltVariant& v = f.variant;
  if (v.pivoting != Pivoting::partial) {
    EXPECT_LE(f.max_multiplier, v.multiplier_bound() * rounding);
    EXPECT_LE(f.max_condition(), v.condition_bound() * rounding);
  }
  for (std::size_t s = 1; s < f.stages.size(); ++s)
    EXPECT_LE(f.stages[s].growth,
              f.stages[s - 1].growth * v.growth_bound(f.stages[s - 1].size) * rounding_of_growth + 1e-15)
        << "stage " << s;
}

TEST(LdltBounds, HoldForEveryAlphaAndStructure) {
  for (const Pivoting pivoting : all_pivotings)
    for (const double alpha : some_alphas)
      for (int structure = 0; structure < static_cast<int>(Structure::count); ++structure)
        for (const Index n : {4, 17, 60}) {
          SCOPED_TRACE(testing::Message()
                       << to_string({pivoting, alpha}) << " structure " << structure << " n = " << n);
          const auto kind = static_cast<Structure>(structure);
          expect_bounds(ldlt<double>(structured<double>(kind, n, 11), {.variant = {pivoting, alpha}}));
        }
}

RC_GTEST_PROP(LdltBounds, HoldForComplexMatricesToo, ()) {
  using C = std::complex<double>;
  const auto n = *rc::gen::inRange<Index>(1, 25);
  const auto structure = static_cast<Structure>(*rc::gen::inRange(0, static_cast<int>(Structure::count)));
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const double alpha = *rc::gen::inRange(1, 1000) / 1000.0;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings)
      expect_bounds(
          ldlt<C>(structured<C>(structure, n, seed, symmetry), {.variant = {pivoting, alpha}, .symmetry = symmetry}));
}

TEST(LdltBounds, AreNearlyReached) {
  // |a| just above α·|b| makes a 1×1 pivot with the multiplier 1/α, just below a 2×2 one with κ₂ near (1+α)/(1−α).
  const double alpha = 0.3, e = 1e-6;
  const auto pair = [&](double a) { return from_lower<double>(2, [=](Index i, Index j) { return i == j ? a : 1.0; }); };
  for (const Pivoting pivoting : all_pivotings) {
    const auto one = ldlt<double>(pair(alpha + e), {.variant = {pivoting, alpha}});
    const auto two = ldlt<double>(pair(alpha - e), {.variant = {pivoting, alpha}});
    EXPECT_EQ(one.pivots(1), 2);
    EXPECT_NEAR(one.max_multiplier, 1 / alpha, 1e-4);
    EXPECT_EQ(two.pivots(2), 1);
    EXPECT_NEAR(two.max_condition(), (1 + alpha) / (1 - alpha), 1e-4);
  }
}

TEST(LdltBounds, MultipliersOfPartialPivotingAreNotBounded) {
  // Case (4) with |A₁₁| = 0 and a tiny γ₁ in front of a large γᵣ.
  const double tiny = 1e-8;
  Matrix<double> A(3, 3);
  A(1, 0) = A(0, 1) = tiny;
  A(2, 1) = A(1, 2) = 1;
  A(2, 0) = A(0, 2) = tiny / 2;
  A(2, 2) = 1;
  EXPECT_GT(ldlt<double>(A, {.variant = {.pivoting = Pivoting::partial}}).max_multiplier, 1e6);
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook})
    EXPECT_LT(ldlt<double>(A, {.variant = {.pivoting = pivoting}}).max_multiplier, 2.781);
}

}  // namespace
}  // namespace pivotlab::bounds_test
