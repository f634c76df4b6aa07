// SPDX-License-Identifier: BSD-3-Clause
// Sums of moduli of the inverse of M, by the kernels of a GPU run on the host: equal to those of the exact inverse up
// to rounding errors, for all blocks of columns, with the threads of a block in a random order.
#include "kernels/ldlt/device/inverse_kernels.hpp"
#include "matrices.hpp"
#include "tests/extended/host_machine.hpp"

#include <gtest/gtest.h>

namespace pivotlab::inverse_sums_test {
namespace {

using namespace test;
using ldlt_device::InverseSums;

std::vector<double> some_weights(Index n) {
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i) weights.push_back(std::ldexp(1, static_cast<int>(i % 7) - 3));
  return weights;
}

/// M of a factorization with rook pivoting.
template <class T>
Matrix<T> some_m(Index n) {
  return ldlt<T>(structured<T>(Structure::dense, n, 4), {.variant = {.pivoting = Pivoting::rook}}).M;
}

/// Computes the sums by columns in Quad.
template <class T>
InverseSums exact_sums(const Matrix<T>& M, const std::vector<double>& weights) {
  using E = Rebind<T, Quad>;
  const Index n = M.rows();
  InverseSums sums;
  std::vector<Quad> of_rows(weights.size()), of_m(weights.size());
  const auto size = [](const T& x) { return static_cast<Quad>(modulus(x)); };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) of_m[j] += size(M(i, j));
  for (Index j = 0; j < n; ++j) {
    std::vector<E> x(weights.size());
    x[j] = E(1);
    Quad weighted = 0, product = 0;
    for (Index i = j; i < n; ++i) {
      for (Index k = j; k < i; ++k) {
        if constexpr (is_complex<T>)
          x[i] -= E(Quad(M(i, k).real()), Quad(M(i, k).imag())) * x[k];
        else
          x[i] -= Quad(M(i, k)) * x[k];
      }
      const Quad modulus_of_x = absolute(x[i]);
      weighted += weights[i] * modulus_of_x;
      product += of_m[i] * modulus_of_x;
      of_rows[i] += modulus_of_x;
    }
    sums.weighted = std::max(sums.weighted, static_cast<double>(weighted));
    sums.product = std::max(sums.product, static_cast<double>(product));
  }
  for (const Quad& x : of_rows) sums.of_rows.push_back(static_cast<double>(x));
  return sums;
}

template <class T>
class InverseSumsOf : public ::testing::Test {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(InverseSumsOf, Scalars);

TYPED_TEST(InverseSumsOf, AreThoseOfTheExactInverseInAnyBlocks) {
  using T = TypeParam;
  for (const Index n : {1, 5, 32, 33, 100, 150}) {
    const auto M = some_m<T>(n);
    const auto weights = some_weights(n);
    const InverseSums expected = exact_sums(M, weights);
    for (const Index columns : {7, 64, 1000}) {
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", blocks of " << columns);
      ldlt_device::InverseSumsOnDevice<pivotlab::test::HostMachine, T> on_device(columns);
      const InverseSums sums = on_device.of(M.view(), weights);
      EXPECT_NEAR(sums.weighted, expected.weighted, 1e-10 * expected.weighted);
      EXPECT_NEAR(sums.product, expected.product, 1e-10 * expected.product);
      ASSERT_EQ(sums.of_rows.size(), weights.size());
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(sums.of_rows[i], expected.of_rows[i], 1e-10 * expected.of_rows[i]);
      EXPECT_GE(sums.roundings, n);
    }
  }
}

TYPED_TEST(InverseSumsOf, AMatrixWhoseInverseOverflowsAreInfinite) {
  using T = TypeParam;
  auto M = Matrix<T>::identity(40);
  for (Index i = 1; i < 40; ++i) M(i, i - 1) = T(1e10);
  ldlt_device::InverseSumsOnDevice<pivotlab::test::HostMachine, T> on_device;
  EXPECT_EQ(on_device.of(M.view(), some_weights(40)).weighted, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace pivotlab::inverse_sums_test
