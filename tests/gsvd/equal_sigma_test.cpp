// Pairs F = c·G: all σ are equal, and rounding errors alone decide by which angles columns turn.
#include "decomposition.hpp"

#include <gtest/gtest.h>

#include <random>

namespace pivotlab::equal_sigma_test {
namespace {

using namespace test;

template <class T>
class EqualSigma : public testing::Test {
 protected:
  /// F = c·G with a random G of integers and 16 on its diagonal.
  static TestPair<T> multiple(Index n, double c, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> integer(-5, 5);
    TestPair<T> pair{Matrix<T>(n, n), Matrix<T>(n, n)};
    for (Index i = 0; i < n * n; ++i) pair.G.data()[i] = T(integer(random));
    if constexpr (is_complex<T>)
      for (Index i = 0; i < n * n; ++i) pair.G.data()[i] += T(0, integer(random));
    for (Index j = 0; j < n; ++j) pair.G(j, j) += T(16);
    for (Index i = 0; i < n * n; ++i) pair.F.data()[i] = T(c) * pair.G.data()[i];
    return pair;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(EqualSigma, Scalars);

TYPED_TEST(EqualSigma, EveryVariantConverges) {
  unsigned seed = 0;
  for (const auto& name : expand_pattern("DHZ{0..7}-({ME,MM}-{FB,BO}-ME);w={8,16}"))
    for (const Index n : {16, 20, 24, 37, 48}) {
      ++seed;
      const double c = 2 + seed % 8;
      const auto pair = this->multiple(n, c, seed);
      const auto r = gsvd<TypeParam>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant});
      SCOPED_TRACE(name + " n " + std::to_string(n));
      expect_decomposition(pair, r, 20 * static_cast<double>(n) * 0x1p-52);
      for (const double sigma : r.sigma) EXPECT_NEAR(sigma / c, 1, 1e-12);
      EXPECT_LE(r.sweeps.size(), 12U);
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
