// A certified inertia is exact, and the other claims of a report hold.
#include "exact_inertia.hpp"
#include "matrices.hpp"
#include "tests/hermitian_eigenvalues.hpp"

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
InertiaReport certify(const Matrix<T>& A, const LdltVariant& variant = {}, const InertiaOptions& options = {}) {
  return certify_inertia<T>(A, ldlt<T>(A, {.variant = variant}), options);
}

/// Checks the claims of a report against the exact inertia; singular matrices of small integers have no other
/// eigenvalue near zero.
void expect_true(const InertiaReport& report, const Inertia& exact, Index n, bool zeros_are_exact) {
  const auto& [positive, negative, zero] = report.inertia;
  EXPECT_EQ(positive + negative + zero, n);
  EXPECT_LE(positive, exact.positive);
  EXPECT_LE(negative, exact.negative);
  EXPECT_EQ(report.reason.empty(), report.status != InertiaStatus::undetermined);
  if (report.status == InertiaStatus::certified) {
    EXPECT_EQ(report.inertia, exact);
  }
  if (report.status == InertiaStatus::certified_near_zero && zeros_are_exact) {
    EXPECT_EQ(report.inertia, exact);
  }
}

template <class T>
class InertiaOf : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(InertiaOf, Scalars);

TYPED_TEST(InertiaOf, MatricesOfAllKindsIsNeverAWrongOne) {
  int certified = 0, all = 0;
  for (int kind = 0; kind < static_cast<int>(Structure::count); ++kind)
    for (const Index n : {1, 2, 3, 5, 7})
      for (int seed = 0; seed < 4; ++seed) {
        const auto A = structured<TypeParam>(static_cast<Structure>(kind), n, 100 * seed + kind);
        const Inertia exact = exact_inertia(A);
        for (const Pivoting pivoting : all_pivotings) {
          SCOPED_TRACE(std::to_string(kind) + ", n = " + std::to_string(n) + ", seed " + std::to_string(seed) + " " +
                       std::string(to_string(pivoting)));
          const InertiaReport report = certify(A, {.pivoting = pivoting});
          expect_true(report, exact, n, static_cast<Structure>(kind) == Structure::small_integers);
          ++all;
          certified += report.status != InertiaStatus::undetermined;
        }
      }
  EXPECT_GT(certified, all * 95 / 100);
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

TYPED_TEST(InertiaOf, SingularMatricesOfSmallIntegersIsCertifiedAndRight) {
  Entries<TypeParam> entry(2);
  for (int i = 0; i < 60; ++i) {
    const Index n = entry.integer(2, 12), rank = entry.integer(0, 3);
    const auto A = integers_of_rank(rank, n, entry);
    const Inertia exact = exact_inertia(A);
    for (const Pivoting pivoting : all_pivotings) {
      const InertiaReport report = certify(A, {.pivoting = pivoting});
      EXPECT_NE(report.status, InertiaStatus::undetermined) << report.reason;
      expect_true(report, exact, n, true);
      if (report.inertia.zero == n) continue;
      EXPECT_GE(report.clear, 1000 * std::max(report.below, report.above));
    }
  }
}

TYPED_TEST(InertiaOf, BadlyScaledSaddlePointsIsNeverAWrongOne) {
  Entries<TypeParam> entry(3);
  int certified = 0;
  for (int i = 0; i < 24; ++i) {
    const Index n = entry.integer(4, 9), half = n / 2 + 1;
    std::vector<double> scale;
    for (Index k = 0; k < n; ++k) scale.push_back(std::exp2(entry.integer(-12, 12)));
    const auto A = from_lower<TypeParam>(n, [&](Index row, Index col) {
      if (col >= half) return TypeParam(0);
      return row == col ? TypeParam(scale[row] * scale[row]) : TypeParam(scale[row] * scale[col] * entry());
    });
    const Inertia exact = exact_inertia(A);
    for (const Pivoting pivoting : all_pivotings) {
      const InertiaReport report = certify(A, {.pivoting = pivoting});
      expect_true(report, exact, n, false);
      certified += report.status == InertiaStatus::certified;
    }
  }
  EXPECT_GT(certified, 36);
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
    const InertiaReport report = certify(A, {.pivoting = Pivoting::rook, .equilibrate = true});
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
    const InertiaReport report = certify(A, {.pivoting = Pivoting::rook, .equilibrate = true});
    expect_true(report, exact_inertia(A), n, true);
    EXPECT_TRUE(report.evidence.equilibrated);
    EXPECT_GT(report.evidence.factorizations, 1);
    certified += report.status == InertiaStatus::certified_near_zero;
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
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook}) {
      const InertiaReport report = certify(A, {.pivoting = pivoting});
      EXPECT_NE(report.status, InertiaStatus::undetermined) << report.reason;
      expect_true(report, exact_inertia(A), n, true);
    }
  }
}

/// Matrices whose inertia at the default tolerance is wrong with some pivoting.
TEST(InertiaOfHostileMatrices, IsCertifiedAndRightWithEveryPivoting) {
  const std::pair<const char*, Inertia> known[] = {{"t5_165", {3, 3, 1}}, {"t5_93", {4, 4, 1}}, {"t9_218", {1, 1, 8}},
                                                   {"t9_284", {1, 1, 8}}, {"t9_50", {1, 1, 8}}, {"t9_81", {1, 1, 3}}};
  bool some_is_wrong_at_the_tolerance = false;
  for (const auto& [name, inertia] : known) {
    const AnySymmetric any = read_symmetric(std::filesystem::path(HOSTILE_FOLDER) / (std::string(name) + ".mtx"));
    std::visit(
        [&]<class T>(const SymmetricMatrix<T>& matrix) {
          for (const Pivoting pivoting : all_pivotings) {
            SCOPED_TRACE(name + (" " + std::string(to_string(pivoting))));
            const auto f = ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}});
            some_is_wrong_at_the_tolerance |= f.inertia != inertia;
            const InertiaReport report = certify_inertia<T>(matrix.A, f);
            EXPECT_EQ(report.status, InertiaStatus::certified_near_zero) << report.reason;
            EXPECT_EQ(report.inertia, inertia);
            EXPECT_LE(report.evidence.factorizations, 5);
          }
        },
        any);
  }
  EXPECT_TRUE(some_is_wrong_at_the_tolerance);
}

TEST(CertifiedInertia, ClaimsOfEigenvaluesAreTrue) {
  const std::vector<std::vector<double>> spectra = {
      {1, -2, 3, 1e-18, -5, 0.5},        {1, 0.1, 0.01, -1, 0, 0},      {1, -1, 1e-5, -1e-5, 1e-14, 0},
      {1, -1, 1e-3, 1e-6, 1e-9, -1e-12}, {1e-3, 1e-3, -2, 5, 6, 1e-13},
  };
  for (const auto& spectrum : spectra) {
    const Matrix<double> A = with_spectrum(spectrum, 5);
    for (const bool residual : {true, false}) {
      const InertiaReport report = certify(A, {.pivoting = Pivoting::rook}, {.residual_limit = residual ? 4096 : 0});
      const double rounding = 1e-14;  // of A, which has these eigenvalues but for one
      const auto count = [&](auto holds) { return static_cast<Index>(std::ranges::count_if(spectrum, holds)); };
      EXPECT_LE(report.inertia.positive, count([&](double x) { return x > report.clear - rounding; }));
      EXPECT_LE(report.inertia.negative, count([&](double x) { return x < -report.clear + rounding; }));
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
  const InertiaReport report = certify(with_spectrum({3, 1, -2, 0, -0.25, 0}, 1), {.pivoting = Pivoting::rook});
  EXPECT_EQ(report.status, InertiaStatus::certified_near_zero);
  EXPECT_EQ(report.inertia, (Inertia{2, 2, 2}));
  EXPECT_EQ(report.evidence.factorizations, 5);
  EXPECT_LT(report.above, 1e-12);
  EXPECT_GT(report.clear, 1e-3);
  EXPECT_LE(report.clear, 0.25);
}

TEST(CertifiedInertia, DecayingSpectrumIsUndetermined) {
  std::vector<double> spectrum;
  for (int k = 0; k < 40; ++k) spectrum.push_back((k % 2 == 0 ? 1 : -1) * std::pow(10.0, -k / 2.0));
  for (const Matrix<double>& A : {with_spectrum(spectrum, 3), hilbert(24)}) {
    const InertiaReport report = certify(A);
    EXPECT_EQ(report.status, InertiaStatus::undetermined);
    EXPECT_NE(report.reason.find("without a gap"), std::string::npos) << report.reason;
    EXPECT_GT(report.inertia.zero, 0);
    EXPECT_GT(report.inertia.positive, 5);
    EXPECT_LT(report.above, 1e-10);
  }
}

/// Three eigenvalues are noise of 1e-9, far above the rounding errors of such a small matrix.
TEST(CertifiedInertia, FindsGapAboveNoise) {
  const InertiaReport report =
      certify(with_spectrum({3, 1, -2, 1e-9, -3e-10, 2e-10, -0.25, 0}, 1), {.pivoting = Pivoting::rook});
  // Three of four are determined, and the last one is within the error.
  EXPECT_EQ(report.status, InertiaStatus::certified_near_zero) << report.reason;
  EXPECT_EQ(report.inertia, (Inertia{4, 3, 1}));
}

TEST(CertifiedInertia, ExactForZeroMatrixAndOrderZero) {
  const InertiaReport zero = certify(Matrix<double>(4, 4));
  EXPECT_EQ(zero.status, InertiaStatus::certified_near_zero);
  EXPECT_EQ(zero.inertia, (Inertia{0, 0, 4}));
  EXPECT_EQ(zero.above, 0);
  EXPECT_EQ(to_string(zero), "0 0 4 (certified: 4 eigenvalues zero)");
  EXPECT_EQ(certify(Matrix<double>(0, 0)).status, InertiaStatus::certified);
}

TEST(CertifiedInertia, HoldsAtBothEndsOfTheRangeOfNumbers) {
  for (const double scale : {1e-310, 1e-300, 1e-200, 1e200, 1e300, 1e307})
    for (const Pivoting pivoting : all_pivotings) {
      Matrix<double> A = with_spectrum({3, 1, -2, 0.5, -0.25}, 1);
      for (Index i = 0; i < A.size(); ++i) A.data()[i] *= scale;
      const InertiaReport report = certify(A, {.pivoting = pivoting});
      EXPECT_LE(report.inertia.positive, 3);
      EXPECT_LE(report.inertia.negative, 2);
      if (scale < 1e307) {
        EXPECT_EQ(report.status, InertiaStatus::certified) << scale << " " << report.reason;
      }
    }
}

TEST(CertifiedInertia, HasTheSameBitsForAnyNumberOfThreads) {
  Entries<double> entry(8);
  Matrix<double> A = integers_of_rank<double>(60, 200, entry);
  const auto f = ldlt<double>(A, {.variant = {.pivoting = Pivoting::rook}});
  const InertiaReport one = certify_inertia<double>(A, f, {.threads = 1});
  EXPECT_EQ(one.status, InertiaStatus::certified_near_zero) << one.reason;
  for (const int threads : {2, 5}) {
    const InertiaReport report = certify_inertia<double>(A, f, {.threads = threads});
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
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}, .backend = Backend::emulation});
    const InertiaReport report = certify_inertia<double>(A, f, {.backend = Backend::emulation});
    EXPECT_EQ(report.inertia, exact_inertia(A));
    EXPECT_EQ(report.status, InertiaStatus::certified_near_zero) << report.reason;
  }
}

TEST(CertifiedInertia, DoesNotExistForComplexSymmetricMatrices) {
  const Matrix<Complex> A = Matrix<Complex>::identity(3);
  const auto f = ldlt<Complex>(A, {.symmetry = Symmetry::symmetric});
  EXPECT_THROW(certify_inertia<Complex>(A, f), NotSupported);
  EXPECT_THROW(certify_inertia<Complex>(Matrix<Complex>(2, 2), f), InputError);
}

TEST(InertiaText, IsOneTrueLine) {
  InertiaReport report;
  report.status = InertiaStatus::certified_near_zero;
  report.inertia = {40, 57, 3};
  report.above = 2.1e-13;
  report.below = 2.2e-13;
  report.clear = 2.96e-3;
  EXPECT_EQ(to_string(report), "40 57 3 (certified: 3 eigenvalues within 3e-13 of zero, none other below 2e-3)");
  report.status = InertiaStatus::undetermined;
  report.inertia = {71, 137, 1};
  report.above = 9.9e-16;
  EXPECT_EQ(to_string(report), "at least 71 positive, 137 negative, 1 undetermined between -3e-13 and 1e-15");
  report.status = InertiaStatus::certified;
  report.inertia = {71, 137, 0};
  report.clear = 0.19999;
  EXPECT_EQ(to_string(report), "71 137 0 (certified: no eigenvalue within 0.1 of zero)");
  report.clear = 30.1;
  EXPECT_EQ(to_string(report), "71 137 0 (certified: no eigenvalue within 30 of zero)");
  report.clear = 1e-300;
  EXPECT_EQ(to_string(report), "71 137 0 (certified: no eigenvalue within 1e-300 of zero)");
}

}  // namespace
}  // namespace pivotlab::inertia_test
