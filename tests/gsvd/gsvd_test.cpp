// SPDX-License-Identifier: BSD-3-Clause
// The decomposition: correct for every variant, shape and scalar, and bitwise the same with any number of threads and
// any executor.
#include "problems.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace pivotlab::gsvd_test {
namespace {

using namespace test;

template <class T>
class GsvdTest : public testing::Test {
 public:
  static constexpr double u = unit_roundoff<double>();

  static GsvdResult<T> solve(const TestPair<T>& pair, const GsvdOptions& options) {
    return gsvd<T>(pair.F, pair.G, options);
  }

  static void expect_decomposition(const TestPair<T>& pair, const GsvdResult<T>& r, double n) {
    ASSERT_EQ(r.status, Status::passed) << r.message;
    EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), 20 * u * n);
    EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), 20 * u * n);
    EXPECT_LE(orthogonality(r.U), 20 * u * n);
    EXPECT_LE(orthogonality(r.V), 20 * u * n);
    for (std::size_t j = 0; j < r.sigma.size(); ++j) {
      EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 4e-15);
      EXPECT_NEAR(r.sigma[j] * r.sigma_g[j], r.sigma_f[j], 4e-15 * r.sigma_f[j]);
      if (j > 0) {
        EXPECT_GE(r.sigma[j - 1], r.sigma[j]);
      }
    }
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(GsvdTest, Scalars);

TYPED_TEST(GsvdTest, EveryVariantDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(32, 32, 32);
  const auto exact = exact_sigma(pair);
  for (const auto& name : expand_pattern("DHZ{0..7}-({ME,MM,RR}-{FB,BO}-{ME,MM,RR});w=4")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, {.variant = parse_gsvd_variant(name).variant});
    this->expect_decomposition(pair, r, 32);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 2e-14);
  }
}

TYPED_TEST(GsvdTest, EveryOptionDecomposesThePair) {
  const auto pair = random_pair<TypeParam>(40, 60, 36);
  const auto exact = exact_sigma(pair);
  for (const auto& name :
       expand_pattern("DHZ{0,3}-(ME-{FB,BO}-ME);w={2,6,16,32};sort={on,off};factor={cholesky,pivoted,qr}")) {
    SCOPED_TRACE(name);
    const auto r = this->solve(pair, {.variant = parse_gsvd_variant(name).variant, .max_outer_sweeps = 60});
    this->expect_decomposition(pair, r, 96);
    EXPECT_LE(largest_relative_error(r.sigma, exact), 2e-14);
  }
}

TYPED_TEST(GsvdTest, EveryOrderAndShapeWorks) {
  for (const auto& [m_f, m_g, n] : std::vector<std::array<Index, 3>>{{1, 1, 1},
                                                                     {5, 3, 1},
                                                                     {2, 2, 2},
                                                                     {3, 3, 3},
                                                                     {31, 31, 31},
                                                                     {33, 40, 33},
                                                                     {96, 96, 96},
                                                                     {50, 47, 47},
                                                                     {300, 64, 40},
                                                                     {65, 513, 65},
                                                                     {100, 100, 100}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", m_f, m_g, n));
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    for (const auto& name : {"DHZ0-(ME-FB-ME)", "DHZ6-(MM-BO-RR);w=8"})
      this->expect_decomposition(pair, this->solve(pair, {.variant = parse_gsvd_variant(name).variant}),
                                 static_cast<double>(std::max(m_f, m_g)));
  }
}

TYPED_TEST(GsvdTest, PointwiseAlgorithmDecomposesThePair) {
  for (const Index n : {1, 2, 7, 24}) {
    const auto pair = random_pair<TypeParam>(n + 3, n, n);
    const auto exact = exact_sigma(pair);
    for (const int id : {0, 1, 2, 3, 4, 5, 6, 7}) {
      const auto r = gsvd_pointwise<TypeParam>(pair.F, pair.G, {.variant = GsvdVariant{}.with_id(id)});
      this->expect_decomposition(pair, r, 40);
      EXPECT_LE(largest_relative_error(r.sigma, exact), 1e-14);
    }
  }
}

TYPED_TEST(GsvdTest, BitsDoNotDependOnTheNumberOfThreadsOrTheRun) {
  const auto pair = random_pair<TypeParam>(96, 100, 90);
  const auto reference =
      this->solve(pair, {.variant = {.enhanced_dots = true, .width = 8}, .compute_x = true, .threads = 1});
  for (const int threads : {1, 2, 3, 5}) {
    const auto r =
        this->solve(pair, {.variant = {.enhanced_dots = true, .width = 8}, .compute_x = true, .threads = threads});
    EXPECT_EQ(bits(r), bits(reference));
  }
}

TYPED_TEST(GsvdTest, InPlaceGivesTheSameBitsAsAllocating) {
  for (const Index n : {64, 50}) {  // without and with bordering
    auto pair = random_pair<TypeParam>(70, 64, n);
    const auto r = this->solve(pair, {.variant = {}, .compute_x = true});
    auto F = pair.F, G = pair.G;
    auto s = gsvd_in_place<TypeParam>(F, G, {.variant = {}, .compute_x = true});
    EXPECT_EQ(s.U.size(), 0);
    EXPECT_EQ(s.V.size(), 0);
    s.U = std::move(F), s.V = std::move(G);
    EXPECT_EQ(bits(s), bits(r));
  }
}

TYPED_TEST(GsvdTest, XIsTheInverseOfZ) {
  const auto pair = random_pair<TypeParam>(60, 50, 50);
  const auto r = this->solve(pair, {.variant = {}, .compute_x = true});
  EigenMatrix<TypeParam> product = dense_product<TypeParam>(r.Z, r.X);
  product.diagonal().array() -= TypeParam(1);
  EXPECT_LE(product.norm(), 1e-12);
  EXPECT_EQ(this->solve(pair, {}).X.size(), 0);
}

TYPED_TEST(GsvdTest, ScalingAColumnScalesOnlyZ) {
  // By powers of two, so that nothing is rounded: Σ, U and V keep every bit where the variant scales columns itself.
  const auto pair = random_pair<TypeParam>(48, 48, 48);
  auto scaled = pair;
  for (Index j = 0; j < 48; ++j)
    for (auto* A : {&scaled.F, &scaled.G})
      for (auto& x : A->col(j)) x *= std::ldexp(1.0, static_cast<int>(j % 7) * 5 - 15);
  const auto a = this->solve(pair, {});
  auto b = this->solve(scaled, {});
  for (Index i = 0; i < 48; ++i)  // row i of Z has the inverse of column i's factor
    for (Index j = 0; j < 48; ++j) b.Z(i, j) *= std::ldexp(1.0, static_cast<int>(i % 7) * 5 - 15);
  EXPECT_EQ(bits(a), bits(b));
}

TYPED_TEST(GsvdTest, SwappingFAndGInvertsSigma) {
  const auto pair = random_pair<TypeParam>(48, 50, 40);
  const auto a = this->solve(pair, {}), b = this->solve({pair.G, pair.F}, {});
  for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(a.sigma[j] * b.sigma[39 - j], 1, 1e-13);
}

TYPED_TEST(GsvdTest, ExtremeScalesAreExactlyThoseOfTheScaledPair) {
  const auto pair = random_pair<TypeParam>(40, 40, 33);
  const auto reference = this->solve(pair, {});
  for (const auto& [f, g] :
       std::vector<std::array<int, 2>>{{996, 996}, {-996, -996}, {900, 400}, {-480, 480}, {500, -500}}) {
    SCOPED_TRACE(fmt::format("F·2^{}, G·2^{}", f, g));
    auto scaled = pair;
    for (Index i = 0; i < scaled.F.size(); ++i) scaled.F.data()[i] *= std::ldexp(1.0, f);
    for (Index i = 0; i < scaled.G.size(); ++i) scaled.G.data()[i] *= std::ldexp(1.0, g);
    const auto r = this->solve(scaled, {});
    ASSERT_EQ(r.status, Status::passed);
    for (std::size_t j = 0; j < 33; ++j)
      EXPECT_NEAR(std::ldexp(r.sigma[j], g - f), reference.sigma[j], 1e-13 * reference.sigma[j]);
    EXPECT_LE(orthogonality(r.U), 1e-13);
  }
}

TYPED_TEST(GsvdTest, RankDeficientFHasZeroSigmas) {
  auto pair = random_pair<TypeParam>(40, 40, 20);
  for (auto& x : pair.F.col(7)) x = TypeParam(0);
  const auto r = this->solve(pair, {});
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_EQ(r.sigma[19], 0);
  EXPECT_GT(r.sigma[18], 1e-3);
  EXPECT_LE(orthogonality(r.U), 1e-13);
  EXPECT_LE(orthogonality(r.V), 1e-13);
}

TYPED_TEST(GsvdTest, SingularFConvergesWithSigmasAtRoundoff) {
  auto pair = random_pair<TypeParam>(64, 64, 64);
  for (Index j = 40; j < 64; ++j)
    for (Index i = 0; i < 64; ++i) pair.F(i, j) = pair.F(i, j - 40) + pair.F(i, j - 39);
  const auto r = this->solve(pair, {});
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_GT(r.sigma[39], 1e-3);
  EXPECT_LE(r.sigma[40], 1e-13);
  EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), 1e-14);
}

TYPED_TEST(GsvdTest, ColumnsOfFWhoseSquaresLoseDigitsAreZeros) {
  for (int exponent = 480; exponent <= 544; exponent += 4)
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(fmt::format("2^-{}, seed {}", exponent, seed));
      const auto pair = collapsing_pair<TypeParam>(exponent, seed);
      this->expect_decomposition(pair, this->solve(pair, {}), 16);
    }
}

// The scaling reaches F and G of usual sizes, too, if their quotients are not.
TYPED_TEST(GsvdTest, LargeAndSmallSigmasHaveAllDigits) {
  const auto pair = random_pair<TypeParam>(20, 20, 16);
  const auto usual = this->solve(pair, {});
  for (const int e : {-255, -250, 250, 255}) {
    auto scaled = pair;
    as_eigen(scaled.F.view()) *= std::ldexp(1.0, e);
    as_eigen(scaled.G.view()) *= std::ldexp(1.0, -e);
    const auto r = this->solve(scaled, {});
    ASSERT_EQ(r.status, Status::passed) << r.message;
    EXPECT_LE(orthogonality(r.U), 1e-14);
    EXPECT_LE(orthogonality(r.V), 1e-14);
    for (std::size_t j = 0; j < 16; ++j) EXPECT_EQ(r.sigma[j], std::ldexp(usual.sigma[j], 2 * e)) << e;
  }
}

TYPED_TEST(GsvdTest, HandlesNullSpaceOfF) {
  for (const bool zero_rows : {false, true}) {
    const auto pair = rank_deficient_pair<TypeParam>(96, 60, zero_rows);
    for (const int id : {0, 2, 7}) {
      for (const auto blocking : {Blocking::FB, Blocking::BO}) {
        const auto r = this->solve(pair, {.variant = GsvdVariant{.blocking = blocking, .width = 8}.with_id(id)});
        ASSERT_EQ(r.status, Status::passed) << r.message;
        EXPECT_GT(r.sigma[59], 1e-4);
        for (std::size_t j = 60; j < 96; ++j) EXPECT_EQ(r.sigma[j], 0) << j;
        EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), 1e-14);
        EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), 1e-14);
        EXPECT_LE(orthogonality(r.U), 1e-13);
        EXPECT_LE(orthogonality(r.V), 1e-13);
        EXPECT_LE(r.sweeps.size(), 12u);
      }
    }
  }
}

// In one tile the columns of noise shrink until the squares of their norms are subnormal.
TYPED_TEST(GsvdTest, FewNonzeroRowsOfFAreEnough) {
  for (const Index n : {6, 9, 30})
    for (unsigned seed = 0; seed < 5; ++seed) {
      auto pair = random_pair<TypeParam>(n, n + 3, n, seed);
      as_eigen(pair.F.view()).bottomRows(n / 3).setZero();
      const auto r = this->solve(pair, {});
      ASSERT_EQ(r.status, Status::passed) << r.message;
      for (Index j = 0; j < n; ++j) EXPECT_EQ(r.sigma[j] == 0, j >= n - n / 3) << j;
      EXPECT_LE(orthogonality(r.V), 1e-13);
    }
}

TYPED_TEST(GsvdTest, IdentityPairNeedsOneSweep) {
  const TestPair<TypeParam> pair{Matrix<TypeParam>::identity(64), Matrix<TypeParam>::identity(64)};
  const auto r = this->solve(pair, {});
  EXPECT_EQ(r.sweeps.size(), 1u);
  EXPECT_EQ(r.sweeps[0].transformations, 0u);
  for (const double sigma : r.sigma) EXPECT_EQ(sigma, 1);
}

// Exchanges by sorting move columns past each other: in the first sweep the only pair that is not orthogonal does not
// meet.
TYPED_TEST(GsvdTest, ColumnsThatSortingKeptApartAreMadeOrthogonal) {
  using T = TypeParam;
  const auto pair_of = [](std::initializer_list<double> F, std::initializer_list<double> G) {
    TestPair<T> pair{Matrix<T>(3, 3), Matrix<T>(3, 3)};
    std::ranges::copy(F, pair.F.data()), std::ranges::copy(G, pair.G.data());
    return pair;
  };
  for (const auto& pair : {pair_of({1, 0, 0, 0, 2, 0, 0, 0, 3}, {1, 0, 0, 0, 1, 0, 0.5, 0, 1}),
                           pair_of({1, 1, 1, 0, 1, -1, 0, -1, -1}, {2.5, 0, 0.5, 0, 8, 0, 0, 0, 10})})
    for (const auto& name : expand_pattern("DHZ{0,3,5}-({ME,MM}-{FB,BO}-ME)")) {
      SCOPED_TRACE(name);
      GsvdOptions options{.variant = parse_gsvd_variant(name).variant};
      this->expect_decomposition(pair, gsvd<T>(pair.F, pair.G, options), 3);
      this->expect_decomposition(pair, gsvd_pointwise<T>(pair.F, pair.G, options), 3);
      options.backend = Backend::emulation;
      this->expect_decomposition(pair, gsvd<T>(pair.F, pair.G, options), 3);
    }
}

TYPED_TEST(GsvdTest, TooFewSweepsEndAsNotConverged) {
  const auto pair = random_pair<TypeParam>(64, 64, 64);
  const auto r = this->solve(pair, {.variant = {}, .max_outer_sweeps = 2});
  EXPECT_EQ(r.status, Status::not_converged);
  EXPECT_NE(r.message.find("2 outer sweeps"), std::string::npos);
}

template <class T>
void expect_extended_precision(double tolerance) {
  const auto pair = random_pair<T>(20, 24, 18);
  const auto r = gsvd<T>(pair.F, pair.G, {.variant = {.enhanced_dots = true, .prescaled = false, .width = 4}});
  ASSERT_EQ(r.status, Status::passed);
  EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), tolerance);
  EXPECT_LE(orthogonality(r.V), tolerance);
}

TEST(GsvdInExtendedPrecision, IsAsAccurateAsItsScalar) {
  expect_extended_precision<long double>(1e-17);
  expect_extended_precision<std::complex<long double>>(1e-17);
  expect_extended_precision<Quad>(1e-31);
  expect_extended_precision<std::complex<Quad>>(1e-31);
}

template <class T>
void expect_refusal(Backend backend, std::string_view beginning) {
  const auto pair = random_pair<T>(6, 6, 5);
  try {
    gsvd<T>(pair.F, pair.G, {.variant = {}, .backend = backend});
    ADD_FAILURE() << "not refused";
  } catch (const NotSupported& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with(beginning)) << error.what();
  }
}

TEST(GsvdInExtendedPrecision, IsRefusedByGpuAndEmulation) {
  expect_refusal<Quad>(
      Backend::cuda,
      "backend 'cuda': its scalars are double and std::complex<double>; take the backend host for others");
  expect_refusal<long double>(Backend::emulation, "backend 'emulation': its scalars are");
}

}  // namespace
}  // namespace pivotlab::gsvd_test
