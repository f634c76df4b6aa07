// SPDX-License-Identifier: BSD-3-Clause
// The GSVD of any pair: LAPACK's own tests, known ranks, null spaces, and shapes at the edges, judged in extended
// precision.
#include "problems.hpp"

#include <experiments/gsvd/gsvd_metrics.hpp>
#include <generators/truth.hpp>
#include <kernels/numerics/power_of_two.hpp>

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/io.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <tuple>

namespace pivotlab::any_test {
namespace {

using namespace test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double ulp = 0x1p-52;

template <class T>
bool same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         std::memcmp(A.data(), B.data(), static_cast<std::size_t>(A.size()) * sizeof(T)) == 0;
}

template <class T>
double frobenius(const Matrix<T>& A) {
  return as_eigen(A.view()).norm();
}

template <class T>
class AnyGsvd : public testing::Test {
 protected:
  static AnyGsvdResult<T> solve(const Pair<T>& pair, AnyGsvdOptions options = {.compute_x = true}) {
    return gsvd_any<T>(pair.F, pair.G, options);
  }
  static AnyGsvdResult<T> solve_by_lapack(const Pair<T>& pair) {
    return solve_any_gsvd_with_baseline<T>(is_complex<T> ? "lapack:zggsvd3" : "lapack:dggsvd3", pair.F, pair.G);
  }

  static Pair<T> generate(const std::string& generator, Index m_f, Index m_g, Index n, std::uint64_t seed = 1) {
    auto pair = std::get<Pair<T>>(
        generate_pair({generator, scalar_type<T>, n, std::max<Index>(m_f, 1), std::max<Index>(m_g, 1), seed}));
    if (m_f == 0) pair.F = Matrix<T>(0, n);
    if (m_g == 0) pair.G = Matrix<T>(0, n);
    return pair;
  }

  /// Checks layout, order of σ and the judge's verdict, with LAPACK's ratios.
  static void expect_good(const Pair<T>& pair, const AnyGsvdResult<T>& r) {
    ASSERT_EQ(r.status, Status::passed) << r.message;
    ASSERT_EQ(r.r, r.k + r.l);
    ASSERT_EQ(std::ssize(r.sigma), r.r);
    EXPECT_TRUE(std::is_sorted(r.sigma.rbegin(), r.sigma.rend()));
    for (std::size_t j = 0; j < r.sigma.size(); ++j) {
      const bool is_infinite = static_cast<Index>(j) < r.k;
      EXPECT_EQ(r.sigma[j] == infinity, is_infinite) << j;
      EXPECT_EQ(r.sigma_g[j] == 0, is_infinite) << j;
    }
    const auto metrics = experiments::judge_gsvd(pair, r);
    EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
    for (std::size_t i = 0; i < metrics.dgsvts3.size(); ++i) EXPECT_LE(metrics.dgsvts3[i], 20) << "ratio " << i;
    if (!r.reduced) return;
    expect_completed(r.U);
    expect_completed(r.V);
    if (r.r == 0) return;
    EigenMatrix<T> product = r_times_z(r);
    product.diagonal().array() -= T(1);
    EXPECT_LE(product.stableNorm(), 1e3 * ulp * (as_eigen(r.R.view()).stableNorm() * as_eigen(r.Z.view()).stableNorm()))
        << "X·Z = I";
  }

 private:
  /// [0 R]·Qᴴ·Z
  static EigenMatrix<T> r_times_z(const AnyGsvdResult<T>& r) {
    const Matrix<T> right = product_of<T>(adjoint(r.Q.view().cols_range(r.Q.cols() - r.r, r.r)), r.Z);
    return dense_product<T>(r.R, right);
  }
  /// As many columns as there are rows for have norm one.
  static void expect_completed(const Matrix<T>& U) {
    Index ones = 0;
    for (Index j = 0; j < U.cols(); ++j) ones += as_eigen(U.view()).col(j).norm() > 0.5;
    EXPECT_EQ(ones, std::min(U.rows(), U.cols()));
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(AnyGsvd, Scalars);

TYPED_TEST(AnyGsvd, PairsThatASolverTakesKeepTheirBits) {
  const auto given = random_pair<TypeParam>(14, 12, 11);
  const Pair<TypeParam> pair{given.F, given.G, {}, {}};
  const auto r = this->solve(pair, {.compute_x = true});
  EXPECT_FALSE(r.reduced);
  EXPECT_EQ((std::array{r.k, r.l, r.r}), (std::array<Index, 3>{0, 11, 11}));
  EXPECT_EQ(bits(static_cast<const GsvdResult<TypeParam>&>(r)),
            bits(gsvd<TypeParam>(pair.F, pair.G, {.variant = {}, .compute_x = true})));
  const auto fast = this->solve(pair, {.tangent = TangentVariant{}});
  EXPECT_EQ(bits(static_cast<const GsvdResult<TypeParam>&>(fast)),
            bits(static_cast<const GsvdResult<TypeParam>&>(gsvd_tangent<TypeParam>(pair.F, pair.G))));
}

TYPED_TEST(AnyGsvd, AutomaticIsATangentVariantWhereThatIsPossible) {
  const auto given = random_pair<TypeParam>(14, 12, 11);
  const auto automatic = gsvd_any<TypeParam>(given.F, given.G, {.automatic = true}),
             named = gsvd_any<TypeParam>(given.F, given.G, {.tangent = automatic_variant(Backend::host)});
  EXPECT_EQ(automatic.fallback, TangentFallback::none);
  EXPECT_EQ(automatic.fallback_reason, "");
  EXPECT_EQ(automatic.sigma, named.sigma);
  EXPECT_NE(automatic.sigma, gsvd_any<TypeParam>(given.F, given.G).sigma);
  if (list_devices().empty()) {
    EXPECT_THROW(gsvd_any<TypeParam>(given.F, given.G, {.automatic = true, .backend = Backend::cuda}), NotSupported);
  }
}

// LAPACK's gsv.in: 8 sizes and 8 types.
TYPED_TEST(AnyGsvd, LapacksTestPairsPassItsRatiosAndAgreeWithIt) {
  constexpr std::array<std::array<Index, 3>, 8> sizes{
      {{0, 4, 3}, {5, 0, 10}, {9, 12, 15}, {10, 14, 12}, {20, 10, 8}, {12, 10, 8}, {12, 20, 10}, {40, 15, 20}}};
  int same_ranks = 0;
  for (const auto& [m_f, m_g, n] : sizes)
    for (int type = 1; type <= 8; ++type)
      for (const bool scale : {true, false}) {
        SCOPED_TRACE(fmt::format("m_F = {}, m_G = {}, n = {}, type {}, scale {}", m_f, m_g, n, type, scale));
        const auto pair = this->generate(fmt::format("lapack;type={}", type), m_f, m_g, n);
        // A tolerance makes the reduction necessary also where the solver takes the pair.
        const auto by_default = this->solve(pair, {.scale = scale, .compute_x = true});
        this->expect_good(pair, by_default);
        const auto reduced = by_default.reduced
                                 ? by_default
                                 : this->solve(pair, {.tolerance_g = static_cast<double>(std::max(m_g, n)) * 1000 * ulp,
                                                      .scale = scale});
        this->expect_good(pair, reduced);

        const auto reference = this->solve_by_lapack(pair);
        this->expect_good(pair, reference);
        const auto is_clear = [](const std::vector<double>& pivots, double tolerance) {
          return std::ranges::none_of(pivots,
                                      [&](double pivot) { return pivot > tolerance / 100 && pivot < tolerance * 100; });
        };
        if (!scale && is_clear(reduced.pivots_f, *reduced.tolerance_f) &&
            is_clear(reduced.pivots_g, *reduced.tolerance_g)) {
          EXPECT_EQ(reduced.k, reference.k);
          EXPECT_EQ(reduced.l, reference.l);
          ++same_ranks;
        }
        if (reduced.k != reference.k || reduced.l != reference.l) continue;
        // Changes of F and G by LAPACK's threshold change α_j and β_j by so much, to first order.
        const double norm = frobenius(pair.F) + frobenius(pair.G);
        const double threshold = 2 * 20 * static_cast<double>(std::max({m_f, m_g, n})) * ulp;
        for (Index j = 0; j < reduced.r; ++j) {
          const auto at = static_cast<std::size_t>(j);
          const double bound =
              threshold * norm *
              std::max(as_eigen(reduced.Z.view()).col(j).norm(), as_eigen(reference.Z.view()).col(j).norm());
          EXPECT_NEAR(reduced.sigma_f[at], reference.sigma_f[at], bound) << j;
          EXPECT_NEAR(reduced.sigma_g[at], reference.sigma_g[at], bound) << j;
        }
      }
  EXPECT_GE(same_ranks, 40);
}

TYPED_TEST(AnyGsvd, RanksOfIntegerPairsAreExact) {
  std::mt19937 generator(7);
  const auto up_to = [&](Index most) { return static_cast<Index>(generator() % static_cast<unsigned>(most + 1)); };
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Index n = 1 + up_to(19), k = up_to(n), l = up_to(n - k), m_f = std::max<Index>(1, k + up_to(12)),
                m_g = std::max<Index>(1, l + up_to(12));
    SCOPED_TRACE(fmt::format("seed {}: m_F = {}, m_G = {}, n = {}, k = {}, l = {}", seed, m_f, m_g, n, k, l));
    const auto pair = this->generate(fmt::format("ranks;k={};l={}", k, l), m_f, m_g, n, seed);
    const auto r = this->solve(pair, {.scale = seed % 2 == 0, .compute_x = true});
    EXPECT_EQ(r.k, k);
    EXPECT_EQ(r.l, l);
    this->expect_good(pair, r);
    if (!r.reduced) continue;
    const MatrixView<const TypeParam> N = r.Q.view().cols_range(0, n - r.r);
    EXPECT_LE(dense_product<TypeParam>(pair.F, N).norm(), 1e-14 * frobenius(pair.F) * static_cast<double>(n));
    EXPECT_LE(dense_product<TypeParam>(pair.G, N).norm(), 1e-14 * frobenius(pair.G) * static_cast<double>(n));
  }
}

TYPED_TEST(AnyGsvd, EdgesHaveDefinedResults) {
  using T = TypeParam;
  const auto random = [](Index rows, Index cols) { return random_pair<T>(std::max(rows, cols), cols, cols).F; };
  const auto rows_of = [&](Index rows, Index cols) {
    return Matrix<T>(MatrixView<const T>(random(rows, cols)).block(0, 0, rows, cols));
  };
  struct Edge {
    const char* name;
    Matrix<T> F, G;
    Index k, l;
  };
  Matrix<T> twice = rows_of(6, 4);
  std::ranges::copy(twice.col(0), twice.col(3).begin());
  Matrix<T> zero_column = rows_of(6, 4);
  std::ranges::fill(zero_column.col(2), T(0));
  const std::vector<Edge> edges = {
      {"F = 0", Matrix<T>(4, 5), rows_of(3, 5), 0, 3},
      {"F = 0, G square", Matrix<T>(2, 3), rows_of(3, 3), 0, 3},
      {"G = 0", rows_of(4, 5), Matrix<T>(3, 5), 4, 0},
      {"both 0", Matrix<T>(4, 5), Matrix<T>(3, 5), 0, 0},
      {"n = 0", Matrix<T>(4, 0), Matrix<T>(3, 0), 0, 0},
      {"m_F = 0", Matrix<T>(0, 5), rows_of(3, 5), 0, 3},
      {"m_F = 0, G square", Matrix<T>(0, 3), rows_of(3, 3), 0, 3},
      {"m_G = 0", rows_of(4, 5), Matrix<T>(0, 5), 4, 0},
      {"no rows", Matrix<T>(0, 5), Matrix<T>(0, 5), 0, 0},
      {"nothing", Matrix<T>(0, 0), Matrix<T>(0, 0), 0, 0},
      {"one row each", rows_of(1, 4), Matrix<T>(MatrixView<const T>(rows_of(4, 4)).block(1, 0, 1, 4)), 1, 1},
      {"one element", rows_of(1, 1), rows_of(1, 1), 0, 1},
      {"equal columns", twice, twice, 0, 3},
      {"equal columns of G", rows_of(6, 4), twice, 1, 3},
      {"a zero column", zero_column, zero_column, 0, 3},
      {"a zero column of G", rows_of(6, 4), zero_column, 1, 3}};
  for (const auto& [name, F, G, k, l] : edges) {
    SCOPED_TRACE(name);
    const Pair<T> pair{F, G, {}, {}};
    const auto r = this->solve(pair);
    EXPECT_EQ(r.k, k);
    EXPECT_EQ(r.l, l);
    EXPECT_EQ(r.U.rows(), F.rows());
    EXPECT_EQ(r.V.rows(), G.rows());
    EXPECT_EQ(r.Z.rows(), F.cols());
    if (F.cols() > 0) this->expect_good(pair, r);
  }
}

TYPED_TEST(AnyGsvd, FewRowsOfFNeedNoReduction) {
  const auto pair = this->generate("random", 4, 9, 7);
  const auto r = this->solve(pair);
  EXPECT_FALSE(r.reduced);
  EXPECT_EQ(r.l, 7);
  for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(r.sigma[j] == 0, j >= 4) << j;
  this->expect_good(pair, r);
}

// The scaling of columns makes both pairs the same.
TYPED_TEST(AnyGsvd, PowersOfTwoInColumnsChangeNeitherRanksNorSigma) {
  const auto pair = this->generate("ranks;k=3;l=5", 9, 8, 11);
  auto scaled = pair;
  for (auto* A : {&scaled.F, &scaled.G})
    for (Index j = 0; j < 11; ++j)
      for (auto& x : A->col(j)) x *= std::ldexp(1.0, static_cast<int>(j * 37 % 11) * 60 - 300);
  const auto expected = this->solve(pair), r = this->solve(scaled);
  EXPECT_EQ(r.k, 3);
  EXPECT_EQ(r.sigma, expected.sigma);
  EXPECT_TRUE(same_bits(r.U, expected.U));
  EXPECT_TRUE(same_bits(r.V, expected.V));
  this->expect_good(scaled, r);
  EXPECT_NE(this->solve(scaled, {.scale = false}).l, 5) << "the ranks without the scaling";
}

TYPED_TEST(AnyGsvd, TheToleranceDecides) {
  Pair<TypeParam> pair{Matrix<TypeParam>::identity(3), Matrix<TypeParam>::identity(3), {}, {}};
  pair.G(1, 1) = TypeParam(1e-4);
  pair.G(2, 2) = TypeParam(1e-8);
  for (const auto& [tolerance, l] :
       std::vector<std::pair<double, Index>>{{0, 3}, {1e-9, 3}, {1e-6, 2}, {1e-2, 1}, {2, 0}}) {
    SCOPED_TRACE(tolerance);
    const auto r = this->solve(pair, {.tolerance_g = tolerance});
    EXPECT_TRUE(r.reduced);
    EXPECT_EQ(r.l, l);
    EXPECT_EQ(r.k, 3 - l);
    EXPECT_EQ(r.tolerance_g, tolerance);
    EXPECT_EQ(r.pivots_g.size(), 3u);
  }
}

TYPED_TEST(AnyGsvd, EverySolverTakesTheCorePair) {
  for (const char* shape : {"few rows", "deficient"}) {
    const auto pair =
        shape[0] == 'f' ? this->generate("random", 7, 8, 11) : this->generate("ranks;k=4;l=7", 13, 12, 12, 3);
    const auto expected = this->solve(pair).sigma;
    for (const Backend backend : {Backend::host, Backend::emulation})
      for (const bool tangent : {false, true}) {
        SCOPED_TRACE(fmt::format("{}, {}, tangent {}", shape, to_string(backend), tangent));
        AnyGsvdOptions options{.backend = backend};
        if (tangent) options.tangent.emplace();
        const auto r = this->solve(pair, options);
        this->expect_good(pair, r);
        EXPECT_TRUE(r.core_fallback.empty());
        ASSERT_EQ(r.sigma.size(), expected.size());
        for (auto j = static_cast<std::size_t>(r.k); j < expected.size(); ++j)
          EXPECT_NEAR(r.sigma[j], expected[j], 1e-13 * expected[static_cast<std::size_t>(r.k)]) << j;
        EXPECT_EQ(r.sigma_error.size(), r.sigma.size());
      }
  }
}

/// Returns A with the elements of a list by rows.
template <class T>
Matrix<T> matrix_of(Index rows, Index cols, const std::vector<double>& elements) {
  Matrix<T> A(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) A(i, j) = T(elements[static_cast<std::size_t>(i * cols + j)]);
  return A;
}

// Upper triangular G = A·D·B, A and B unit triangular, D diagonal with zeros: QR alone finds tiny pivots in place of 0.
TYPED_TEST(AnyGsvd, RanksOfTriangularIntegerPairsAreExactByDefault) {
  using T = TypeParam;
  std::mt19937 generator(3);
  const auto digit = [&](int most) {
    return static_cast<int>(generator() % static_cast<unsigned>(2 * most + 1)) - most;
  };
  for (int number = 0; number < 300; ++number) {
    const Index n = 2 + static_cast<Index>(generator() % 14);
    SCOPED_TRACE(fmt::format("number {}, n = {}", number, n));
    EigenMatrix<T> A = EigenMatrix<T>::Identity(n, n), B = A, F(n, n);
    Index l = n;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < j; ++i) A(i, j) = T(digit(1)), B(i, j) = T(digit(2));
      for (Index i = 0; i < n; ++i) F(i, j) = T(digit(3)) + (i == j ? T(40) : T(0));  // not singular
      if (generator() % 3 == 0) A.col(j).setZero(), --l;
    }
    const EigenMatrix<T> product = dense_product<T>(view_of<T>(A), view_of<T>(B));
    Pair<T> pair{Matrix<T>(n, n), Matrix<T>(n, n), {}, {}};
    as_eigen(pair.F.view()) = F, as_eigen(pair.G.view()) = product;
    const auto r = this->solve(pair, {.tangent = TangentVariant{.qr = TangentQr::pivoted}});
    EXPECT_EQ(r.l, l);
    EXPECT_EQ(r.k, n - l);
    this->expect_good(pair, r);
    // F and G in each other's place: as many σ are exactly zero.
    const Pair<T> swapped{pair.G, pair.F, {}, {}};
    const auto s = this->solve(swapped, {.tangent = TangentVariant{.qr = TangentQr::pivoted}});
    EXPECT_EQ(std::ranges::count(s.sigma, 0.0), n - l);
    this->expect_good(swapped, s);
  }
}

// σ from 150 digits. Columns of F differ by 1e8: what mixes columns must not bring errors of the large ones into G.
TYPED_TEST(AnyGsvd, ColumnsOfFOfDifferentSizeKeepTheAccuracyOfGAndSigma) {
  using T = TypeParam;
  const Pair<T> pair{matrix_of<T>(4, 3, {-4, -0.0004, -40000, 3, 0.0005, -60000, 0, 0.0007, -70000, 5, 0.0001, 40000}),
                     matrix_of<T>(2, 3, {-3, 1, -2, -1, 4, 3}),
                     {},
                     {}};
  const auto r = this->solve(pair, {.tangent = TangentVariant{.qr = TangentQr::pivoted}, .compute_x = true});
  this->expect_good(pair, r);
  ASSERT_EQ(r.k, 1);
  EXPECT_NEAR(r.sigma[1] / 2.5761315287916880, 1, 1e-14);
  EXPECT_NEAR(r.sigma[2] / 0.000103540650243191330, 1, 1e-14);
}

// Two columns of F are nearly parallel; σ from 150 digits.
TYPED_TEST(AnyGsvd, EstimatesIncludeTheReduction) {
  using T = TypeParam;
  const Pair<T> pair{
      matrix_of<T>(4, 3,
                   {5.0008544921875, 5, -1, 0.0006103515625, 0, -5, 1.9993896484375, 2, 3, 8.9993896484375, 9, 6}),
      matrix_of<T>(1, 3, {-3, 0, -2}),
      {},
      {}};
  for (const bool tangent : {false, true}) {
    AnyGsvdOptions options;
    if (tangent) options.tangent.emplace();
    const auto r = this->solve(pair, options);
    ASSERT_EQ(r.sigma_error.size(), 3u);
    const double error = std::abs(r.sigma[2] / 0.000168576557556723329811153388323 - 1);
    EXPECT_LE(error, 10 * r.sigma_error[2]);
    EXPECT_LE(r.sigma_error[2], 1e-9);
  }
}

TYPED_TEST(AnyGsvd, PowersOfTwoOfTheMatricesOnlyScaleSigma) {
  using T = TypeParam;
  const auto pair = this->generate("ranks;k=2;l=3", 6, 5, 7);
  const auto expected = this->solve(pair);
  for (const auto& [f, g] :
       std::vector<std::pair<int, int>>{{-700, 0}, {0, 650}, {-480, 480}, {900, 900}, {500, -450}}) {
    SCOPED_TRACE(fmt::format("{} {}", f, g));
    auto scaled = pair;
    for (Index j = 0; j < 7; ++j) {
      for (T& x : scaled.F.col(j)) x *= std::ldexp(1.0, f);
      for (T& x : scaled.G.col(j)) x *= std::ldexp(1.0, g);
    }
    const auto r = this->solve(scaled);
    EXPECT_EQ(r.k, 2);
    ASSERT_EQ(r.sigma.size(), expected.sigma.size());
    for (std::size_t j = 2; j < r.sigma.size(); ++j) EXPECT_EQ(std::ldexp(r.sigma[j], g - f), expected.sigma[j]);
    this->expect_good(scaled, r);
  }
}

TYPED_TEST(AnyGsvd, RefusesFactorsBeyondTheRangeOfDouble) {
  using T = TypeParam;
  for (const int exponent : {-1040, 1021}) {
    SCOPED_TRACE(exponent);
    Pair<T> pair{matrix_of<T>(2, 3, {1, 2, 3, 1, 0, -1}), matrix_of<T>(2, 3, {1, 1, 1, 2, 1, 0}), {}, {}};
    for (auto* A : {&pair.F, &pair.G})
      for (Index j = 0; j < 3; ++j)
        for (T& x : A->col(j)) x = times_power_of_two(x, exponent);
    if (exponent > 0) {  // R fits
      this->expect_good(pair, this->solve(pair));
      continue;
    }
    try {
      this->solve(pair);
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("multiply F and G by 2^"), std::string::npos) << error.what();
    }
  }
}

TYPED_TEST(AnyGsvd, RefusesAVectorThatUnderflows) {
  using T = TypeParam;
  // F·z = 0 for z = (5e-402, 1), whose first element is not a double.
  Pair<T> pair{matrix_of<T>(1, 2, {2e225, -1e-176}), matrix_of<T>(2, 2, {-1e182, -9e49, 1e182, -5e49}), {}, {}};
  EXPECT_THROW(this->solve(pair), InputError);
}

TYPED_TEST(AnyGsvd, RefusesAVectorWithAnElementThatVanishes) {
  using T = TypeParam;
  const double small = 0x1p-363, large = 0x1p298, of_g = 0x1p500;  // z_1 of F·z = 0 is 2^661·z_2, z_2 is 2^-1162
  const Matrix<T> F = matrix_of<T>(2, 2, {-small, 2 * large, small / 2, -3 * large}),
                  G = matrix_of<T>(3, 2, {of_g, -2 * of_g, -of_g, of_g, 2 * of_g, 0});
  EXPECT_THROW(gsvd_any<T>(F, G, {}), InputError);
}

TYPED_TEST(AnyGsvd, RefusesColumnsWhoseRelationsCannotBeScaled) {
  using T = TypeParam;
  const Matrix<T> F = matrix_of<T>(2, 2, {0x1p999, 0, 0x1p998, 0x1p-988}), G = matrix_of<T>(1, 2, {1, 1});
  EXPECT_THROW(gsvd_any<T>(F, G, {}), InputError);
}

TYPED_TEST(AnyGsvd, ColumnsOfGMuchLargerThanThoseOfFStayInX) {
  using T = TypeParam;
  const Matrix<T> F = matrix_of<T>(1, 2, {0x1p-1000, 0x1p-1000}), G = matrix_of<T>(1, 2, {0x1p446, 0x1p-208});
  const auto r = gsvd_any<T>(F, G, {.compute_x = true});
  ASSERT_EQ(r.r, 2);
  for (Index j = 0; j < 2; ++j) {
    T sum(0);
    for (Index k = 0; k < 2; ++k) sum += r.V(0, k) * r.sigma_g[static_cast<std::size_t>(k)] * r.X(k, j);
    EXPECT_LE(std::abs(sum - G(0, j)), 4 * ulp * std::abs(G(0, j))) << j;
  }
}

TYPED_TEST(AnyGsvd, LeavesOutWhatIsNotAskedFor) {
  const auto pair = this->generate("random", 7, 8, 11);
  const auto all = this->solve(pair, {.compute_x = true});
  EXPECT_EQ(all.X.rows(), 11);
  const auto r = this->solve(pair, {.compute_z = false});
  EXPECT_EQ(r.Z.size(), 0);
  EXPECT_EQ(r.X.size(), 0);
  EXPECT_TRUE(same_bits(r.R, all.R));
  EXPECT_TRUE(same_bits(r.Q, all.Q));
  EXPECT_EQ(r.sigma, all.sigma);
}

/// Integral equations of the first kind with differences that are not bordered. The judge compares σ with those from
/// 200 digits, in units of their condition.
class Regularization : public AnyGsvd<double>, public testing::WithParamInterface<std::tuple<const char*, int>> {
 protected:
  static void expect_accurate(const Pair<double>& pair, const AnyGsvdResult<double>& r, int order) {
    ASSERT_EQ(std::ssize(pair.sigma), pair.F.cols());
    EXPECT_EQ(r.k, order);
    EXPECT_EQ(r.l, pair.F.cols() - order);
    expect_good(pair, r);
    const auto metrics = experiments::judge_gsvd(pair, r);
    ASSERT_TRUE(metrics.sigma_backward.has_value());
    EXPECT_LE(*metrics.sigma_backward, metrics.bounds.sigma_backward);
    const auto largest = static_cast<std::size_t>(order);
    EXPECT_NEAR(r.sigma[largest] / static_cast<double>(pair.sigma[largest]), 1, 1e-12);
  }

  static void expect_accurate(const Pair<double>& pair, int order) {
    expect_accurate(pair, solve(pair), order);
    expect_accurate(pair, solve(pair, {.tangent = TangentVariant{.qr = TangentQr::pivoted}}), order);
    expect_accurate(pair, solve_by_lapack(pair), order);
  }
};

TEST_P(Regularization, SigmaIsAsAccurateAsItsConditionAllows) {
  const auto& [kernel, order] = GetParam();
  constexpr Index n = 32;
  expect_accurate(generate(fmt::format("integral;kernel={};l={};truth=rounded", kernel, order), n, n - order, n),
                  order);
}

INSTANTIATE_TEST_SUITE_P(Problems, Regularization,
                         testing::Combine(testing::Values("heat", "shaw", "baart", "wing", "deriv2"),
                                          testing::Values(1, 2)),
                         [](const auto& kind) {
                           return fmt::format("{}{}", std::get<0>(kind.param), std::get<1>(kind.param));
                         });

/// The first columns of Regularization Tools' discretizations of order 200.
class RegularizationOfData : public Regularization {};

TEST_P(RegularizationOfData, SigmaIsAsAccurateAsItsConditionAllows) {
  const char* data = std::getenv("PIVOTLAB_DATA");
  if (data == nullptr || *data == '\0') GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  const auto& [name, order] = GetParam();
  constexpr Index n = 80;
  const AnyMatrix F = read_matrix(std::filesystem::path(data) / fmt::format("{}_200.mtx.gz", name));
  Pair<double> pair = generate(fmt::format("integral;l={};truth=none", order), n, n - order, n);
  pair.F = Matrix<double>(std::get<Matrix<double>>(F).view().cols_range(0, n));
  pair.sigma = exact_generalized_singular_values(pair.F, pair.G);
  expect_accurate(pair, order);
}

INSTANTIATE_TEST_SUITE_P(Problems, RegularizationOfData, testing::Values(std::tuple("heat", 1), std::tuple("shaw", 2)),
                         [](const auto& kind) { return std::string(std::get<0>(kind.param)); });

TYPED_TEST(AnyGsvd, BadInputIsRefused) {
  const auto given = this->generate("random", 3, 4, 6);
  const auto refuses = [&](const Pair<TypeParam>& pair, const AnyGsvdOptions& options = {}) {
    EXPECT_THROW(this->solve(pair, options), InputError);
  };
  for (const double bad : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
    auto pair = given;
    pair.G(2, 1) = TypeParam(bad);
    refuses(pair);
  }
  refuses({given.F, Matrix<TypeParam>(3, 5), {}, {}});
  refuses(given, {.tolerance_f = -1e-3});
  refuses(given, {.tolerance_g = std::numeric_limits<double>::quiet_NaN()});
  refuses(given, {.variant = {.width = 7}});
  EXPECT_THROW(this->solve(given, {.backend = Backend::cuda}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::any_test
