// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <generators/orthogonal.hpp>
#include <generators/random.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/numerics/extended_product.hpp>

#include <algorithm>
#include <complex>
#include <numeric>

namespace pivotlab::random_test {
namespace {

using Complex = std::complex<double>;
constexpr std::array<Distribution, 3> distributions{Distribution::uniform, Distribution::symmetric,
                                                    Distribution::normal};

/// xLARNV, which has no argument for the layout.
template <class T>
void larnv(Distribution distribution, int* iseed, std::vector<T>& x) {
  lapack_int (*const draw)(lapack_int, lapack_int*, lapack_int, T*) =
      lapack::find_required(pick<T>("LAPACKE_dlarnv", "LAPACKE_zlarnv"));
  draw(static_cast<int>(distribution), iseed, lapack::size(std::ssize(x)), x.data());
}

TEST(RandomStream, HasTheBitsOfLapacksGenerator) {
  for (const std::array<int, 4> seed :
       {std::array{1, 2, 3, 5}, std::array{4095, 4095, 4095, 4095}, std::array{0, 0, 0, 1}})
    for (const Distribution distribution : distributions) {
      const int count = 301;
      std::vector<double> expected(count);
      std::array<int, 4> iseed = seed;
      larnv(distribution, iseed.data(), expected);
      RandomStream stream(seed);
      for (const double x : expected) EXPECT_EQ(stream.draw<double>(distribution), x);
      EXPECT_EQ(stream.iseed(), iseed);

      std::vector<Complex> complex(count);
      larnv(distribution, iseed.data(), complex);
      for (const Complex& z : complex) EXPECT_EQ(stream.draw<Complex>(distribution), z);
      EXPECT_EQ(stream.iseed(), iseed);
    }
}

TEST(RandomStream, SkipsAsIfItHadDrawn) {
  RandomStream drawn(7, 3), skipped(7, 3);
  for (const int count : {0, 1, 2, 63, 1000}) {
    for (int i = 0; i < count; ++i) drawn.uniform();
    skipped.skip(count);
    EXPECT_EQ(drawn.iseed(), skipped.iseed());
  }
}

TEST(RandomStream, HasStreamsThatLookIndependent) {
  const auto numbers = [](std::uint64_t seed, int index) {
    RandomStream stream(seed, index);
    std::vector<double> u(4000);
    std::ranges::generate(u, [&] { return stream.uniform() - 0.5; });
    return u;
  };
  const auto first = numbers(1, 0);
  for (const auto& other : {numbers(1, 1), numbers(1, 2), numbers(2, 0), numbers(3, 0)}) {
    const double correlation = 12 * std::inner_product(first.begin(), first.end(), other.begin(), 0.0) / 4000;
    EXPECT_LT(std::abs(correlation), 5 / std::sqrt(4000.0));
  }
}

TEST(RandomStream, RejectsSeedsThatLapackRejects) {
  EXPECT_THROW(RandomStream({0, 0, 0, 2}), std::invalid_argument);
  EXPECT_THROW(RandomStream({0, 4096, 0, 1}), std::invalid_argument);
}

TEST(RandomMatrix, IsOneRunOfTheStreamForAnyNumberOfThreads) {
  for (const Distribution distribution : distributions) {
    RandomStream drawn(5, 0);
    std::vector<Complex> expected(7 * 11);
    std::ranges::generate(expected, [&] { return drawn.draw<Complex>(distribution); });
    for (const int threads : {1, 2, 3}) {
      RandomStream stream(5, 0);
      const auto A = random_matrix<Complex>(7, 11, distribution, stream, threads);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), A.data()));
      EXPECT_EQ(stream.iseed(), drawn.iseed());
    }
  }
}

template <class T>
class RandomOrthonormal : public ::testing::Test {};
using Scalars = ::testing::Types<Quad, std::complex<Quad>>;
TYPED_TEST_SUITE(RandomOrthonormal, Scalars);

TYPED_TEST(RandomOrthonormal, HasOrthonormalColumns) {
  using T = TypeParam;
  for (const auto& [m, n] : {std::pair<Index, Index>(1, 1), {5, 5}, {33, 32}, {70, 66}, {130, 129}, {40, 3}}) {
    RandomStream stream(1, 0);
    const Matrix<T> Q = random_orthonormal<T>(m, n, stream, 2);
    const Matrix<T> gram = product<T>({Q, Op::adjoint}, Q, 2);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const T error = gram(i, j) - T(i == j ? 1 : 0);
        EXPECT_LT(static_cast<double>(real_part(T(error * conjugate(error)))), 1e-62) << m << ' ' << n;
      }
  }
}

TYPED_TEST(RandomOrthonormal, IsUniformlyDistributed) {
  using T = TypeParam;
  constexpr int samples = 1500;  // E tr Q = 0 and E |tr Q|² = 1 for the uniform distribution
  RandomStream stream(1, 0);
  T mean(0);
  double mean_square = 0;
  for (int s = 0; s < samples; ++s) {
    const Matrix<T> Q = random_orthonormal<T>(4, 4, stream, 1);
    const T trace = Q(0, 0) + Q(1, 1) + Q(2, 2) + Q(3, 3);
    mean += trace;
    mean_square += static_cast<double>(real_part(T(trace * conjugate(trace)))) / samples;
  }
  EXPECT_NEAR(mean_square, 1, 0.2);
  EXPECT_LT(static_cast<double>(real_part(T(mean * conjugate(mean)))), 20.0 * samples);
}

}  // namespace
}  // namespace pivotlab::random_test
