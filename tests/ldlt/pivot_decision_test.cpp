// SPDX-License-Identifier: BSD-3-Clause
// The pivot decision, case by case as the thesis numbers them, with α = ½.
#include "kernels/ldlt/shared/pivot_decision.hpp"

#include <gtest/gtest.h>

namespace pivotlab::ldlt_detail::pivot_decision_test {
namespace {

using enum PivotDecision;

constexpr PivotRule<double> rule(Pivoting pivoting) {
  return {pivoting, 0.5};
}

TEST(PivotDecision, CompleteComparesDiagonalAndOffDiagonalMaxima) {
  EXPECT_EQ(rule(Pivoting::complete).decide({0.51, 1}), pivot_1x1);
  EXPECT_EQ(rule(Pivoting::complete).decide({0.5, 1}), pivot_2x2);
}

TEST(PivotDecision, FirstColumnTakesLargeDiagonal) {
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
    EXPECT_EQ(rule(pivoting).decide({0, 0}), pivot_1x1);    // (0)
    EXPECT_EQ(rule(pivoting).decide({0.5, 1}), pivot_1x1);  // (1)
    EXPECT_EQ(rule(pivoting).decide({0.49, 1}), continue_search);
  }
}

TEST(PivotDecision, PartialEndsWithSecondColumn) {
  const auto partial = rule(Pivoting::partial);
  EXPECT_EQ(partial.decide({0.25, 1}, {3, 2}), pivot_1x1_previous);  // (2): it precedes (3)
  EXPECT_EQ(partial.decide({0.24, 1}, {1, 2}), pivot_1x1);           // (3)
  EXPECT_EQ(partial.decide({0.24, 1}, {0.9, 2}), pivot_2x2);         // (4)
  EXPECT_EQ(partial.decide({0.25e200, 1e200}, {0, 2e200}), pivot_1x1_previous);
  EXPECT_EQ(partial.decide({0.24e200, 1e200}, {0, 2e200}), pivot_2x2);
  EXPECT_EQ(partial.decide({0, 1e-200}, {0, 1e200}), pivot_2x2);
}

TEST(PivotDecision, RookContinuesWhileMaximumGrows) {
  const auto rook = rule(Pivoting::rook);
  EXPECT_EQ(rook.decide({0.25, 1}, {1, 2}), pivot_1x1);    // (2)
  EXPECT_EQ(rook.decide({0.25, 1}, {0.4, 1}), pivot_2x2);  // (3)
  EXPECT_EQ(rook.decide({0.25, 1}, {0.9, 2}), continue_search);
}

}  // namespace
}  // namespace pivotlab::ldlt_detail::pivot_decision_test
