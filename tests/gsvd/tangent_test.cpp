// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by tangent reduction: relatively accurate σ on graded pairs, estimates that bound their errors, factors as
// good as those of gsvd(), and the fall-backs where the specification has them, and nowhere else.
#include "decomposition.hpp"
#include "graded_pairs.hpp"
#include "true_sigma.hpp"

#include "experiments/gsvd/gsvd_metrics.hpp"
#include "kernels/gsvd/tangent/shared/attempt.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd_any.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace pivotlab::tangent_test {
namespace {

using namespace test;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
class TangentGsvd : public testing::Test {
 protected:
  static TangentResult<T> solve(const TestPair<T>& pair, const std::string& variant = "DGT-(auto)",
                                Backend backend = Backend::host) {
    return gsvd_tangent<T>(pair.F, pair.G,
                           {.variant = parse_tangent_variant(variant).variant, .backend = backend, .compute_x = true});
  }

  /// 20·max(m, n)·2⁻⁵², as the judge's tolerance.
  static double tolerance(const TestPair<T>& pair) {
    return 40 * unit_roundoff<double>() * static_cast<double>(std::max(pair.F.rows(), pair.G.rows()));
  }

  /// Checks the factors, and F = U·Σ_F·X, G = V·Σ_G·X column by column.
  static void expect_good(const TestPair<T>& pair, const TangentResult<T>& r, double backward) {
    expect_decomposition(pair, r, tolerance(pair));
    for (const auto& [A, W, sigma] : {std::tuple(&pair.F, &r.U, &r.sigma_f), std::tuple(&pair.G, &r.V, &r.sigma_g)}) {
      EigenMatrix<T> scaled = as_eigen(W->view());
      for (Index j = 0; j < scaled.cols(); ++j) scaled.col(j) *= T((*sigma)[static_cast<std::size_t>(j)]);
      const EigenMatrix<T> difference = as_eigen(A->view()) - dense_product<T>(view_of<T>(scaled), r.X);
      for (Index j = 0; j < difference.cols(); ++j)
        EXPECT_LE(difference.col(j).norm(), backward * as_eigen(A->view()).col(j).norm()) << "column " << j;
    }
    for (std::size_t j = 0; j < r.sigma.size(); ++j)
      EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 4e-15);
  }

  /// Checks σ against the truth: all relative errors up to `bound`, and each up to its estimate.
  static void expect_accurate(const TangentResult<T>& r, const std::vector<Quad>& truth, double bound) {
    ASSERT_EQ(r.sigma_error.size(), truth.size());
    for (std::size_t j = 0; j < truth.size(); ++j) {
      const double error = std::fabs(static_cast<double>((Quad(r.sigma[j]) - truth[j]) / truth[j]));
      EXPECT_LE(error, bound) << "sigma " << j;
      EXPECT_LE(error, r.sigma_error[j]) << "sigma " << j;
    }
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(TangentGsvd, Scalars);

// With pivoting the largest error is 2e-13 or 3.3e-13, depending on the kernels that OpenBLAS chooses for the
// processor.
TYPED_TEST(TangentGsvd, IsRelativelyAccurateOnGradedPairsAndMoreSoWithPivoting) {
  constexpr Index n = is_complex<TypeParam> ? 7 : 14;
  for (const double g : {4., 12.})
    for (const auto& [name, pair] : graded_pairs<TypeParam>(n, g, static_cast<unsigned>(g))) {
      SCOPED_TRACE(fmt::format("{}, g = {}", name, g));
      const auto truth = true_sigma(pair.F, pair.G);
      const auto r = this->solve(pair);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_good(pair, r, 1e-11);
      this->expect_accurate(r, truth, 5e-12);
      for (const double estimate : r.sigma_error) EXPECT_LT(estimate, 1e-9);
      const auto pivoted = this->solve(pair, "DGT-(auto);qr=pivoted");
      EXPECT_EQ(pivoted.fallback, TangentFallback::none) << pivoted.fallback_reason;
      this->expect_good(pair, pivoted, 1e-12);
      this->expect_accurate(pivoted, truth, 5e-13);
    }
}

// Cosines after products afresh stagnate at the roundoff times the condition of M's scaled rows.
TYPED_TEST(TangentGsvd, SparsePairsOfTwoScaledSidesConverge) {
  using T = TypeParam;
  for (const char* pattern : {"arrow", "band"})
    for (const char* variant : {"DGT-(auto)", "DGT-(auto);qr=pivoted"}) {
      SCOPED_TRACE(fmt::format("{}, {}", pattern, variant));
      const auto made = std::get<Pair<T>>(
          generate_pair({fmt::format("two-sided;rows_f=random;columns_f=random;pattern={};g=4", pattern),
                         scalar_type<T>, 32, 0, 0, 1, 0}));
      const TestPair<T> pair{made.F, made.G};
      const auto r = this->solve(pair, variant);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_accurate(r, made.sigma, 1e-11);
    }
}

// Scaling by the norms of F's columns puts zero columns first, and G's small scaled columns last.
TYPED_TEST(TangentGsvd, PivotingTakesZeroColumnsAndDependentColumns) {
  auto zero = random_pair<TypeParam>(12, 11, 9), dependent = zero;
  for (auto& x : zero.F.col(3)) x = TypeParam(0);
  for (auto& x : zero.F.col(7)) x *= 1e-50;
  for (Index i = 0; i < 11; ++i) dependent.G(i, 2) = dependent.G(i, 1) + TypeParam(1e-13) * dependent.G(i, 2);
  for (const auto& pair : {zero, dependent}) {
    const auto r = this->solve(pair, "DGT-(auto);qr=pivoted");
    EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
    expect_decomposition(pair, r, this->tolerance(pair));
    EXPECT_EQ(r.sigma.back() == 0, pair.F(0, 3) == TypeParam(0));
  }
}

TYPED_TEST(TangentGsvd, EveryOptionDecomposesThePair) {
  const auto pairs = graded_pairs<TypeParam>(13, 6, 2);
  for (const auto& name :
       expand_pattern("DGT-({auto,L});groups={auto,off,on};ratio={100,1e6};tail={0,0.4,1};qr={sorted,pivoted}"))
    for (const std::size_t kind : {0, 2, 7}) {
      SCOPED_TRACE(fmt::format("{} on {}", name, pairs[kind].name));
      const auto r = this->solve(pairs[kind].pair, name);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_good(pairs[kind].pair, r, 1e-11);
    }
}

TYPED_TEST(TangentGsvd, EveryShapeIsDecomposed) {
  for (const auto& [m_f, m_g, n] :
       std::vector<std::array<Index, 3>>{{1, 1, 1}, {5, 3, 1}, {2, 2, 2}, {3, 9, 3}, {33, 17, 17}, {24, 31, 20}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", m_f, m_g, n));
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    for (const char* variant : {"DGT-(R1)", "DGT-(L)", "DGT-(L);groups=on;ratio=2"}) {
      SCOPED_TRACE(variant);
      const auto r = this->solve(pair, variant);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_good(pair, r, 1e-13);
      this->expect_accurate(r, exact_sigma(pair), 1e-12);
    }
  }
}

// The spectrum of X in the paper's recipe is uniform, so that the condition varies much with the seed.
TYPED_TEST(TangentGsvd, ThePapersPairsAreDecomposedOnThePathOfOneQr) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    const auto made =
        std::get<Pair<TypeParam>>(generate_pair({"paper;form=usx", scalar_type<TypeParam>, 48, 0, 0, seed, 0}));
    const TestPair<TypeParam> pair{made.F, made.G};
    const auto r = this->solve(pair);
    EXPECT_EQ(r.report.path, TangentPath::r1);
    EXPECT_EQ(r.report.groups, std::vector<std::int64_t>{48});
    this->expect_good(pair, r, 1e-13);
    const auto reference = gsvd<TypeParam>(pair.F, pair.G).sigma;
    const double of_reference = largest_relative_error(reference, made.sigma);
    EXPECT_LE(largest_relative_error(r.sigma, made.sigma), 10 * of_reference + 1e-14);
    for (std::size_t j = 0; j < r.sigma.size(); ++j)
      EXPECT_LE(std::fabs(static_cast<double>((Quad(r.sigma[j]) - made.sigma[j]) / made.sigma[j])), r.sigma_error[j]);
  }
}

TYPED_TEST(TangentGsvd, ClustersAreResolved) {
  constexpr Index n = 36;
  auto pair = random_pair<TypeParam>(n, n, n);
  for (const double spread : {0., 1e-13, 1e-9, 1e-3}) {
    SCOPED_TRACE(spread);
    // F = Q·diag(values)·Wᴴ of the orthonormal factors of a random pair, G = I: the values are the σ.
    const auto factors = gsvd<TypeParam>(pair.F, pair.G);
    EigenMatrix<TypeParam> Q = as_eigen(factors.U.view());
    for (Index j = 0; j < n; ++j)
      Q.col(j) *= TypeParam((j < n / 3 ? 1e3 : 1) * (1 + spread * static_cast<double>(j % 5)));
    TestPair<TypeParam> clustered{Matrix<TypeParam>(n, n), Matrix<TypeParam>::identity(n)};
    clustered.F = product_of<TypeParam>(view_of<TypeParam>(Q), adjoint(factors.V));
    for (const char* variant : {"DGT-(R1)", "DGT-(L)"}) {
      const auto r = this->solve(clustered, variant);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_good(clustered, r, 1e-13);
    }
  }
}

TYPED_TEST(TangentGsvd, ClustersConvergeByIntervals) {
  struct Clusters {
    const char* name;
    Index clusters, order;
    double ratio, spread;  ///< of neighbouring clusters, and inside of one
    double largest;        ///< takes the place of the first σ if it is not 0
  };
  for (const Clusters& c : {Clusters{"one far from 95 equal ones", 1, 96, 1, 1e-13, 1e6},
                            {"pairs", 48, 2, 1.1, 1e-14, 0},
                            {"twenty of six", 20, 6, 1.26, 1e-12, 0},
                            {"sixteen decades", 16, 6, 10, 1e-13, 0}}) {
    SCOPED_TRACE(c.name);
    const Index n = c.clusters * c.order;
    const auto pair = random_pair<TypeParam>(n, n, n);
    const auto factors = gsvd<TypeParam>(pair.F, pair.G);
    EigenMatrix<TypeParam> Q = as_eigen(factors.U.view());
    for (Index j = 0; j < n; ++j) {
      const double sigma = std::pow(c.ratio, j / c.order) * (1 + c.spread * std::sin(static_cast<double>(j)));
      Q.col(j) *= TypeParam(j == 0 && c.largest > 0 ? c.largest : sigma);
    }
    TestPair<TypeParam> clustered{Matrix<TypeParam>(n, n), Matrix<TypeParam>::identity(n)};
    clustered.F = product_of<TypeParam>(view_of<TypeParam>(Q), adjoint(factors.V));
    for (const char* variant : {"DGT-(auto)", "DGT-(auto);qr=pivoted", "DGT-(auto);tail=0", "DGT-(L);groups=on"}) {
      SCOPED_TRACE(variant);
      const auto r = this->solve(clustered, variant);
      EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
      this->expect_good(clustered, r, 1e-13);
    }
  }
}

TYPED_TEST(TangentGsvd, ScalingByPowersOfTwoChangesOnlySigma) {
  const auto pair = random_pair<TypeParam>(14, 12, 11);
  for (const char* variant : {"DGT-(auto)", "DGT-(auto);qr=pivoted"}) {
    const auto expected = this->solve(pair, variant);
    for (const auto& [f, g] : std::vector<std::pair<int, int>>{{900, 900}, {-900, -850}, {600, -300}, {-500, 400}}) {
      SCOPED_TRACE(fmt::format("2^{}·F, 2^{}·G", f, g));
      TestPair<TypeParam> scaled = pair;
      for (Index j = 0; j < 11; ++j) {
        const int column = static_cast<int>(j % 5) * 7;
        for (auto& x : scaled.F.col(j)) x *= std::ldexp(1.0, f + column);
        for (auto& x : scaled.G.col(j)) x *= std::ldexp(1.0, g + column);
      }
      const auto r = this->solve(scaled, variant);
      ASSERT_EQ(r.status, Status::passed);
      EXPECT_EQ(r.fallback, TangentFallback::none);
      for (std::size_t j = 0; j < r.sigma.size(); ++j) EXPECT_EQ(r.sigma[j], std::ldexp(expected.sigma[j], f - g));
      EXPECT_EQ(std::memcmp(r.U.data(), expected.U.data(), static_cast<std::size_t>(r.U.size()) * sizeof(TypeParam)),
                0);
      EXPECT_EQ(std::memcmp(r.V.data(), expected.V.data(), static_cast<std::size_t>(r.V.size()) * sizeof(TypeParam)),
                0);
    }
  }
}

TYPED_TEST(TangentGsvd, DeficientFHasTinySigmaAndOrthonormalU) {
  for (const bool zero_rows : {false, true}) {
    SCOPED_TRACE(zero_rows);
    auto pair = rank_deficient_pair<TypeParam>(20, 15, zero_rows);
    for (auto& x : pair.F.col(3)) x = TypeParam(0);
    const auto r = this->solve(pair);
    EXPECT_EQ(r.fallback, TangentFallback::none) << r.fallback_reason;
    expect_decomposition(pair, r, this->tolerance(pair));
    EXPECT_LE(r.sigma[15], 1e-13 * r.sigma[0]);
    EXPECT_GT(r.sigma[14], 1e-3 * r.sigma[0]);
  }
  TestPair<TypeParam> zero = random_pair<TypeParam>(7, 6, 5);
  std::fill_n(zero.F.data(), zero.F.size(), TypeParam(0));
  const auto r = this->solve(zero);
  ASSERT_EQ(r.status, Status::passed);
  EXPECT_LE(residual(zero.G, r.Z, r.V, r.sigma_g), this->tolerance(zero));
  EXPECT_LE(orthogonality(r.U), this->tolerance(zero));
  EXPECT_EQ(r.sigma, std::vector<double>(5, 0.0));
  EXPECT_EQ(r.sigma_error, std::vector<double>(5, infinity));
}

// Section 7: r_jj = 0 swaps the roles of F and G if F has full rank, and is left to gsvd() if not.
TYPED_TEST(TangentGsvd, SingularRSwapsTheRoles) {
  const auto full = random_pair<TypeParam>(12, 14, 9);
  auto zero_column = full, dependent = full;
  for (auto& x : zero_column.G.col(4)) x = TypeParam(0);
  for (Index j = 0; j < 9; ++j)  // G of rank 6, exactly
    for (Index i = 6; i < 14; ++i) dependent.G(i, j) = TypeParam(0);
  for (const auto& [pair, infinite] : {std::pair(&zero_column, 1), std::pair(&dependent, 3)}) {
    SCOPED_TRACE(infinite);
    const auto r = this->solve(*pair);
    ASSERT_EQ(r.status, Status::passed);
    EXPECT_EQ(r.fallback, TangentFallback::swapped);
    EXPECT_FALSE(r.fallback_reason.empty());
    EXPECT_LE(residual(pair->F, r.Z, r.U, r.sigma_f), this->tolerance(*pair));
    EXPECT_LE(residual(pair->G, r.Z, r.V, r.sigma_g), this->tolerance(*pair));
    EXPECT_LE(orthogonality(r.U), this->tolerance(*pair));
    EXPECT_LE(orthogonality(r.V), this->tolerance(*pair));
    for (int j = 0; j < infinite; ++j) EXPECT_GT(r.sigma[static_cast<std::size_t>(j)], 1e14);
    EXPECT_LT(r.sigma[static_cast<std::size_t>(infinite)], 1e3);
    EXPECT_TRUE(std::is_sorted(r.sigma.rbegin(), r.sigma.rend()));
    EigenMatrix<TypeParam> product = dense_product<TypeParam>(r.Z, r.X);
    product.diagonal().array() -= TypeParam(1);
    EXPECT_LE(product.norm(), 1e-12);
  }
  const auto exact = this->solve(zero_column);
  EXPECT_EQ(exact.sigma[0], infinity);
  EXPECT_EQ(exact.sigma_g[0], 0);

  auto hopeless = zero_column;
  for (auto& x : hopeless.F.col(4)) x = TypeParam(0);
  EXPECT_THROW(this->solve(hopeless), InputError);  // by gsvd(), which is the last resort
}

TYPED_TEST(TangentGsvd, OverflowOfTheReductionSwapsTheRoles) {
  TestPair<TypeParam> pair{Matrix<TypeParam>::identity(2), Matrix<TypeParam>::identity(2)};
  pair.G(0, 1) = TypeParam(1);
  pair.G(1, 1) = TypeParam(1e-309);  // B = F·R⁻¹ has an element of 1e309
  const auto r = this->solve(pair);
  EXPECT_EQ(r.fallback, TangentFallback::swapped);
  EXPECT_EQ(r.fallback_reason, "B = F/R overflows");
  EXPECT_EQ(r.sigma[0], infinity);
}

// Products with explicit triangles of block reflectors have ten times as large errors.
TYPED_TEST(TangentGsvd, ScaledRowsOfBothMatricesHaveSmallBackwardErrorsOnAGpu) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto pair = std::get<Pair<TypeParam>>(generate_pair(
        {"two-sided;g=12;rows_f=random;rows_g=random;truth=none", scalar_type<TypeParam>, 32, 32, 32, seed}));
    const auto r =
        gsvd_tangent<TypeParam>(pair.F, pair.G, {.variant = {}, .backend = Backend::emulation, .compute_x = true});
    const auto metrics = experiments::judge_gsvd(pair, static_cast<const GsvdResult<TypeParam>&>(r));
    EXPECT_LE(metrics.backward_f, metrics.bounds.backward_f / 4) << "seed " << seed;
    EXPECT_LE(metrics.backward_g, metrics.bounds.backward_g / 4) << "seed " << seed;
  }
}

TYPED_TEST(TangentGsvd, IsNotReplacedByHariZimmermannUnlessThatIsAllowed) {
  const auto pair = graded_pairs<TypeParam>(24, 8, 8)[7].pair;  // (D'B, D"C), not for path R1
  const auto variant = parse_tangent_variant("DGT-(R1)").variant;
  const std::string reason = "tangent reduction is not possible: the columns of M·V are not orthogonal after 16 steps";
  const auto alone = gsvd_tangent<TypeParam>(pair.F, pair.G, {.variant = variant, .hari_zimmermann_fallback = false});
  EXPECT_EQ(alone.status, Status::failed);
  EXPECT_EQ(alone.message, reason);
  EXPECT_EQ(alone.fallback, TangentFallback::none);
  EXPECT_TRUE(alone.sweeps.empty());
  const auto any = gsvd_any<TypeParam>(pair.F, pair.G, {.tangent = variant, .hari_zimmermann_fallback = false});
  EXPECT_EQ(any.status, Status::failed);
  EXPECT_EQ(any.message, reason);
  EXPECT_TRUE(any.reduced);
}

// Path R1 is not for row-graded pairs (section 5).
TYPED_TEST(TangentGsvd, StepsThatDoNotConvergeAreLeftToHariZimmermann) {
  const auto pair = graded_pairs<TypeParam>(24, 8, 8)[7].pair;  // (D'B, D"C)
  const auto r = this->solve(pair, "DGT-(R1)");
  ASSERT_EQ(r.status, Status::passed);
  EXPECT_EQ(r.fallback, TangentFallback::hari_zimmermann);
  EXPECT_EQ(r.fallback_reason, "the columns of M·V are not orthogonal after 16 steps");
  EXPECT_TRUE(r.sigma_error.empty());
  EXPECT_TRUE(r.report.steps.empty());
  EXPECT_FALSE(r.sweeps.empty());
  const auto expected = gsvd<TypeParam>(pair.F, pair.G, {.variant = {}, .compute_x = true});
  EXPECT_EQ(bits(static_cast<const GsvdResult<TypeParam>&>(r)), bits(expected));
}

// F·R⁻¹ cancels, because columns of F that are nearly parallel belong to small elements of R. Random instances: Kahan's
// matrix of other angles and orders, F = minij or its square; rows of both are signed and permuted.
TYPED_TEST(TangentGsvd, LostBackwardErrorOfFIsLeftToHariZimmermann) {
  std::mt19937_64 random(1);
  int left = 0, passed = 0;
  for (int count = 0; count < 40; ++count) {
    const Index n = std::uniform_int_distribution<Index>(8, 40)(random);
    const double angle = std::uniform_real_distribution<double>(0.3, 1.2)(random);
    Pair<TypeParam> pair{Matrix<TypeParam>(n, n), Matrix<TypeParam>(n, n), {}, {}};
    const auto minij = [](Index i, Index j) { return static_cast<double>(std::min(i, j) + 1); };
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double f = minij(i, j);
        if (count % 2 == 1) {
          f = 0;
          for (Index k = 0; k < n; ++k) f += minij(i, k) * minij(k, j);
        }
        pair.F((i + count) % n, j) = TypeParam(count % 3 == 0 && i % 2 == 0 ? -f : f);
        const double row = std::pow(std::sin(angle), static_cast<double>(i));
        pair.G(i, j) = TypeParam(i == j ? row : i < j ? -row * std::cos(angle) : 0);
      }
    TangentResult<TypeParam> r;
    try {
      r = gsvd_tangent<TypeParam>(pair.F, pair.G, {.variant = {}, .compute_x = true});
    } catch (const InputError& error) {  // small angles: G has the condition 1e18
      EXPECT_NE(std::string(error.what()).find("numerically not of full column rank"), std::string::npos);
      continue;
    }
    if (r.fallback == TangentFallback::hari_zimmermann) {
      ++left;
      EXPECT_NE(r.fallback_reason, "");
    }
    const auto judged = experiments::judge_gsvd(pair, static_cast<const GsvdResult<TypeParam>&>(r), {});
    passed += r.status == Status::passed;
    if (r.status == Status::passed || judged.backward_f > 1.1 * judged.bounds.backward_f) {
      EXPECT_EQ(judged.verdict, r.status) << n << " " << angle << " " << judged.message;
    }
  }
  EXPECT_GE(left, 4);
  EXPECT_GE(passed, 30);  // Hari-Zimmermann does not pass for some conditions above 1e13
}

TYPED_TEST(TangentGsvd, BadInputIsRefused) {
  const auto solve = [](const TestPair<TypeParam>& pair) { return TestFixture::solve(pair); };
  auto pair = random_pair<TypeParam>(5, 5, 4);
  pair.F(2, 1) = TypeParam(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(solve(pair), InputError);
  EXPECT_THROW(solve({Matrix<TypeParam>(3, 4), Matrix<TypeParam>(5, 4)}), InputError);
  EXPECT_THROW(solve({Matrix<TypeParam>(5, 4), Matrix<TypeParam>(3, 4)}), InputError);
  EXPECT_THROW(solve({Matrix<TypeParam>(5, 4), Matrix<TypeParam>(5, 3)}), InputError);
  EXPECT_THROW(solve({Matrix<TypeParam>(5, 0), Matrix<TypeParam>(5, 0)}), InputError);
  EXPECT_THROW(gsvd_tangent<TypeParam>(Matrix<TypeParam>::identity(2).view(), Matrix<TypeParam>::identity(2).view(),
                                       {.variant = {.ratio = 0.5}}),
               InputError);
  for (const char* variant : {"DGT-(auto)", "DGT-(auto);qr=pivoted"})
    EXPECT_THROW(this->solve(random_pair<TypeParam>(2, 2, 2), variant, Backend::cuda), NotSupported);
}

TYPED_TEST(TangentGsvd, LeavesOutWhatIsNotAskedFor) {
  const auto pair = random_pair<TypeParam>(9, 8, 7);
  const auto all = this->solve(pair);
  const auto r = gsvd_tangent<TypeParam>(pair.F, pair.G, {.variant = {}, .estimate_errors = false});
  EXPECT_EQ(r.X.cols(), 0);
  EXPECT_TRUE(r.sigma_error.empty());
  EXPECT_EQ(r.sigma, all.sigma);
  const auto estimated = gsvd_tangent<TypeParam>(pair.F, pair.G);
  EXPECT_EQ(estimated.X.cols(), 0);
  EXPECT_EQ(estimated.sigma_error, all.sigma_error);
}

// The kernels of the GPU, by fibers of the host.
TYPED_TEST(TangentGsvd, EmulatedKernelsDecomposeWhateverTheOrderOfThreads) {
  const auto random = random_pair<TypeParam>(37, 40, 33), graded = graded_pairs<TypeParam>(13, 8, 1)[7].pair;
  for (const auto& [pair, truth] :
       {std::pair(random, exact_sigma(random)), std::pair(graded, true_sigma(graded.F, graded.G))}) {
    const auto pivoted = this->solve(pair, "DGT-(auto);qr=pivoted", Backend::emulation);
    this->expect_good(pair, pivoted, 1e-11);
    this->expect_accurate(pivoted, truth, 1e-11);
    const auto emulated = this->solve(pair, "DGT-(auto)", Backend::emulation);
    this->expect_good(pair, emulated, 1e-11);
    this->expect_accurate(emulated, truth, 1e-11);
    const TangentOptions options{.variant = {}, .backend = Backend::emulation, .compute_x = true, .threads = 1};
    const auto forward = tangent::attempt_emulated<TypeParam>(pair.F, pair.G, options);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
      const auto other = tangent::attempt_emulated<TypeParam>(pair.F, pair.G, options, order);
      EXPECT_EQ(other.outcome.sigma, forward.outcome.sigma);
      EXPECT_EQ(other.outcome.sigma_error, forward.outcome.sigma_error);
      for (const auto& [x, y] : {std::pair(&other.U, &forward.U), std::pair(&other.V, &forward.V),
                                 std::pair(&other.Z, &forward.Z), std::pair(&other.X, &forward.X)})
        EXPECT_EQ(std::memcmp(x->data(), y->data(), static_cast<std::size_t>(x->size()) * sizeof(TypeParam)), 0);
    }
  }
}

}  // namespace
}  // namespace pivotlab::tangent_test
