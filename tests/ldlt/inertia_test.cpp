// SPDX-License-Identifier: BSD-3-Clause
// A certified inertia is exact, and the other claims of a report hold.
#include "exact_inertia.hpp"
#include "kernels/ldlt/exact_inertia.hpp"
#include "matrices.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pivotlab::inertia_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
InertiaReport certify(const Matrix<T>& A, const InertiaOptions& options = {}) {
  return certify_inertia<T>(A, options);
}

constexpr InertiaLevel all_levels[] = {InertiaLevel::in_double, InertiaLevel::in_double_double, InertiaLevel::exact};

/// Checks the counts of a report against the exact inertia.
void expect_true(const InertiaReport& report, const Inertia& exact, Index n) {
  const auto& [positive, negative, zero] = report.inertia;
  EXPECT_EQ(positive + negative + zero, n);
  EXPECT_LE(positive, exact.positive);
  EXPECT_LE(negative, exact.negative);
  EXPECT_EQ(report.reason.empty(), report.status != InertiaStatus::undetermined);
  EXPECT_GE(report.within(), 0);
  EXPECT_GE(report.clear, 0);
  if (report.status == InertiaStatus::certified) {
    EXPECT_EQ(report.inertia, exact);
    EXPECT_GE(report.near_zero, exact.zero);
  } else {
    EXPECT_EQ(report.near_zero, zero);
  }
  if (report.near_zero == 0) {
    EXPECT_EQ(report.within(), 0);
  }
  if (report.status == InertiaStatus::certified_near_zero) {
    EXPECT_GE(report.clear, 1000 * report.within());
  }
}

template <class T>
class InertiaOf : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(InertiaOf, Scalars);

TYPED_TEST(InertiaOf, MatricesOfAllKindsIsRightAtEveryLevel) {
  for (int kind = 0; kind < static_cast<int>(Structure::count); ++kind)
    for (const Index n : {1, 2, 3, 5, 7})
      for (int seed = 0; seed < 7; ++seed) {
        SCOPED_TRACE(std::to_string(kind) + ", n = " + std::to_string(n) + ", seed " + std::to_string(seed));
        auto A = structured<TypeParam>(static_cast<Structure>(kind), n, 100 * seed + kind);
        if (seed >= 4) {  // scales of all sizes, with elements that are denormal or zero
          Entries<double> entry(seed);
          std::vector<double> scale;
          for (Index i = 0; i < n; ++i) scale.push_back(std::exp2(entry.integer(-530, seed == 4 ? 400 : 10)));
          A = from_lower<TypeParam>(n, [&](Index i, Index j) { return scale[i] * scale[j] * A(i, j); });
        }
        const Inertia exact = exact_inertia(A);
        for (const bool equilibrate : {true, false})
          for (const InertiaLevel level : all_levels) {
            const InertiaReport report = certify(A, {.equilibrate = equilibrate, .highest = level});
            expect_true(report, exact, n);
            EXPECT_LE(report.evidence.level, level);
            if (level == InertiaLevel::exact) {
              EXPECT_EQ(report.status, InertiaStatus::certified);
            }
          }
      }
}

/// Elimination modulo primes alone, without anything known before.
TYPED_TEST(InertiaOf, MatricesOfAllKindsFollowsFromResidues) {
  using ldlt_detail::exact_inertia;
  Entries<double> entry(12);
  for (int i = 0; i < 300; ++i) {
    const Index n = entry.integer(1, is_complex<TypeParam> ? 6 : 10);
    const auto kind = static_cast<Structure>(i % static_cast<int>(Structure::count));
    const auto A = structured<TypeParam>(kind, n, i);
    const Inertia truth = test::exact_inertia(A);
    EXPECT_EQ(exact_inertia<TypeParam>(A, {}, 1e12, 1), truth) << i;
    EXPECT_EQ(exact_inertia<TypeParam>(A, truth, 1e12, 2), truth) << i;
    EXPECT_EQ(exact_inertia<TypeParam>(A, {}, 0, 2), std::nullopt) << i;
  }
}

/// Leading minors that are zero, and zeros modulo the first primes.
TEST(InertiaFromResidues, DoesNotDependOnThePrimes) {
  const double p = 134217689, q = 134217649;  // the two largest primes below 2^27
  const auto inertia = [](const Matrix<double>& A) { return ldlt_detail::exact_inertia<double>(A, {}, 1e12, 1); };
  const auto diagonal = [](const std::vector<double>& d) {
    return from_lower<double>(std::ssize(d), [&](Index i, Index j) { return i == j ? d[i] : 0; });
  };
  EXPECT_EQ(inertia(diagonal({p, -q, 3, 0})), (Inertia{2, 1, 1}));
  EXPECT_EQ(inertia(diagonal({p, p, p})), (Inertia{3, 0, 0}));
  EXPECT_EQ(inertia(diagonal({-p * 3, q, 0})), (Inertia{1, 1, 1}));
  for (const double a : {0., p, -p})
    for (const double c : {0., p, q})
      for (const double b : {1., 2., p, 3 * p}) {
        const auto A = from_lower<double>(2, [&](Index i, Index j) { return i != j ? b : (i == 0 ? a : c); });
        EXPECT_EQ(inertia(A), exact_inertia(A)) << a << " " << b << " " << c;
      }
}

/// Σ ±x·xᴴ with x of small integers.
template <class T>
Matrix<T> integers_of_rank(Index rank, Index n, Entries<T>& entry) {
  const auto integer = [&] {
    const double re = entry.integer(-2, 2), im = entry.integer(-2, 2);
    if constexpr (is_complex<T>)
      return T(re, im);
    else
      return T(re + 3 * im);
  };
  Matrix<T> A(n, n);
  for (Index r = 0; r < rank; ++r) {
    std::vector<T> x;
    for (Index i = 0; i < n; ++i) x.push_back(integer());
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) A(i, j) += (r % 2 == 0 ? 1. : -1.) * x[i] * conjugate(x[j]);
  }
  return A;
}

/// In double there is a gap; exact arithmetic proves zeros.
TYPED_TEST(InertiaOf, SingularMatricesOfSmallIntegersIsCertifiedAndRight) {
  Entries<TypeParam> entry(2);
  for (int i = 0; i < 60; ++i) {
    const Index n = entry.integer(2, 12), rank = entry.integer(0, 3);
    const auto A = integers_of_rank(rank, n, entry);
    const Inertia exact = exact_inertia(A);
    const InertiaReport in_double = certify(A, {.highest = InertiaLevel::in_double}), report = certify(A);
    EXPECT_NE(in_double.status, InertiaStatus::undetermined) << in_double.reason;
    expect_true(in_double, exact, n);
    EXPECT_EQ(in_double.inertia, exact);
    EXPECT_EQ(report.status, InertiaStatus::certified);
    EXPECT_EQ(report.inertia, exact);
  }
}

TYPED_TEST(InertiaOf, BadlyScaledSaddlePointsIsNeverAWrongOne) {
  Entries<TypeParam> entry(3);
  for (int i = 0; i < 24; ++i) {
    const Index n = entry.integer(4, 9), half = n / 2 + 1;
    std::vector<double> scale;
    for (Index k = 0; k < n; ++k) scale.push_back(std::exp2(entry.integer(-12, 12)));
    const auto A = from_lower<TypeParam>(n, [&](Index row, Index col) {
      if (col >= half) return TypeParam(0);
      return row == col ? TypeParam(scale[row] * scale[row]) : TypeParam(scale[row] * scale[col] * entry());
    });
    const Inertia exact = exact_inertia(A);
    for (const bool equilibrate : {true, false})
      for (const InertiaLevel level : all_levels)
        expect_true(certify(A, {.equilibrate = equilibrate, .highest = level}), exact, n);
    EXPECT_EQ(certify(A).status, InertiaStatus::certified);
  }
}

/// Large eigenvalues far from others, which are far above the rounding errors: the largest gap separates nothing else.
TYPED_TEST(InertiaOf, MatricesWithHiddenGapsIsCertified) {
  Entries<TypeParam> entry(13);
  for (int i = 0; i < 500; ++i) {
    const Index n = entry.integer(3, 7), small = entry.integer(1, static_cast<int>(n) - 1);
    const double large = std::exp2(entry.integer(20, 40)), middle = std::exp2(entry.integer(0, 15));
    const auto A0 = integers_of_rank(n - small, n, entry), A1 = integers_of_rank(small - 1, n, entry),
               A2 = integers_of_rank(1, n, entry);
    const auto A = from_lower<TypeParam>(
        n, [&](Index row, Index col) { return large * A0(row, col) + middle * A1(row, col) + A2(row, col); });
    const Inertia exact = exact_inertia(A);
    for (const InertiaLevel level : all_levels) expect_true(certify(A, {.highest = level}), exact, n);
    EXPECT_EQ(certify(A).inertia, exact);
    EXPECT_EQ(certify(A).status, InertiaStatus::certified);
  }
}

TEST(CertifiedInertia, SeparatesWhatRoundingErrorsSeparate) {
  constexpr double h = 0x1p35, k = 0x1p15;
  const double lower[] = {h, h, -h, h, h + k, -h + k, h - k, h + k + 1, -h - k + 1, h + k + 1};
  Index at = 0;
  Matrix<double> A(4, 4);
  for (Index j = 0; j < 4; ++j)
    for (Index i = j; i < 4; ++i) A(i, j) = A(j, i) = lower[at++];
  // the same matrix as hostile-gap reports have: two of its eigenvalues are 1e-10 of the largest one
  const Inertia exact = exact_inertia(A);
  for (const InertiaLevel level : all_levels) {
    const InertiaReport report = certify(A, {.highest = level});
    expect_true(report, exact, 4);
    EXPECT_EQ(report.inertia, exact);
    EXPECT_LT(report.within(), 1e-13);
  }
  EXPECT_EQ(certify(A).status, InertiaStatus::certified);
}

/// Equilibrated, they need no second factorization.
TYPED_TEST(InertiaOf, BadlyScaledMatricesIsCertifiedByEquilibratedFactors) {
  Entries<TypeParam> entry(6);
  for (int i = 0; i < 12; ++i) {
    const Index n = entry.integer(2, 7);
    std::vector<double> scale;
    for (Index k = 0; k < n; ++k) scale.push_back(std::exp2(entry.integer(-60, 60)));
    const auto A =
        from_lower<TypeParam>(n, [&](Index row, Index col) { return TypeParam(scale[row] * scale[col]) * entry(); });
    const InertiaReport report = certify(A);
    EXPECT_EQ(report.status, InertiaStatus::certified) << report.reason;
    EXPECT_EQ(report.inertia, exact_inertia(A));
    EXPECT_TRUE(report.evidence.equilibrated);
    EXPECT_EQ(report.evidence.factorizations, 1);
    EXPECT_NE(to_string(report).find("of the equilibrated matrix"), std::string::npos);
  }
}

/// Singular ones need shifts, which are those of the equilibrated matrix.
TYPED_TEST(InertiaOf, BadlyScaledSingularMatricesIsCertifiedByEquilibratedShifts) {
  Entries<TypeParam> entry(7);
  int certified = 0;
  for (int i = 0; i < 12; ++i) {
    const Index n = entry.integer(3, 8), twin = entry.integer(0, static_cast<int>(n) - 2);
    std::vector<double> scale;
    for (Index k = 0; k < n; ++k) scale.push_back(std::exp2(entry.integer(-60, 60)));
    const auto B = from_lower<TypeParam>(n, [&](Index, Index) { return entry(); });
    const auto origin = [&](Index k) { return k == n - 1 ? twin : k; };  // two equal rows and columns
    const auto A = from_lower<TypeParam>(
        n, [&](Index row, Index col) { return TypeParam(scale[row] * scale[col]) * B(origin(row), origin(col)); });
    const InertiaReport report = certify(A, {.highest = InertiaLevel::in_double});
    expect_true(report, exact_inertia(A), n);
    EXPECT_TRUE(report.evidence.equilibrated);
    EXPECT_GT(report.evidence.factorizations, 1);
    certified += report.status == InertiaStatus::certified_near_zero;
    EXPECT_EQ(certify(A).inertia, exact_inertia(A));
  }
  EXPECT_GE(certified, 10);
}

/// Adjacency matrices of trees and of graphs with twins have many zero eigenvalues.
TEST(InertiaOfGraphs, IsCertifiedAndRight) {
  Entries<double> entry(4);
  for (int i = 0; i < 40; ++i) {
    const Index n = entry.integer(3, 24);
    std::set<std::pair<Index, Index>> edges;
    for (int v = 1; v < n; ++v) edges.insert({v, entry.integer(0, v - 1)});
    for (int extra = i % 3; extra > 0; --extra)
      if (const int v = entry.integer(1, static_cast<int>(n) - 1); true) edges.insert({v, entry.integer(0, v - 1)});
    const auto A = from_lower<double>(n, [&](Index row, Index col) { return edges.contains({row, col}) ? 1. : 0.; });
    const InertiaReport report = certify(A);
    EXPECT_EQ(report.status, InertiaStatus::certified);
    EXPECT_EQ(report.inertia, exact_inertia(A));
  }
}

/// Matrices whose inertia was wrong at a tolerance of 2⁻⁵²·max|A| with some pivoting.
TEST(InertiaOfHostileMatrices, IsCertifiedAndRight) {
  const std::pair<const char*, Inertia> known[] = {{"t5_165", {3, 3, 1}}, {"t5_93", {4, 4, 1}}, {"t9_218", {1, 1, 8}},
                                                   {"t9_284", {1, 1, 8}}, {"t9_50", {1, 1, 8}}, {"t9_81", {1, 1, 3}}};
  for (const auto& [name, inertia] : known) {
    const AnySymmetric any = read_symmetric(std::filesystem::path(HOSTILE_FOLDER) / (std::string(name) + ".mtx"));
    std::visit(
        [&]<class T>(const SymmetricMatrix<T>& matrix) {
          SCOPED_TRACE(name);
          for (const Pivoting pivoting : all_pivotings)
            EXPECT_EQ(ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}}).inertia, inertia) << to_string(pivoting);
          const InertiaReport in_double = certify(matrix.A, {.highest = InertiaLevel::in_double});
          EXPECT_EQ(in_double.status, InertiaStatus::certified_near_zero) << in_double.reason;
          EXPECT_EQ(in_double.inertia, inertia);
          const InertiaReport report = certify(matrix.A);
          EXPECT_EQ(report.status, InertiaStatus::certified);
          EXPECT_EQ(report.inertia, inertia);
        },
        any);
  }
}

TEST(CertifiedInertia, ClaimsOfEigenvaluesAreTrue) {
  const std::vector<std::vector<double>> spectra = {
      {1, -2, 3, 1e-18, -5, 0.5},        {1, 0.1, 0.01, -1, 0, 0},      {1, -1, 1e-5, -1e-5, 1e-14, 0},
      {1, -1, 1e-3, 1e-6, 1e-9, -1e-12}, {1e-3, 1e-3, -2, 5, 6, 1e-13},
  };
  for (const auto& spectrum : spectra) {
    const Matrix<double> A = with_spectrum(spectrum, 5);
    for (const bool residual : {true, false}) {
      const InertiaReport report =
          certify(A, {.equilibrate = false, .highest = InertiaLevel::in_double, .residual_limit = residual ? 4096 : 0});
      const double rounding = 1e-14;  // of A, which has these eigenvalues but for one
      const auto count = [&](auto holds) { return static_cast<Index>(std::ranges::count_if(spectrum, holds)); };
      EXPECT_LE(report.inertia.positive, count([&](double x) { return x > report.clear - rounding; }));
      EXPECT_LE(report.inertia.negative, count([&](double x) { return x < -report.clear + rounding; }));
      EXPECT_GT(report.clear, 0);
      EXPECT_LE(report.inertia.zero,
                count([&](double x) { return -report.below - rounding <= x && x <= report.above + rounding; }));
    }
  }
}

TEST(CertifiedInertia, NonsingularMatrixNeedsOneFactorization) {
  const InertiaReport report = certify(with_spectrum({3, 1, -2, 0.5, -0.25}, 1));
  EXPECT_EQ(report.status, InertiaStatus::certified);
  EXPECT_EQ(report.inertia, (Inertia{3, 2, 0}));
  EXPECT_EQ(report.evidence.factorizations, 1);
  EXPECT_EQ(report.evidence.eta_from, ErrorBound::a_priori);
  ASSERT_TRUE(report.evidence.inverse_norm);
  EXPECT_GT(report.evidence.smallest_pivot,
            report.evidence.eta * *report.evidence.inverse_norm * *report.evidence.inverse_norm);
  EXPECT_GT(report.clear, 1e-3);
  EXPECT_LE(report.clear, 0.25);
}

TEST(CertifiedInertia, GapNeedsFiveFactorizations) {
  const InertiaReport report = certify(with_spectrum({3, 1, -2, 0, -0.25, 0}, 1), {.highest = InertiaLevel::in_double});
  EXPECT_EQ(report.status, InertiaStatus::certified_near_zero);
  EXPECT_EQ(report.inertia, (Inertia{2, 2, 2}));
  EXPECT_EQ(report.evidence.factorizations, 5);
  EXPECT_LT(report.above, 1e-12);
  EXPECT_GT(report.clear, 1e-3);
  EXPECT_LE(report.clear, 0.25);
}

/// Eigenvalues down to 1e-20 and 1e-34 are noise for double only.
TEST(CertifiedInertia, DecayingSpectrumIsDecidedInExtendedPrecision) {
  std::vector<double> spectrum;
  for (int k = 0; k < 40; ++k) spectrum.push_back((k % 2 == 0 ? 1 : -1) * std::pow(10.0, -k / 2.0));
  for (const Matrix<double>& A : {with_spectrum(spectrum, 3), hilbert(24)}) {
    const InertiaReport in_double = certify(A, {.highest = InertiaLevel::in_double});
    EXPECT_EQ(in_double.status, InertiaStatus::undetermined);
    EXPECT_NE(in_double.reason.find("without a gap"), std::string::npos) << in_double.reason;
    EXPECT_GT(in_double.inertia.zero, 0);
    EXPECT_GT(in_double.inertia.positive, 5);
    EXPECT_LT(in_double.above, 1e-10);
    const InertiaReport longer = certify(A, {.highest = InertiaLevel::in_double_double});
    EXPECT_EQ(longer.status, InertiaStatus::certified) << longer.reason;
    EXPECT_EQ(longer.evidence.level, InertiaLevel::in_double_double);
    const InertiaReport report = certify(A);
    EXPECT_EQ(report.status, InertiaStatus::certified);
    EXPECT_EQ(report.inertia, longer.inertia);
    EXPECT_EQ(report.evidence.level, InertiaLevel::exact);
  }
}

/// Three eigenvalues are noise of 1e-9, far above the rounding errors of such a small matrix.
TEST(CertifiedInertia, FindsGapAboveNoise) {
  const InertiaReport report =
      certify(with_spectrum({3, 1, -2, 1e-9, -3e-10, 2e-10, -0.25, 0}, 1), {.highest = InertiaLevel::in_double});
  // Three of four are determined, and the last one is within the error.
  EXPECT_EQ(report.status, InertiaStatus::certified_near_zero) << report.reason;
  EXPECT_EQ(report.inertia, (Inertia{4, 3, 1}));
}

TEST(CertifiedInertia, ExactForZeroMatrixAndOrderZero) {
  const InertiaReport zero = certify(Matrix<double>(4, 4));
  EXPECT_EQ(zero.status, InertiaStatus::certified);
  EXPECT_EQ(zero.inertia, (Inertia{0, 0, 4}));
  EXPECT_EQ(zero.above, 0);
  EXPECT_EQ(to_string(zero), "0 0 4 (certified: 4 eigenvalues are zero)");
  EXPECT_EQ(certify(Matrix<double>(0, 0)).status, InertiaStatus::certified);
}

TEST(CertifiedInertia, HoldsAtBothEndsOfTheRangeOfNumbers) {
  for (const double scale : {0x1p-1072, 0x1p-1060, 1e-310, 1e-300, 1e-200, 1e200, 1e300, 0x1p1018, 0x1p1020})
    for (const bool equilibrate : {true, false}) {
      Matrix<double> A =
          from_lower<double>(5, [&](Index i, Index j) { return scale * (i == j ? 4. - 3. * i : (i * j) % 3 - 1.); });
      const InertiaReport report = certify(A, {.equilibrate = equilibrate, .highest = InertiaLevel::in_double});
      EXPECT_EQ(report.status, InertiaStatus::certified) << scale << " " << report.reason;
      EXPECT_EQ(report.inertia, exact_inertia(A)) << scale;
      if (!equilibrate) {
        EXPECT_LT(report.clear, 10 * scale);
      }
    }
}

/// The certificate is that of the matrix it is given, whatever was factored before.
TEST(CertifiedInertia, RefusesWhatHasNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity})
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {2, 1}, {1, 2}, {3, 3}}) {
      Matrix<double> A = with_spectrum({3, 1, -2, 0.5}, 1);
      A(i, j) = bad;
      EXPECT_THROW(certify(A), InputError);
      if (i == j) {
        EXPECT_THROW(certify(A, {.triangle = InputTriangle::lower}), InputError);
      }
    }
  Matrix<double> A = with_spectrum({3, 1, -2, 0.5}, 1);
  A(0, 3) += 1;
  EXPECT_THROW(certify(A), InputError);
  EXPECT_EQ(certify(A, {.triangle = InputTriangle::lower}).inertia, (Inertia{3, 1, 0}));
  EXPECT_THROW(certify(Matrix<double>(2, 3)), InputError);
  Matrix<Complex> complex_symmetric = Matrix<Complex>::identity(2);
  complex_symmetric(0, 1) = complex_symmetric(1, 0) = Complex(0, 1);
  EXPECT_THROW(certify(complex_symmetric), InputError);
}

/// [H, Bᵀ; B, 0] with n positive and m negative eigenvalues from some shift of H on.
TEST(ShiftForInertia, IsTheSmallestOneOfKktMatrices) {
  Entries<double> entry(14);
  for (int i = 0; i < 60; ++i) {
    const Index n = entry.integer(1, 7), m = entry.integer(0, static_cast<int>(n)), order = n + m;
    const double scale = std::exp2(entry.integer(-300, 300));
    const auto A = from_lower<double>(order, [&](Index, Index col) { return col < n ? scale * entry() : 0; });
    const InertiaShift found = shift_for_inertia<double>(A, n, m, n);
    ASSERT_TRUE(found.shift) << found.reason;
    EXPECT_GE(*found.shift, 0);
    const auto inertia = [&](double shift) {
      Matrix<double> shifted = A;
      for (Index k = 0; k < n; ++k) shifted(k, k) += shift;
      return exact_inertia(shifted);
    };
    EXPECT_EQ(inertia(*found.shift), (Inertia{n, m, 0}));
    EXPECT_EQ(found.report.inertia, (Inertia{n, m, 0}));
    EXPECT_EQ(*found.shift == 0, inertia(0) == (Inertia{n, m, 0}));
    if (*found.shift == 0) continue;
    EXPECT_NE(inertia(found.too_small), (Inertia{n, m, 0}));
    EXPECT_GE(found.too_small, *found.shift * (1 - 1e-6));
  }
}

TEST(ShiftForInertia, OfAllRowsSeparatesEigenvalues) {
  const Matrix<double> A = with_spectrum({3, 1, -2, 0.5, -4}, 2);
  const double edges[] = {3, 1, 0.5, -2, -4};  // shifted by less than the next eigenvalue
  for (Index positive = 0; positive <= 5; ++positive) {
    const InertiaShift found = shift_for_inertia<double>(A, positive, 5 - positive, 5);
    ASSERT_TRUE(found.shift) << found.reason;
    const double expected = positive == 3 ? 0 : positive > 3 ? -edges[positive - 1] : -edges[positive];
    EXPECT_NEAR(*found.shift, expected, 1e-5) << positive;
    Matrix<double> shifted = A;
    for (Index k = 0; k < 5; ++k) shifted(k, k) += *found.shift;
    EXPECT_EQ(exact_inertia(shifted), (Inertia{positive, 5 - positive, 0}));
  }
}

// Bisection meets 4, where this matrix of integers is singular: the upper end of the shifts that give the inertia.
TEST(ShiftForInertia, IsFoundWhereAnEndIsMetExactly) {
  const double lower[] = {0, -4, -4, 3, -4, -2, -4, 4, 2, 4, -1, -4, -3, 4, 2};
  Index next = 0;
  const auto A = from_lower<double>(5, [&](Index, Index) { return lower[next++]; });
  const InertiaShift found = shift_for_inertia<double>(A, 3, 2, 3);
  ASSERT_TRUE(found.shift) << found.reason;
  EXPECT_NEAR(*found.shift, 3.43217, 1e-5);
}

// H + δ·I must hide the coupling with the positive element of the other row: δ > 2^20.
TEST(ShiftForInertia, MayBeFarAboveTheMatrix) {
  const auto A = from_lower<double>(2, [](Index i, Index j) { return i != j ? 1 : i == 1 ? 0x1p-20 : 0; });
  const InertiaShift found = shift_for_inertia<double>(A, 2, 0, 1);
  ASSERT_TRUE(found.shift) << found.reason;
  EXPECT_NEAR(*found.shift, 0x1p20, 2);
}

TEST(ShiftForInertia, SaysWhereThereIsNone) {
  const Matrix<double> twins = from_lower<double>(3, [](Index i, Index j) { return i == j ? 2 : 0; });
  EXPECT_FALSE(shift_for_inertia<double>(twins, 2, 1, 3).shift);
  const auto dependent = from_lower<double>(4, [](Index i, Index j) { return j < 2 && i != j ? 1 : 0; });
  const InertiaShift none = shift_for_inertia<double>(dependent, 2, 2, 2);
  EXPECT_FALSE(none.shift);
  EXPECT_NE(none.reason.find("dependent"), std::string::npos) << none.reason;
  const auto semidefinite = from_lower<double>(3, [](Index i, Index j) { return i == j && i < 2 ? 1 : 0; });
  const InertiaShift down = shift_for_inertia<double>(semidefinite, 2, 1, 3);
  ASSERT_TRUE(down.shift);
  EXPECT_LT(*down.shift, 0);
  EXPECT_THROW(shift_for_inertia<double>(twins, 2, 2, 2), InputError);
  EXPECT_THROW(shift_for_inertia<double>(twins, 2, 1, 4), InputError);
  EXPECT_EQ(shift_for_inertia<double>(Matrix<double>(0, 0), 0, 0, 0).shift, 0);
}

TEST(CertifiedInertia, HasTheSameBitsForAnyNumberOfThreads) {
  Entries<double> entry(8);
  Matrix<double> A = integers_of_rank<double>(60, 200, entry);
  const InertiaReport one = certify(A, {.threads = 1});
  EXPECT_EQ(one.status, InertiaStatus::certified) << one.reason;
  EXPECT_EQ(one.inertia, (Inertia{30, 30, 140}));
  for (const int threads : {2, 5}) {
    const InertiaReport report = certify(A, {.threads = threads});
    EXPECT_EQ(report.inertia, one.inertia);
    EXPECT_EQ(report.evidence.eta, one.evidence.eta);
    EXPECT_EQ(report.above, one.above);
    EXPECT_EQ(report.below, one.below);
    EXPECT_EQ(report.clear, one.clear);
  }
}

TEST(CertifiedInertia, HoldsForFactorsOfTheDeviceKernels) {
  Entries<double> entry(9);
  const Matrix<double> A = integers_of_rank<double>(3, 20, entry);
  const InertiaReport report = certify(A, {.highest = InertiaLevel::in_double, .backend = Backend::emulation});
  EXPECT_EQ(report.inertia, exact_inertia(A));
  EXPECT_EQ(report.status, InertiaStatus::certified_near_zero) << report.reason;
}

TEST(InertiaText, IsOneTrueLine) {
  InertiaReport report;
  report.status = InertiaStatus::certified_near_zero;
  report.inertia = {40, 57, 3};
  report.near_zero = 3;
  report.above = 2.1e-13;
  report.below = 2.2e-13;
  report.clear = 2.96e-3;
  EXPECT_EQ(to_string(report), "positive >= 40, negative >= 57, within 3e-13 of zero: 3 (none other below 2e-3)");
  report.status = InertiaStatus::undetermined;
  report.inertia = {71, 137, 1};
  report.near_zero = 1;
  report.clear = 0;
  report.evidence.equilibrated = true;
  EXPECT_EQ(to_string(report), "positive >= 71, negative >= 137, within 3e-13 of zero: 1, of the equilibrated matrix");
  report.above = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_string(report), "positive >= 71, negative >= 137, open: 1");
  report.status = InertiaStatus::certified;
  report.inertia = {71, 137, 0};
  report.near_zero = 0;
  report.above = report.below = 0;
  report.evidence.equilibrated = false;
  report.clear = 0.19999;
  EXPECT_EQ(to_string(report), "71 137 0 (certified: no eigenvalue within 0.1 of zero)");
  report.clear = 30.1;
  EXPECT_EQ(to_string(report), "71 137 0 (certified: no eigenvalue within 30 of zero)");
  report.clear = 1e-300;
  report.evidence.level = InertiaLevel::in_double_double;
  EXPECT_EQ(to_string(report), "71 137 0 (certified in double-double: no eigenvalue within 1e-300 of zero)");
  for (const auto& [clear, text] : {std::pair{0x1p-1074, "2e-324"}, {0x1p-1070, "7e-323"}, {0x1p1023, "8e307"}}) {
    report.clear = clear;
    EXPECT_NE(to_string(report).find(std::string("within ") + text + " of"), std::string::npos) << to_string(report);
  }
  report.inertia = {70, 136, 2};
  report.clear = 1e-3;
  report.evidence.level = InertiaLevel::exact;
  EXPECT_EQ(to_string(report),
            "70 136 2 (certified by exact arithmetic: 2 eigenvalues are zero, none other within 1e-3 of zero)");
  report.near_zero = 3;
  report.above = 2e-14;
  EXPECT_EQ(to_string(report),
            "70 136 2 (certified by exact arithmetic: 2 eigenvalues are zero, 3 eigenvalues within 2e-14 of zero, none "
            "other within 1e-3 of zero)");
}

}  // namespace
}  // namespace pivotlab::inertia_test
