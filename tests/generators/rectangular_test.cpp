// SPDX-License-Identifier: BSD-3-Clause
// Matrices of any shape with m ≥ n: shapes, prescribed singular values, exact ranks, the same bits for any number of
// threads; patterns of signs.
#include <gtest/gtest.h>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <tests/dense.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pivotlab::rectangular_test {
namespace {

using Complex = std::complex<double>;

template <class T>
Matrix<T> make(const std::string& name, Index m, Index n, int threads = 1) {
  return std::get<Matrix<T>>(
      generate_rectangular({.generator = name, .type = scalar_type<T>, .n = n, .m = m, .seed = 5, .threads = threads}));
}

template <class T>
Eigen::VectorXd singular_values(const Matrix<T>& G) {
  return test::singular_values(EigenMatrix<T>(as_eigen(G.view())));
}

template <class T>
class RectangularGenerator : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(RectangularGenerator, Scalars);

TYPED_TEST(RectangularGenerator, HasTheShapeAndTheSameBitsForAnyNumberOfThreads) {
  for (const GeneratorInfo& kind : list_rectangular_generators())
    for (const auto& [m, n] : {std::pair<Index, Index>{0, 0}, {3, 0}, {1, 1}, {0, 5}, {9, 4}, {40, 33}}) {
      const auto G = make<TypeParam>(kind.name, m, n);
      EXPECT_EQ(G.rows(), m == 0 ? n : m) << kind.name;
      EXPECT_EQ(G.cols(), n) << kind.name;
      const auto again = make<TypeParam>(kind.name, m, n, 3);
      EXPECT_TRUE(std::equal(G.data(), G.data() + G.size(), again.data())) << kind.name;
    }
}

TYPED_TEST(RectangularGenerator, HasThePrescribedSingularValues) {
  const auto sigma = singular_values(make<TypeParam>("spectrum;kappa=1e6", 20, 13));
  for (Index j = 0; j < 13; ++j) EXPECT_NEAR(sigma[j] * std::pow(1e6, static_cast<double>(j) / 12), 1, 1e-9) << j;
}

TYPED_TEST(RectangularGenerator, HasTheStatedRank) {
  for (const auto& [fraction, rank] : {std::pair<const char*, Index>{"0.75", 12}, {"0", 0}, {"1", 16}}) {
    const auto sigma = singular_values(make<TypeParam>(std::string("lowrank;rank=") + fraction, 24, 16));
    EXPECT_EQ(std::ranges::count_if(sigma, [](double x) { return x > 1e-9; }), rank);
  }
}

TYPED_TEST(RectangularGenerator, GradesColumnsByPowersOfTwo) {
  const auto plain = make<TypeParam>("random", 12, 12), graded = make<TypeParam>("graded;g=6;order=falling", 12, 12);
  for (Index j = 0; j < 12; ++j) {
    const double ratio = std::abs(graded(0, j)) / std::abs(plain(0, j));
    EXPECT_EQ(ratio, std::exp2(std::round(std::log2(ratio)))) << j;
    EXPECT_NEAR(std::log10(ratio), 6 - 12.0 * static_cast<double>(j) / 11, 0.2) << j;
  }
}

TEST(RectangularGenerators, RefuseWhatTheyCannotMakeInOneLine) {
  const auto refusal = [](const RectangularRequest& request) {
    try {
      generate_rectangular(request);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({.n = 5, .m = 4}), "m = 4: must be at least n = 5 (or 0 for n)");
  EXPECT_EQ(refusal({.n = -1}), "n = -1: a number of columns is not negative");
  EXPECT_NE(refusal({.generator = "grade", .n = 3}).find("graded"), std::string::npos);
}

TEST(Signs, FollowThePattern) {
  EXPECT_EQ(generate_signs("positive", 3, 1), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(generate_signs("halves", 5, 1), (std::vector<int>{1, 1, -1, -1, -1}));
  EXPECT_EQ(generate_signs("third", 5, 1), (std::vector<int>{-1, 1, 1, -1, 1}));
  const auto random = generate_signs("random", 400, 1);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(random, -1)), 200, 50);
  EXPECT_NE(random, generate_signs("random", 400, 2));
  EXPECT_THROW(generate_signs("thirds", 3, 1), InputError);
}

}  // namespace
}  // namespace pivotlab::rectangular_test
