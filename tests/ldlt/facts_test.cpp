// SPDX-License-Identifier: BSD-3-Clause
// Factorizations of well-known matrices have the properties that the source reports.
#include "matrices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace pivotlab::facts_test {
namespace {

using namespace test;

double largest_error(const Matrix<double>& A, const Matrix<double>& B) {
  double worst = 0;
  for (Index i = 0; i < A.size(); ++i) worst = std::max(worst, std::abs(A.data()[i] - B.data()[i]));
  return worst;
}

/// Figure 3.11: 1×1 pivots only, no interchange, no error.
void expect_hadamard_facts(Index n) {
  const Matrix<double> H = hadamard(n);
  const auto f = ldlt<double>(H);
  EXPECT_EQ(f.pivots(1), n);
  EXPECT_EQ(f.swaps_1x1 + f.swaps_2x2, 0);
  EXPECT_EQ(f.rank, n);
  EXPECT_EQ(f.inertia, (Inertia{n / 2, n / 2, 0}));
  EXPECT_EQ(f.max_growth(), static_cast<double>(n));
  EXPECT_EQ(largest_error(H, f.reconstruct()), 0);
}

TEST(LdltFacts, HadamardIsExactWithoutSwaps) {
  expect_hadamard_facts(64);
  expect_hadamard_facts(256);
}

TEST(LdltFacts, Hadamard1024IsExactWithoutSwaps) {
  expect_hadamard_facts(1024);
}

TEST(LdltFacts, Clement1024HasOnly2x2Pivots) {
  const Matrix<double> A = clement(1024);
  const auto f = ldlt<double>(A);
  EXPECT_EQ(f.pivots(2), 512);
  EXPECT_EQ(f.pivots(1), 0);
  EXPECT_EQ(f.swaps_1x1, 0);
  EXPECT_EQ(f.swaps_2x2, 930);  // Figure 3.12
  EXPECT_EQ(f.inertia, (Inertia{512, 512, 0}));
  double norm = 0;  // of the tridiagonal matrix, 2·max ≥ ‖A‖∞ ≥ max
  for (Index i = 0; i < A.size(); ++i) norm = std::max(norm, A.data()[i]);
  EXPECT_LE(largest_error(A, f.reconstruct()), 6.14e-16 * norm);
}

TEST(LdltFacts, Hilbert2000HasRank30) {
  const auto f = ldlt<double>(hilbert(2000), {.rank_tolerance = 0x1p-52});
  EXPECT_EQ(f.rank, 30);
  EXPECT_LE(f.remainder, f.tolerance);
}

TEST(LdltFacts, InertiaIsThatOfAKnownSpectrum) {
  // Equidistant in [−n, n−1]; the smallest |λ| is far above rounding.
  for (const Index n : {2, 5, 20, 100}) {
    std::vector<double> lambda;
    for (Index i = 0; i < n; ++i) lambda.push_back(-n + i * (2.0 * n - 1) / (n - 1));
    const Index positive = std::ranges::count_if(lambda, [](double x) { return x > 0; });
    const Matrix<double> A = with_spectrum(lambda, 17);
    for (const Pivoting pivoting : all_pivotings)
      for (const double alpha : some_alphas)
        EXPECT_EQ(ldlt<double>(A, {.variant = {pivoting, alpha}}).inertia, (Inertia{positive, n - positive, 0}));
  }
}

RC_GTEST_PROP(LdltFacts, InertiaCountsZerosOfSingularMatrices, ()) {
  const auto positive = *rc::gen::inRange<Index>(0, 12), negative = *rc::gen::inRange<Index>(0, 12),
             zero = *rc::gen::inRange<Index>(0, 8);
  std::vector<double> lambda;
  for (Index i = 0; i < positive; ++i) lambda.push_back(1 + 0.25 * static_cast<double>(i));
  for (Index i = 0; i < negative; ++i) lambda.push_back(-1 - 0.5 * static_cast<double>(i));
  lambda.resize(static_cast<std::size_t>(positive + negative + zero));
  const Matrix<double> A = with_spectrum(lambda, *rc::gen::arbitrary<std::uint32_t>());
  // Not with partial pivoting: it takes pivots of 1e-5, and the noise that they blow up passes for an eigenvalue of D.
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook})
    // The rounding of the matrix itself lifts zeros to some n·ε.
    RC_ASSERT(ldlt<double>(A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 1e-12}).inertia ==
              (Inertia{positive, negative, zero}));
}

TEST(LdltFacts, InertiaOfSingularIntegerMatrices) {
  // Graph Laplacians of k disjoint paths: positive semidefinite, with k zeros.
  const Index n = 40, length = 8;
  const Matrix<double> A = from_lower<double>(n, [&](Index i, Index j) {
    const bool first = i % length == 0, last = i % length == length - 1;
    return i == j ? 2.0 - first - last : i == j + 1 && !first ? -1.0 : 0.0;
  });
  for (const Pivoting pivoting : all_pivotings)
    EXPECT_EQ(ldlt<double>(A, {.variant = {.pivoting = pivoting}}).inertia, (Inertia{n - n / length, 0, n / length}));
}

TEST(LdltFacts, ZeroMatrixHasRankZero) {
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<double>(Matrix<double>(5, 5), {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(f.rank, 0);
    EXPECT_EQ(f.inertia, (Inertia{0, 0, 5}));
    EXPECT_EQ(f.max_growth(), 0);
    EXPECT_EQ(shape_fault(f), "");
    EXPECT_EQ(f.determinant().mantissa, 0);
  }
}

TEST(LdltFacts, MatricesOfOrderZeroAndOneAreFactored) {
  for (const Pivoting pivoting : all_pivotings) {
    const LdltOptions options{.variant = {.pivoting = pivoting}};
    const auto empty = ldlt<double>(Matrix<double>(0, 0), options);
    EXPECT_EQ(empty.rank, 0);
    EXPECT_EQ(empty.inertia, Inertia{});
    EXPECT_EQ(empty.solve(Matrix<double>(0, 3)).cols(), 3);
    EXPECT_EQ(empty.inverse().size(), 0);
    EXPECT_EQ(empty.reconstruct().size(), 0);
    EXPECT_TRUE(empty.gjg(true).J.empty());
    if (pivoting != Pivoting::partial) {
      EXPECT_EQ(empty.modified_cholesky().raised_eigenvalues, 0);
    }
    EXPECT_EQ(std::ldexp(empty.determinant().mantissa, static_cast<int>(empty.determinant().exponent)), 1);
    Matrix<double> A(1, 1);
    A(0, 0) = -3;
    const auto one = ldlt<double>(A, options);
    EXPECT_EQ(one.diagonal, std::vector<double>{-3});
    EXPECT_EQ(one.inertia, (Inertia{0, 1, 0}));
    EXPECT_EQ(one.stages.front().growth, 1);
    EXPECT_EQ(one.interchanges, std::vector<Index>{1});
  }
}

TEST(LdltFacts, TiesGoToTheLeastRowThenTheLeastColumn) {
  // All off-diagonal elements are equal, the diagonal is zero: the first pivot is at (1, 2) without interchanges.
  const Matrix<double> A = from_lower<double>(6, [](Index i, Index j) { return i == j ? 0.0 : 1.0; });
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(f.interchanges[0], 1);
    EXPECT_EQ(f.interchanges[1], -2);
  }
  // Equal diagonal elements: the first is taken.
  EXPECT_EQ(ldlt<double>(Matrix<double>::identity(4)).interchanges, (std::vector<Index>{1, 2, 3, 4}));
}

TEST(LdltFacts, QuadAgreesWithDoubleForClearPivots) {
  const Matrix<double> A = structured<double>(Structure::dense, 40, 23);
  Matrix<Quad> Q(40, 40);
  for (Index i = 0; i < A.size(); ++i) Q.data()[i] = A.data()[i];
  for (const Pivoting pivoting : all_pivotings) {
    const auto d = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    const auto q = ldlt<Quad>(Q, {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(d.interchanges, q.interchanges);
    for (Index i = 0; i < A.size(); ++i)
      EXPECT_NEAR(d.M.data()[i], static_cast<double>(q.M.data()[i]), 1e-11) << to_string(pivoting);
  }
}

}  // namespace
}  // namespace pivotlab::facts_test
