// SPDX-License-Identifier: BSD-3-Clause
// Partial and rook pivoting by panels: the pivots of the elimination stage by stage, for every shape, structure, width
// of the panels, α, triangle, storage and number of threads.
#include "device.hpp"

#include "kernels/ldlt/host/factorizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pivotlab::panels_test {
namespace {

using namespace test;

constexpr Pivoting with_panels[] = {Pivoting::partial, Pivoting::rook};
constexpr double rounding = 1 + 1e-12;

template <class T>
LdltFactorization<T> by_stages(const Matrix<T>& A, const LdltOptions& options) {
  return ldlt_detail::with_symmetry<T>(options.symmetry, [&](auto hermitian) {
    PackedTriangle<T> packed = pack<T>(A, InputTriangle::lower, options.symmetry);
    return ldlt_detail::Factorizer<T, PackedTriangle<T>, hermitian.value>(packed, options).run();
  });
}

template <class T>
LdltFactorization<T> by_panels(const Matrix<T>& A, const LdltOptions& options, Index columns) {
  return ldlt_detail::with_symmetry<T>(options.symmetry, [&](auto hermitian) {
    const Matrix<T> lower = ldlt_detail::lower_triangle(pack<T>(A, InputTriangle::lower, options.symmetry));
    return ldlt_detail::factor_in_panels<hermitian.value>(lower, options, columns);
  });
}

template <class T>
class LdltPanels : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(LdltPanels, Scalars);

TYPED_TEST(LdltPanels, AnyWidthHasPivotsOfStages) {
  using T = TypeParam;
  for (const auto& problem : device_problems<T>())
    for (const Pivoting pivoting : with_panels) {
      const LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = problem.symmetry};
      const auto stages = by_stages<T>(problem.A, options);
      for (const Index columns : {2, 3, 16, 64}) {
        SCOPED_TRACE(testing::Message() << problem.name << ", " << to_string(pivoting) << ", width " << columns);
        EXPECT_EQ(panel_fault(problem, by_panels<T>(problem.A, options, columns), stages), "");
      }
    }
}

TYPED_TEST(LdltPanels, HavePivotsOfStagesForEveryAlpha) {
  using T = TypeParam;
  for (const Structure structure : {Structure::dense, Structure::small_integers, Structure::zero_diagonal})
    for (const double alpha : some_alphas)
      for (const Pivoting pivoting : with_panels) {
        SCOPED_TRACE(testing::Message() << to_string(pivoting) << ", alpha " << alpha << ", structure "
                                        << int(structure));
        const LdltOptions options{.variant = {.pivoting = pivoting, .alpha = alpha}};
        const DeviceProblem<T> problem{"", structured<T>(structure, 90, 3)};
        const auto f = by_panels<T>(problem.A, options, 12);
        EXPECT_EQ(panel_fault(problem, f, by_stages<T>(problem.A, options)), "");
        if (pivoting != Pivoting::rook) continue;
        EXPECT_LE(f.max_multiplier, f.variant.multiplier_bound() * rounding);
        EXPECT_LE(f.max_condition(), f.variant.condition_bound() * rounding);
      }
}

TYPED_TEST(LdltPanels, OrdersNearMultiplesOfWidth) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : with_panels)
      for (const Index n : {127, 128, 129, 191, 192, 193, 257}) {
        if (!is_complex<T> && symmetry == Symmetry::symmetric) continue;
        SCOPED_TRACE(testing::Message() << to_string(pivoting) << " n = " << n);
        const LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = symmetry};
        const DeviceProblem<T> problem{"", structured<T>(Structure::dense, n, 11, symmetry), symmetry};
        EXPECT_EQ(panel_fault(problem, ldlt<T>(problem.A, options), by_stages<T>(problem.A, options)), "");
      }
}

TYPED_TEST(LdltPanels, BitsIndependentOfStorageAndThreads) {
  using T = TypeParam;
  const Index n = 700;  // several tiles and chunks
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : with_panels) {
      if (!is_complex<T> && symmetry == Symmetry::symmetric) continue;
      LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = symmetry, .threads = 1};
      const Matrix<T> A = structured<T>(Structure::dense, n, 13, symmetry);
      const auto f = ldlt<T>(A, options);
      EXPECT_EQ(difference(ldlt<T>(pack<T>(A, InputTriangle::lower, symmetry), options), f), "");
      for (const int threads : {1, 2, 3})
        for (const InputTriangle triangle : {InputTriangle::whole, InputTriangle::lower, InputTriangle::upper}) {
          SCOPED_TRACE(testing::Message()
                       << to_string(pivoting) << ", threads " << threads << ", triangle " << int(triangle));
          options.threads = threads;
          options.triangle = triangle;
          options.storage = threads == 2 ? LdltStorage::full : LdltStorage::packed;
          EXPECT_EQ(difference(ldlt<T>(A, options), f), "");
        }
    }
}

TYPED_TEST(LdltPanels, ReportTheGrowthOfTheMatrixTheyBeganWith) {
  using T = TypeParam;
  const Index n = 130, columns = 16;
  for (const Pivoting pivoting : with_panels) {
    const LdltOptions options{.variant = {.pivoting = pivoting}};
    const Matrix<T> A = structured<T>(Structure::dense, n, 17);
    const auto f = by_panels<T>(A, options, columns), stages = by_stages<T>(A, options);
    ASSERT_EQ(f.interchanges, stages.interchanges);
    Index begin = 0;
    double growth = 1;
    for (std::size_t s = 0; s < f.stages.size(); ++s) {
      if (f.stages[s].first - begin + 2 > columns) {
        begin = f.stages[s].first;
        growth = stages.stages[s].growth;
      }
      EXPECT_NEAR(f.stages[s].growth, growth, 1e-12 * growth) << "stage " << s;
    }
    EXPECT_GT(begin, 0);
  }
}

TEST(LdltPanelsFacts, InertiaIsThatOfAKnownSpectrum) {
  const Index n = 200;
  std::vector<double> lambda;
  for (Index i = 0; i < n; ++i) lambda.push_back(-n + i * (2.0 * n - 1) / (n - 1));
  const Index positive = std::ranges::count_if(lambda, [](double x) { return x > 0; });
  const Matrix<double> A = with_spectrum(lambda, 17);
  for (const Pivoting pivoting : with_panels)
    for (const double alpha : some_alphas)
      EXPECT_EQ(by_panels<double>(A, {.variant = {pivoting, alpha}}, 32).inertia, (Inertia{positive, n - positive, 0}));
}

TEST(LdltPanelsFacts, HadamardIsExactWithoutSwaps) {
  for (const Pivoting pivoting : with_panels) {
    const auto f = ldlt<double>(hadamard(512), {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(f.pivots(1), 512);
    EXPECT_EQ(f.swaps_1x1 + f.swaps_2x2, 0);
    EXPECT_EQ(residual_ratio(hadamard(512), f), 0);
  }
}

TEST(LdltPanelsFacts, ZeroMatrixHasRankZero) {
  for (const Pivoting pivoting : with_panels) {
    const auto f = ldlt<double>(Matrix<double>(150, 150), {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(f.rank, 0);
    EXPECT_EQ(f.inertia, (Inertia{0, 0, 150}));
    EXPECT_EQ(f.max_growth(), 0);
    EXPECT_EQ(shape_fault(f), "");
  }
}

}  // namespace
}  // namespace pivotlab::panels_test
