// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <generators/kinds.hpp>
#include <generators/truth.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

namespace pivotlab::pairs_test {
namespace {

using Complex = std::complex<double>;

Problem problem(const std::string& name, Index n, Index m_f, Index m_g, std::uint64_t seed = 1) {
  return {n, m_f, m_g, seed, 2, parse_generator(name).options};
}

template <class T>
Pair<T> generate(const std::string& name, Index n, Index m_f = 0, Index m_g = 0, std::uint64_t seed = 1,
                 int threads = 1) {
  return std::get<Pair<T>>(generate_pair({name, scalar_type<T>, n, m_f, m_g, seed, threads}));
}

double relative_difference(const std::vector<Quad>& a, const std::vector<Quad>& b) {
  if (a.size() != b.size()) return 1;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, static_cast<double>(abs(a[i] / b[i] - 1)));
  return worst;
}

template <class T>
class PaperPair : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(PaperPair, Scalars);

TYPED_TEST(PaperPair, HasTheSigmaItComesWithBeforeRounding) {
  using Q = Rebind<TypeParam, Quad>;
  const auto check = [](const std::string& name, Index n, Index m_f, Index m_g) {
    const auto pair = make_paper_pair<Q>(problem(name, n, m_f, m_g));
    ASSERT_EQ(pair.F.rows(), m_f);
    ASSERT_EQ(pair.G.rows(), m_g);
    const auto exact = exact_generalized_singular_values(pair.F, pair.G, 2);
    EXPECT_LT(relative_difference(pair.sigma, exact), 1e-28) << name << ' ' << n;
  };
  check("paper;form=usx", 1, 1, 1);
  check("paper;form=usx", is_complex<TypeParam> ? 16 : 40, 48, 48);
  check("paper;form=usx;spectrum=geometric;kappa=50", 12, 19, 14);
  check("paper;form=usx;spectrum=arithmetic;cond_x=100", 12, 12, 12);
  check("paper;form=usx;spectrum=cluster0;kappa=10", 9, 9, 9);
  check("paper;form=usx;spectrum=cluster1;kappa=10", 9, 9, 9);
  check("paper;form=usx;grade=3", 10, 10, 12);
}

TYPED_TEST(PaperPair, HasTheSpectrumAsked) {
  const auto pair = generate<TypeParam>("paper;form=usx;spectrum=cluster0;kappa=100", 20);
  int ones = 0;
  for (const Quad& s : pair.sigma) ones += abs(s - 1) < 1e-30;
  EXPECT_EQ(ones, pair.sigma.front() > 2 ? 18 : 20);
  EXPECT_TRUE(std::ranges::is_sorted(pair.sigma, std::greater()));
  EXPECT_EQ(pair.sigma.size(), 20u);
}

TYPED_TEST(PaperPair, IsHermitianPositiveDefiniteAsHpd) {
  const auto pair = generate<TypeParam>("paper;form=hpd;spectrum=geometric;kappa=1e4;truth=rounded", 12);
  ASSERT_EQ(pair.sigma.size(), 12u);
  EXPECT_TRUE(generate<TypeParam>("paper;form=hpd", 8).sigma.empty());
  Matrix<TypeParam> identity = Matrix<TypeParam>::identity(12);
  for (const auto& A : {pair.F, pair.G}) {
    for (Index j = 0; j < 12; ++j)
      for (Index i = 0; i < 12; ++i) EXPECT_EQ(A(i, j), conjugate(A(j, i)));
    const auto s = exact_generalized_singular_values(A, identity, 2);
    EXPECT_NEAR(static_cast<double>(s.front()), 1, 1e-14);
    EXPECT_NEAR(static_cast<double>(s.back()), 1e-4, 1e-15);
    TypeParam trace(0);  // equals the sum of the singular values only of a semidefinite matrix
    Quad sum(0);
    for (Index i = 0; i < 12; ++i) trace += A(i, i), sum += s[i];
    EXPECT_NEAR(real_part(trace), static_cast<double>(sum), 1e-13);
  }
}

/// Returns diag(A, D) or [A 0].
template <class E>
Matrix<E> extended(const Matrix<E>& A, const std::vector<E>& D, Index cols) {
  Matrix<E> result(A.rows() + std::ssize(D), cols);
  for (Index j = 0; j < A.cols(); ++j) std::ranges::copy(A.col(j), result.col(j).begin());
  for (Index j = 0; j < std::ssize(D); ++j) result(A.rows() + j, A.cols() + j) = D[static_cast<std::size_t>(j)];
  return result;
}

/// (diag(F, D)·W, [G 0]·W) has the σ of (F, G) and as many infinite ones as D has elements. All products are exact.
TYPED_TEST(PaperPair, TruthHasInfiniteSigmaAndLeavesOutTheCommonNullSpace) {
  using E = Rebind<TypeParam, Quad>;
  const auto given = generate<TypeParam>("random", 5, 7, 6);
  const auto widened = [](const Matrix<TypeParam>& A) {
    Matrix<E> result(A.rows(), A.cols());
    std::transform(A.data(), A.data() + A.size(), result.data(), [](const TypeParam& x) { return extend<E>(x); });
    return result;
  };
  const auto W = widened(generate<TypeParam>("ranks;k=0;l=8", 10, 8, 8).G);
  const std::vector<E> D{E(3), E(1e-20), E(-5)};
  const Matrix<E> F = product<E>(extended(widened(given.F), D, 8), W, 2),
                  G = product<E>(extended(widened(given.G), {}, 8), W, 2);
  const auto sigma = exact_generalized_singular_values(F, G, 2);
  ASSERT_EQ(sigma.size(), 8u);
  for (int j = 0; j < 3; ++j) EXPECT_TRUE(isinf(sigma[static_cast<std::size_t>(j)]));
  EXPECT_LT(relative_difference(given.sigma, {sigma.begin() + 3, sigma.end()}), 1e-30);

  // without rows of F, or of G
  EXPECT_EQ(exact_generalized_singular_values(Matrix<E>(2, 10), G), std::vector<Quad>(5, Quad(0)));
  EXPECT_EQ(exact_generalized_singular_values(F, Matrix<E>(2, 10)),
            std::vector<Quad>(8, std::numeric_limits<Quad>::infinity()));
  // two rows leave two nonzero values
  const auto wide = generate<TypeParam>("random", 5, 2, 6);
  ASSERT_EQ(wide.sigma.size(), 5u);
  EXPECT_GT(wide.sigma[1], 0);
  for (std::size_t j = 2; j < 5; ++j) EXPECT_EQ(wide.sigma[j], 0);
  // two infinite values use up two rows
  EXPECT_EQ(generate<TypeParam>("integral;kernel=shaw;l=2;truth=rounded", 3, 2, 3).sigma.back(), 0);
}

TEST(PaperPairDefaults, AreThoseOfThePaper) {
  EXPECT_EQ(generate<double>("paper", 16).sigma.size(), 16u);
  const auto complex = generate<Complex>("paper", 16);
  EXPECT_TRUE(complex.sigma.empty());
  EXPECT_EQ(complex.F(2, 5), conjugate(complex.F(5, 2)));
  EXPECT_EQ(generate<double>("paper", 16, 20, 18).provenance, "paper, seed 1");
}

TEST(PaperPairDefaults, RoundingMovesSigmaByNoMoreThanItMust) {
  const auto built = generate<double>("paper", 32), rounded = generate<double>("paper;truth=rounded", 32);
  const double difference = relative_difference(built.sigma, rounded.sigma);
  EXPECT_GT(difference, 1e-17);
  EXPECT_LT(difference, 1e-10);
}

template <class T>
bool same_bits(const AnyPair& a, const AnyPair& b) {
  const auto &x = std::get<Pair<T>>(a), &y = std::get<Pair<T>>(b);
  return std::equal(x.F.data(), x.F.data() + x.F.size(), y.F.data()) &&
         std::equal(x.G.data(), x.G.data() + x.G.size(), y.G.data()) && x.sigma == y.sigma;
}

template <class T>
class EveryPair : public ::testing::Test {};
TYPED_TEST_SUITE(EveryPair, Scalars);

TYPED_TEST(EveryPair, BitsDependOnSeedNotOnThreads) {
  const auto make = [](const std::string& name, std::uint64_t seed, int threads) {
    return generate_pair({name, scalar_type<TypeParam>, 70, 90, 70, seed, threads});
  };
  for (const std::string name :
       {"paper;form=usx;grade=2", "graded;on=both;permute=f", "two-sided;rows_g=random", "random"}) {
    const AnyPair one = make(name, 3, 1);
    EXPECT_TRUE(same_bits<TypeParam>(one, make(name, 3, 2)));
    EXPECT_TRUE(same_bits<TypeParam>(one, make(name, 3, 3)));
    EXPECT_FALSE(same_bits<TypeParam>(one, make(name, 4, 1)));
  }
  const AnyPair truth = generate_pair({"graded", scalar_type<TypeParam>, 15, 0, 0, 1, 1});
  for (const int threads : {2, 3})
    EXPECT_TRUE(same_bits<TypeParam>(truth, generate_pair({"graded", scalar_type<TypeParam>, 15, 0, 0, 1, threads})));
}

TYPED_TEST(EveryPair, ExistsForTheSmallestAndForTallShapes) {
  const std::set<std::string_view> of_any_shape = {"integral", "lapack", "ranks"};  // any_test.cpp has tests of them
  for (const GeneratorInfo& info : list_pair_generators()) {
    if (of_any_shape.contains(info.name)) continue;
    const std::string name = info.name == "paper" ? "paper;form=usx" : info.name;
    for (const Index n : {1, 2, 3}) {
      const auto pair = generate<TypeParam>(name, n, n + 2, n + 1);
      EXPECT_TRUE(pair.F.rows() == n + 2 && pair.G.rows() == n + 1 && pair.F.cols() == n && pair.G.cols() == n);
      EXPECT_EQ(static_cast<Index>(pair.sigma.size()), n) << name;
    }
  }
}

TYPED_TEST(EveryPair, RefusesShapesItCannotHave) {
  for (const auto& [n, m] : {std::pair<Index, Index>(0, 0), {-1, 0}, {4, -4}})
    EXPECT_THROW(generate<TypeParam>("random", n, m), InputError);
  EXPECT_EQ(generate<TypeParam>("random", 4, 3).F.rows(), 3);
  EXPECT_THROW(generate<TypeParam>("graded", 4, 3), InputError);
  EXPECT_THROW(generate<TypeParam>("paper;form=hpd", 4, 5), InputError);
  EXPECT_THROW(generate<TypeParam>("paper;form=hpd;cond_x=5", 4), InputError);
  EXPECT_THROW(generate<TypeParam>("paper;form=usx;cond_x=0.5", 4), InputError);
  EXPECT_THROW(generate<TypeParam>("paper;kappa=5", 4), InputError);
  EXPECT_THROW(generate<TypeParam>("random;truth=rounded", max_truth_order + 1), InputError);
  EXPECT_TRUE(generate<TypeParam>("random", usual_truth_order + 1).sigma.empty());
  EXPECT_TRUE(generate<TypeParam>("random;truth=none", 3).sigma.empty());
}

TYPED_TEST(EveryPair, GradedScalesWhatItSays) {
  const auto plain = generate<TypeParam>("graded;g=0;truth=none", 5, 7, 6);
  const auto scaled = generate<TypeParam>("graded;g=4;side=left;on=g;truth=none", 5, 7, 6);
  const auto columns = generate<TypeParam>("graded;g=4;truth=none", 5, 7, 6);
  for (Index j = 0; j < 5; ++j)
    for (Index i = 0; i < 6; ++i) {
      EXPECT_EQ(scaled.F(i, j), plain.F(i, j));
      EXPECT_EQ(columns.G(i, j), plain.G(i, j));
      const auto expected_g = plain.G(i, j) * std::pow(10.0, -4 + 8.0 * static_cast<double>(i) / 5);
      const auto expected_f = plain.F(i, j) * std::pow(10.0, -4 + 8.0 * static_cast<double>(j) / 4);
      EXPECT_LE(std::abs(scaled.G(i, j) - expected_g), 1e-14 * std::abs(expected_g));
      EXPECT_LE(std::abs(columns.F(i, j) - expected_f), 1e-14 * std::abs(expected_f));
    }
}

TYPED_TEST(EveryPair, TwoSidedScalesAllSidesIndependently) {
  const Index n = 5, m = 7;
  const auto plain = generate<TypeParam>("graded;g=0;truth=none", n, m, m);
  const auto pair =
      generate<TypeParam>("two-sided;rows_f=random;columns_f=random;rows_g=ascending;g=4;truth=none", n, m, m);
  std::vector<double> rows(m), columns(n);  // exponents
  for (Index i = 0; i < m; ++i) rows[i] = std::log10(std::abs(pair.F(i, 0) / plain.F(i, 0)));
  for (Index j = 0; j < n; ++j) columns[j] = std::log10(std::abs(pair.F(0, j) / plain.F(0, j))) - rows[0];
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      EXPECT_NEAR(std::log10(std::abs(pair.F(i, j) / plain.F(i, j))), rows[i] + columns[j], 1e-12);
      EXPECT_NEAR(std::log10(std::abs(pair.G(i, j) / plain.G(i, j))), -4 + 8.0 * static_cast<double>(i) / 6, 1e-12);
    }
  EXPECT_FALSE(std::ranges::is_sorted(rows));
  std::ranges::sort(rows), std::ranges::sort(columns);
  EXPECT_NEAR(rows.back() - rows.front(), 8, 1e-12);
  EXPECT_NEAR(columns.back() - columns.front(), 8, 1e-12);

  const auto arrow = generate<TypeParam>("two-sided;pattern=arrow;g=0;truth=none", n, m, n);
  const auto band = generate<TypeParam>("two-sided;pattern=band;g=0;truth=none", n, m, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      EXPECT_EQ(arrow.F(i, j), i == 0 || j == 0 || i == j ? plain.F(i, j) : TypeParam(0));
      EXPECT_EQ(band.F(i, j), std::abs(i - j) <= 2 ? plain.F(i, j) : TypeParam(0));
    }
}

TYPED_TEST(EveryPair, WavesOverlapAsAsked) {
  const auto cosine = [](const Pair<TypeParam>& pair) {  // the largest of two columns of G
    double largest = 0;
    for (Index j = 0; j < pair.G.cols(); ++j)
      for (Index k = 0; k < j; ++k) {
        TypeParam dot(0);
        double squares[2] = {};
        for (Index i = 0; i < pair.G.rows(); ++i) {
          dot += conjugate(pair.G(i, j)) * pair.G(i, k);
          squares[0] += std::norm(pair.G(i, j)), squares[1] += std::norm(pair.G(i, k));
        }
        largest = std::max(largest, std::abs(dot) / std::sqrt(squares[0] * squares[1]));
      }
    return largest;
  };
  EXPECT_LT(cosine(generate<TypeParam>("waves;overlap=0;truth=none", 20, 20, 400)), 0.02);
  EXPECT_GT(cosine(generate<TypeParam>("waves;overlap=0.5;truth=none", 20, 20, 400)), 0.5);
}

TYPED_TEST(EveryPair, NeutralColumnsAreAsNeutralAsAsked) {
  for (const auto& [name, least, most] :
       {std::tuple("neutral;gap=0;truth=none", 0.0, 1e-15), {"neutral;gap=1e-3;truth=none", 1e-5, 5e-3}}) {
    const auto pair = generate<TypeParam>(name, 8, 21, 9);
    double largest = 0;
    for (Index j = 0; j < 8; ++j) {
      double square = 0, signed_square = 0;
      for (Index i = 0; i < 21; ++i) {
        square += std::norm(pair.F(i, j));
        signed_square += (i < 10 ? 1 : -1) * std::norm(pair.F(i, j));
      }
      largest = std::max(largest, std::abs(signed_square) / square);
    }
    EXPECT_GE(largest, least);
    EXPECT_LE(largest, most);
  }
}

TYPED_TEST(EveryPair, IsMadeWithoutSigmaOnRequest) {
  PairRequest request{.generator = "paper;form=usx", .type = scalar_type<TypeParam>, .n = 5};
  const auto with = std::get<Pair<TypeParam>>(generate_pair(request));
  request.sigma = false;
  const auto without = std::get<Pair<TypeParam>>(generate_pair(request));
  EXPECT_EQ(with.sigma.size(), 5U);
  EXPECT_TRUE(without.sigma.empty());
  EXPECT_EQ(with.F(4, 4), without.F(4, 4));
}

TYPED_TEST(EveryPair, TruthSpansTheGrading) {
  const auto pair = generate<TypeParam>("graded;g=12", 12);
  const double orders = std::log10(static_cast<double>(pair.sigma.front() / pair.sigma.back()));
  EXPECT_GT(orders, 20);
  EXPECT_LT(orders, 28);
}

TYPED_TEST(EveryPair, TruthOfScaledPermutationsIsTheirScales) {
  using T = TypeParam;
  const Index n = 6;
  Matrix<T> F(n + 1, n), G(n, n);
  std::vector<Quad> expected;
  for (Index j = 0; j < n; ++j) {
    T unit(1);
    if constexpr (is_complex<T>) unit = T(0, -1);
    F((j + 2) % (n + 1), j) = unit * std::pow(2.0, 30.0 * static_cast<double>(j));
    G((j + 1) % n, j) = unit * 3.0;
    expected.push_back(ldexp(Quad(1), 30 * static_cast<int>(j)) / 3);
  }
  std::ranges::reverse(expected);
  EXPECT_LT(relative_difference(exact_generalized_singular_values(F, G, 1), expected), 1e-33);
  for (T& x : F.col(2)) x = T(0);
  expected.erase(expected.begin() + (n - 1 - 2));
  expected.emplace_back(0);
  const std::vector<Quad> deficient = exact_generalized_singular_values(F, G, 1);
  for (Index j = 0; j < n; ++j) EXPECT_LE(fabs(deficient[j] - expected[j]), Quad(1e-33) * expected[j] + Quad(1e-150));
  G(0, n - 1) = T(0);
  const std::vector<Quad> with_infinite = exact_generalized_singular_values(F, G, 1);
  ASSERT_EQ(with_infinite.size(), deficient.size());
  EXPECT_TRUE(isinf(with_infinite[0]));
  for (std::size_t j = 1; j < deficient.size(); ++j) EXPECT_EQ(with_infinite[j], deficient[j]);
}

TEST(DifferenceOperator, HasFullRankAndAnnihilatesPolynomialsInside) {
  for (const int order : {0, 1, 2})
    for (const Index n : {1, 2, 3, 12}) {
      const Matrix<double> L = difference_operator(n, order);
      ASSERT_TRUE(L.rows() == n && L.cols() == n);
      EXPECT_NO_THROW(exact_generalized_singular_values(Matrix<double>::identity(n), L, 1));
      int zeros = 0;
      for (Index i = 0; i < n; ++i) {
        double sum = 0;  // of L times 1, …, n, or ones
        for (Index j = 0; j < n; ++j) sum += L(i, j) * (order == 2 ? static_cast<double>(j + 1) : 1);
        zeros += sum == 0;
      }
      EXPECT_EQ(zeros, std::max<Index>(n - order, 0) * (order != 0));
    }
  EXPECT_THROW(difference_operator(3, 3), InputError);
}

}  // namespace
}  // namespace pivotlab::pairs_test
