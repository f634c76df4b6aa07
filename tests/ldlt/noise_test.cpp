// SPDX-License-Identifier: BSD-3-Clause
// The noise test: rank and inertia without a tolerance, and the range of the factors.
#include "exact_inertia.hpp"
#include "matrices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace pivotlab::noise_test {
namespace {

using namespace test;
using C = std::complex<double>;

template <class T>
Matrix<T> scaled(Matrix<T> A, const std::vector<int>& exponents) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      const int e = exponents[static_cast<std::size_t>(i)] + exponents[static_cast<std::size_t>(j)];
      if constexpr (is_complex<T>)
        A(i, j) = {std::ldexp(A(i, j).real(), e), std::ldexp(A(i, j).imag(), e)};
      else
        A(i, j) = std::ldexp(A(i, j), e);
    }
  return A;
}

std::vector<int> drawn_exponents(Index n, int reach) {
  std::vector<int> exponents;
  for (Index i = 0; i < n; ++i) exponents.push_back(*rc::gen::inRange(-reach, reach + 1));
  return exponents;
}

/// Equilibrated, the matrix is that of small integers, and its inertia is exact. As it is, a pivot that is zero but for
/// rounding may be taken among much smaller elements, which it destroys: these count as zero, and never as a sign.
template <class T>
void graded_keeps_its_inertia() {
  const auto n = *rc::gen::inRange<Index>(1, 9);
  const Matrix<T> R = structured<T>(Structure::small_integers, n, *rc::gen::arbitrary<std::uint32_t>());
  const Inertia exact = exact_inertia(R);
  RC_PRE(exact.zero == 0);
  const Matrix<T> A = scaled(R, drawn_exponents(n, 60));
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting, .equilibrate = true}});
    RC_ASSERT(f.inertia == exact);
    RC_ASSERT(f.rank == n);
    const Inertia given = ldlt<T>(A, {.variant = {.pivoting = pivoting}}).inertia;
    RC_ASSERT(given.positive <= exact.positive);
    RC_ASSERT(given.negative <= exact.negative);
  }
}
RC_GTEST_PROP(LdltNoise, GradedRealMatricesKeepTheirInertia, ()) {
  graded_keeps_its_inertia<double>();
}
RC_GTEST_PROP(LdltNoise, GradedComplexMatricesKeepTheirInertia, ()) {
  graded_keeps_its_inertia<C>();
}

TEST(LdltNoise, GradedMatricesKeepTheirInertiaAsTheyAre) {
  Entries<double> draw(7);
  int problems = 0, kept = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Matrix<double> R = structured<double>(Structure::small_integers, 1 + seed % 8, seed);
    const Inertia exact = exact_inertia(R);
    if (exact.zero > 0) continue;
    std::vector<int> exponents;
    for (Index i = 0; i < R.rows(); ++i) exponents.push_back(static_cast<int>(draw.integer(-60, 60)));
    for (const Pivoting pivoting : all_pivotings) {
      ++problems;
      kept += ldlt<double>(scaled(R, exponents), {.variant = {.pivoting = pivoting}}).inertia == exact ? 1 : 0;
    }
  }
  EXPECT_GE(kept, problems - problems / 1000);  // of 168,000 others, 2 did not
}

// Scaling the largest elements to 1 loses the smallest ones if they lie between 2⁻¹⁰⁰⁰ and 2¹⁰⁰⁰.
TEST(LdltNoise, NoInertiaOfMatricesOfAnyRangeIsWrongWithoutDoubt) {
  Entries<double> draw(11);
  for (const int reach : {150, 200, 300, 400, 500})
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      const Matrix<double> R = structured<double>(Structure::small_integers, 1 + seed % 8, seed);
      const Inertia exact = exact_inertia(R);
      std::vector<int> exponents;
      for (Index i = 0; i < R.rows(); ++i) exponents.push_back(draw.integer(0, 1) > 0 ? reach : -reach);
      for (const Pivoting pivoting : all_pivotings) {
        const auto f = ldlt<double>(scaled(R, exponents), {.variant = {.pivoting = pivoting}});
        EXPECT_TRUE(f.inertia == exact || f.doubtful > 0) << to_string(pivoting) << ", 2^" << reach << ", " << seed;
      }
    }
}

// The last pivot, −3·2⁻⁵⁸³, is the sum of products that underflow once 2⁵⁰² is scaled to 1; those of the moduli of a
// 2×2 pivot with its rows do not.
TEST(LdltNoise, PivotThatUnderflowHasMadeZeroIsDoubtful) {
  const double rows[4][4] = {{0, -1, -1, -1}, {-1, -1, 0, 1}, {-1, 0, -1, 1}, {-1, 1, 1, -1}};
  const Matrix<double> R = from_lower<double>(4, [&](Index i, Index j) { return rows[i][j]; });
  const Matrix<double> A = scaled(R, {-292, -53, 251, 28});
  EXPECT_EQ(exact_inertia(A), (Inertia{1, 3, 0}));
  for (const Pivoting pivoting : all_pivotings) {
    EXPECT_GT(ldlt<double>(A, {.variant = {.pivoting = pivoting}}).doubtful, 0) << to_string(pivoting);
    EXPECT_EQ(ldlt<double>(R, {.variant = {.pivoting = pivoting}}).doubtful, 0) << to_string(pivoting);
  }
}

TEST(LdltNoise, NoInertiaOfRowsOfAnySizesIsWrongWithoutDoubt) {
  Entries<double> draw(13);
  int problems = 0, doubtful = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const Matrix<double> R = structured<double>(Structure::small_integers, 4 + seed % 4, seed);
    const Inertia exact = exact_inertia(R);
    std::vector<int> exponents;
    for (Index i = 0; i < R.rows(); ++i) exponents.push_back(draw.integer(-300, 300));
    for (const Pivoting pivoting : all_pivotings) {
      const auto f = ldlt<double>(scaled(R, exponents), {.variant = {.pivoting = pivoting}});
      EXPECT_TRUE(f.inertia == exact || f.doubtful > 0) << to_string(pivoting) << ", " << seed;
      ++problems, doubtful += f.doubtful > 0 ? 1 : 0;
    }
  }
  EXPECT_LE(doubtful, problems * 35 / 100);
}

// The second pivot, 2/3, is the difference of numbers of size 2^p, and hands its error on to the third, which is zero.
TEST(LdltNoise, ErrorsThatAPivotHandsOnMakePivotsDoubtful) {
  for (int p = 6; p <= 48; p += 2)
    for (const int e : {-100, -3, 0}) {
      const double s = std::ldexp(1.0, p), third = (s - 1) / 3;
      const double rows[3][3] = {{3 * s, s, 0}, {s, third + 1, 1}, {0, 1, 1.5}};
      const Matrix<double> A = scaled(from_lower<double>(3, [&](Index i, Index j) { return rows[i][j]; }), {0, 0, e});
      ASSERT_EQ(exact_inertia(A), (Inertia{2, 0, 1}));
      for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial, Pivoting::none}) {
        const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
        EXPECT_TRUE(f.inertia == exact_inertia(A) || f.doubtful > 0) << to_string(pivoting) << ", 2^" << p;
      }
    }
}

// No pivot is small, but M⁻¹ is large: the inertia was (50, 0, 0) for (49, 1, 0).
TEST(LdltNoise, LargeInversesOfMMakePivotsDoubtful) {
  for (const double theta : {1.0, 1.1, 1.2})
    for (const Index n : {10, 50, 66}) {
      const Matrix<double> A = product_of_kahan(n, theta);
      for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial, Pivoting::none}) {
        const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
        EXPECT_EQ(f.doubtful > 0 || f.rank<n, n> 10) << to_string(pivoting) << ", " << theta << ", " << n;
      }
    }
}

// The butterfly spreads errors of large elements to rows of small ones.
TEST(LdltNoise, ErrorsOfAButterflyMakePivotsDoubtful) {
  const double rows[5][5] = {{0, -1, 1, 0, 2}, {-1, 0, -2, 0, 0}, {1, -2, 0, 1, 0}, {0, 0, 1, 0, 2}, {2, 0, 0, 2, 0}};
  const Matrix<double> R = from_lower<double>(5, [&](Index i, Index j) { return rows[i][j]; });
  const Matrix<double> A = scaled(R, {-5, 5, -5, 5, 5});
  const auto f = ldlt<double>(A, {.variant = {.pivoting = Pivoting::none, .depth = 2}});
  EXPECT_TRUE(f.inertia == exact_inertia(A) || f.doubtful > 0);
}

// Rows of all sizes are no reason to doubt what partial pivoting has found.
TEST(LdltNoise, PartialPivotingIsSureOfRegularMatricesInEveryScaling) {
  Entries<double> draw(17);
  int problems = 0, sure = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const Matrix<double> R = structured<double>(Structure::small_integers, 2 + seed % 8, seed);
    const Inertia exact = exact_inertia(R);
    if (exact.zero > 0) continue;
    std::vector<int> exponents;
    for (Index i = 0; i < R.rows(); ++i) exponents.push_back(draw.integer(0, 1) > 0 ? 100 : -100);
    const auto f = ldlt<double>(scaled(R, exponents), {.variant = {.pivoting = Pivoting::partial}});
    EXPECT_TRUE(f.inertia == exact || f.doubtful > 0) << seed;
    ++problems, sure += f.inertia == exact && f.doubtful == 0 ? 1 : 0;
  }
  EXPECT_GE(sure, problems - problems / 50);  // 27 of 100 were doubtful while t = 1
}

// Sizes of rows that the errors are compared with must follow the scaling, also where their squares underflow.
TEST(LdltNoise, ScaledRowsOf2x2PivotsHideNeitherPivotsNorErrors) {
  const auto expect_known = [](Index n, const std::vector<double>& rows, const std::vector<int>& exponents) {
    const Matrix<double> R = from_lower<double>(n, [&](Index i, Index j) { return rows[i * n + j]; });
    const Inertia exact = exact_inertia(R);
    for (const Pivoting pivoting : all_pivotings) {
      const auto f = ldlt<double>(scaled(R, exponents), {.variant = {.pivoting = pivoting}});
      EXPECT_TRUE(f.inertia == exact || f.doubtful > 0) << to_string(pivoting);
    }
  };
  expect_known(5, {2, 1, -1, 1, 3, 1, 2, -3, 2, 2, -1, -3, 0, -1, -3, 1, 2, -1, 3, -1, 3, 2, -3, -1, 0},
               {95, -275, 271, 29, 164});
  expect_known(5, {0, 0, 1, -3, 1, 0, 2, 1, 3, 0, 1, 1, 0, 3, 3, -3, 3, 3, 0, 2, 1, 0, 3, 2, 1},
               {279, 181, -19, 37, -89});
  expect_known(4, {-1, 0, 0, 3, 0, 1, 1, -3, 0, 1, 1, 3, 3, -3, 3, 0}, {-199, -226, -5, 300});
  expect_known(4, {-3, -2, 4, -2, -2, -1, 2, -2, 4, 2, -4, 4, -2, -2, 4, 0}, {300, 300, 300, -300});
  expect_known(5, {-1, 0, -2, 0, 0, 0, 1, 2, 0, -1, -2, 2, -3, -1, 0, 0, 0, -1, 1, 0, 0, -1, 0, 0, 0},
               {12, -7, 19, 11, -3});
}

// The smaller eigenvalue of the block [0, b; b, c] of partial pivoting is −b²/c.
TEST(LdltNoise, BlockWhoseSmallerEigenvalueUnderflowsHasBothSigns) {
  const double b = 0x1p-300, rows[3][3] = {{0, b, 0}, {b, 0x1p500, 0x1p600}, {0, 0x1p600, 0}};
  const Matrix<double> A = from_lower<double>(3, [&](Index i, Index j) { return rows[i][j]; });
  const auto f = ldlt<double>(A, {.variant = {.pivoting = Pivoting::partial}});
  EXPECT_EQ(f.pivots(2), 1);
  EXPECT_EQ(f.rank, 2);
  EXPECT_EQ(f.inertia, exact_inertia(A));
}

/// Returns Σ ±x·xᵀ (n × n) for `rank` vectors x of small integers.
Matrix<double> of_low_rank(Index n, Index rank, Entries<double>& entry) {
  Matrix<double> A(n, n);
  for (Index k = 0; k < rank; ++k) {
    std::vector<double> x;
    for (Index i = 0; i < n; ++i) x.push_back(entry.integer(-3, 3));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) A(i, j) += (k % 2 == 0 ? 1 : -1) * x[i] * x[j];
  }
  return A;
}

// Rows of any size are equilibrated first. Where a pivot is near the level of noise, `doubtful` says so.
TEST(LdltNoise, LowRankIsFoundInEveryScaling) {
  Entries<double> draw(5);
  int problems = 0, found = 0;
  for (int problem = 0; problem < 1000; ++problem) {
    const Index n = draw.integer(2, 15), rank = draw.integer(0, static_cast<int>(n) - 1);
    const Matrix<double> A = of_low_rank(n, rank, draw);
    const Inertia exact = exact_inertia(A);
    std::vector<int> exponents;
    for (Index i = 0; i < n; ++i) exponents.push_back(draw.integer(-30, 30));
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook})
      for (const bool scales : {false, true}) {
        const auto f =
            ldlt<double>(scales ? scaled(A, exponents) : A, {.variant = {.pivoting = pivoting, .equilibrate = scales}});
        EXPECT_TRUE(f.inertia == exact || f.doubtful > 0) << to_string(pivoting) << ", problem " << problem;
        ++problems, found += f.inertia == exact ? 1 : 0;
      }
  }
  EXPECT_GE(found, problems - problems / 500);
}

TEST(LdltNoise, TinyCouplingsAreNoNoise) {
  // H of rank 1, and couplings of 2⁻¹²⁰ to its null vector: eigenvalues 2 and about ±2⁻¹²⁰.
  const double b = 0x1p-120;
  const double rows[3][3] = {{1, 1, b}, {1, 1, 0}, {b, 0, 0}};
  const Matrix<double> A = from_lower<double>(3, [&](Index i, Index j) { return rows[i][j]; });
  for (const Pivoting pivoting : all_pivotings)
    EXPECT_EQ(ldlt<double>(A, {.variant = {.pivoting = pivoting}}).inertia, exact_inertia(A)) << to_string(pivoting);
}

TEST(LdltNoise, LargeMultipliersOfPartialPivotingHideNoPivot) {
  // Reflections of singular matrices: late pivots are rounding errors, and may have columns of M of 1e16. M·D·M* is A
  // whether they are kept or not.
  Entries<double> entry(1);
  for (int k = 0; k < 3000; ++k) {
    const Index n = 13;
    std::vector<double> v, d;
    double square = 0;
    for (Index i = 0; i < n; ++i) {
      v.push_back(entry.integer(-3, 3));
      d.push_back(entry.integer(-2, 2));
      square += v.back() * v.back();
    }
    if (square == 0) continue;
    const auto reflector = [&](Index i, Index j) { return (i == j ? 1 : 0) - 2 * v[i] * v[j] / square; };
    const Matrix<double> A = from_lower<double>(n, [&](Index i, Index j) {
      double sum = 0;
      for (Index l = 0; l < n; ++l) sum += reflector(i, l) * d[l] * reflector(l, j);
      return sum;
    });
    const auto f = ldlt<double>(A, {.variant = {.pivoting = Pivoting::partial, .equilibrate = true}});
    const Matrix<double> again = f.reconstruct();
    for (Index i = 0; i < A.size(); ++i) ASSERT_NEAR(again.data()[i], A.data()[i], 1e-10) << k;
  }
}

TEST(LdltNoise, AToleranceKeepsItsMeaning) {
  Matrix<double> A(2, 2);
  A(0, 0) = 1, A(1, 1) = 1e-20;
  for (const Pivoting pivoting : all_pivotings) {
    EXPECT_EQ(ldlt<double>(A, {.variant = {.pivoting = pivoting}}).rank, 2);
    EXPECT_EQ(ldlt<double>(A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 0x1p-52}).rank, 1);
  }
}

TEST(LdltRange, FactorsOfDenormalMatricesAreThoseOfTheScaledOne) {
  const Matrix<double> A = structured<double>(Structure::small_integers, 12, 5);
  const Matrix<double> B = scaled(A, std::vector<int>(12, -537));  // units are 2⁻¹⁰⁷⁴
  for (const Pivoting pivoting : all_pivotings) {
    const auto a = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    const auto b = ldlt<double>(B, {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(a.inertia, b.inertia);
    ASSERT_EQ(std::ssize(b.scaling), 12);  // D is not representable
    for (Index i = 0; i < 12; ++i) EXPECT_EQ(std::ldexp(a.diagonal[i], -1074 + 2 * b.scaling.front()), b.diagonal[i]);
    const Matrix<double> again = b.reconstruct();
    for (Index i = 0; i < B.size(); ++i) EXPECT_EQ(again.data()[i], B.data()[i]);
  }
}

TEST(LdltGrowth, IsMeasuredAtEveryStage) {
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
    const Index n = 150;
    const Matrix<double> A = structured<double>(Structure::zero_diagonal, n, 9);
    auto panels = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    ASSERT_TRUE(panels.growth_of_panels);
    panels.measure_growth();
    EXPECT_FALSE(panels.growth_of_panels);
    // The same elimination by stages, which looks at every reduced matrix.
    Matrix<Quad> extended(n, n);
    std::copy_n(A.data(), A.size(), extended.data());
    const auto stages = ldlt<Quad>(extended, {.variant = {.pivoting = pivoting}});
    ASSERT_EQ(panels.interchanges, stages.interchanges);
    for (std::size_t s = 0; s < panels.stages.size(); ++s)
      EXPECT_NEAR(panels.stages[s].growth / static_cast<double>(stages.stages[s].growth), 1, 1e-9) << "stage " << s;
  }
}

}  // namespace
}  // namespace pivotlab::noise_test
