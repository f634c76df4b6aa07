// SPDX-License-Identifier: BSD-3-Clause
// Pairs F = c·G and F = c·P·G with a permutation P, whose σ are all equal, and pairs of two σ.
#include "decomposition.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <kernels/numerics/eigen.hpp>
#include <kernels/numerics/power_of_two.hpp>

#include <random>

namespace pivotlab::equal_sigma_test {
namespace {

using namespace test;

template <class T>
class EqualSigma : public testing::Test {
 protected:
  /// F = c·P·G with a random G of integers and 16 on its diagonal, P = I or, for an odd seed, a reversal of rows.
  static TestPair<T> multiple(Index n, double c, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> integer(-5, 5);
    TestPair<T> pair{Matrix<T>(n, n), Matrix<T>(n, n)};
    for (Index i = 0; i < n * n; ++i) pair.G.data()[i] = T(integer(random));
    if constexpr (is_complex<T>)
      for (Index i = 0; i < n * n; ++i) pair.G.data()[i] += T(0, integer(random));
    for (Index j = 0; j < n; ++j) pair.G(j, j) += T(16);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) pair.F(i, j) = T(c) * pair.G(seed % 2 == 0 ? i : n - 1 - i, j);
    return pair;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(EqualSigma, Scalars);

TYPED_TEST(EqualSigma, EveryVariantConverges) {
  unsigned seed = 0;
  for (const auto& name : expand_pattern("DHZ{0..7}-({ME,MM}-{FB,BO}-ME);w={8,16}"))
    for (const Index n : {2, 16, 37}) {
      ++seed;
      const double c = 2 + seed % 8;
      const auto pair = this->multiple(n, c, seed);
      const auto r = gsvd<TypeParam>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant});
      SCOPED_TRACE(name + " n " + std::to_string(n));
      expect_decomposition(pair, r, 20 * static_cast<double>(n) * 0x1p-52);
      Matrix<TypeParam> inverse = Matrix<TypeParam>::identity(n);
      substitute_upper<TypeParam>(upper_factor(qr_factors<TypeParam>(pair.G)), inverse);
      const double condition = as_eigen(pair.G.view()).norm() * as_eigen(inverse.view()).norm();
      for (const double sigma : r.sigma) EXPECT_NEAR(sigma / c, 1, 0x1p-52 * static_cast<double>(n) * condition);
    }
}

TYPED_TEST(EqualSigma, SizesMayBeNearTheEndsOfTheRange) {
  for (const int exponent : {-1040, -600, 600, 1015}) {
    auto pair = this->multiple(16, 4, 2);
    for (Index i = 0; i < pair.F.size(); ++i) pair.F.data()[i] = times_power_of_two(pair.F.data()[i], exponent);
    GsvdOptions options{.variant = parse_gsvd_variant("DHZ0-(ME-BO-ME)").variant};
    options.compute_x = true;
    const auto r = gsvd<TypeParam>(pair.F, pair.G, options);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    for (const double sigma : r.sigma) EXPECT_NEAR(std::ldexp(sigma, -exponent), 4, 1e-12);
    const EigenMatrix<TypeParam> product = dense_product<TypeParam>(r.X, r.Z);
    EXPECT_LE((product - EigenMatrix<TypeParam>::Identity(16, 16)).norm(), 1e-12) << exponent;
  }
}

TYPED_TEST(EqualSigma, ColumnsOfEqualNormsAreNotExchangedWithoutEnd) {
  for (const Backend backend : {Backend::host, Backend::emulation})
    for (const unsigned seed : {3, 4, 5}) {
      auto pair = this->multiple(60, 1, seed);
      for (Index j = 0; j < 60; ++j)
        for (Index i = 0; i < 30; ++i) pair.F(i, j) *= 2.0;
      const auto variant = parse_gsvd_variant("DHZ0-(ME-FB-ME)").variant;
      const auto r = gsvd<TypeParam>(pair.F, pair.G, {.variant = variant, .backend = backend});
      SCOPED_TRACE(seed);
      expect_decomposition(pair, r, 20 * 60 * 0x1p-52);
    }
}

TYPED_TEST(EqualSigma, TheDevicesKernelsConverge) {
  for (const char* name : {"DHZ0-(ME-BO-ME)", "DHZ4-(ME-BO-ME)", "DHZ0-(ME-FB-ME)"}) {
    const auto pair = this->multiple(24, 3, 5);
    const auto r =
        gsvd<TypeParam>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant, .backend = Backend::emulation});
    SCOPED_TRACE(name);
    expect_decomposition(pair, r, 20 * 24 * 0x1p-52);
  }
}

}  // namespace
}  // namespace pivotlab::equal_sigma_test
