// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <tests/numerics/random_matrix.hpp>

#include <cstring>

namespace pivotlab::extended_product_test {
namespace {

using test::random_matrix;
using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<300, boost::multiprecision::digit_base_10, void, std::int32_t>,
    boost::multiprecision::et_off>;

Exact exact(double x) {
  return Exact(x);
}
Exact exact(const Quad& x) {
  return to_long<Exact>(x);
}
Exact exact(const DoubleDouble& x) {
  return Exact(x.hi()) + Exact(x.lo());
}
template <class R>
std::complex<Exact> exact(const std::complex<R>& x) {
  return {exact(x.real()), exact(x.imag())};
}
Exact modulus(const Exact& x) {
  return abs(x);
}
Exact modulus(const std::complex<Exact>& x) {
  return sqrt(Exact(x.real() * x.real() + x.imag() * x.imag()));
}

template <class T>
T element(const Matrix<T>& A, Op op, Index i, Index j) {
  const T x = op == Op::none ? A(i, j) : A(j, i);
  return op == Op::adjoint ? conjugate(x) : x;
}

/// max |C − op(A)·op(B)|_ij / (|A|·|B|)_ij against exact sums; 0/0 = 0.
template <class R, class A, class B>
double componentwise_error(const Matrix<A>& a, Op op_a, const Matrix<B>& b, Op op_b, int threads = 1) {
  const Matrix<R> C = product<R>({a, op_a}, {b, op_b}, threads);
  const Index inner = op_a == Op::none ? a.cols() : a.rows();
  double worst = 0;
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i) {
      Rebind<R, Exact> sum(0);
      Exact bound(0);
      for (Index k = 0; k < inner; ++k) {
        const auto x = exact(element(a, op_a, i, k)), y = exact(element(b, op_b, k, j));
        sum += x * y;
        bound += modulus(x) * modulus(y);
      }
      const Exact error = modulus(Rebind<R, Exact>(exact(C(i, j)) - sum));
      if (error != 0) worst = std::max(worst, static_cast<double>(error / bound));
    }
  return worst;
}

constexpr double quad_ulp = 0x1p-112, dd_ulp = 0x1p-104;

TEST(ExtendedProduct, IsWithinAFewUlpOfTheExactProduct) {
  for (const Index k : {1, 2, 7, 33, 450}) {
    EXPECT_LE(
        (componentwise_error<Quad>(random_matrix<Quad>(9, k, 1), Op::none, random_matrix<Quad>(k, 5, 2), Op::none)),
        quad_ulp)
        << k;
    EXPECT_LE((componentwise_error<DoubleDouble>(random_matrix<DoubleDouble>(9, k, 1), Op::none,
                                                 random_matrix<DoubleDouble>(k, 5, 2), Op::none)),
              dd_ulp)
        << k;
  }
}

TEST(ExtendedProduct, TakesEveryMixOfPrecisionsAndOperations) {
  const auto d = random_matrix<double>(6, 8, 3);
  const auto dd = random_matrix<DoubleDouble>(8, 6, 4);
  const auto q = random_matrix<Quad>(6, 8, 5);
  EXPECT_LE((componentwise_error<Quad>(d, Op::none, dd, Op::none)), quad_ulp);
  EXPECT_LE((componentwise_error<Quad>(d, Op::transpose, q, Op::none)), quad_ulp);
  EXPECT_LE((componentwise_error<Quad>(q, Op::none, d, Op::adjoint)), quad_ulp);
  EXPECT_LE((componentwise_error<DoubleDouble>(dd, Op::transpose, d, Op::transpose)), dd_ulp);
  EXPECT_LE((componentwise_error<DoubleDouble>(q, Op::none, dd, Op::none)), dd_ulp);
}

TEST(ExtendedProduct, ConjugatesAndMultipliesComplexNumbers) {
  const auto z = random_matrix<std::complex<double>>(6, 8, 6);
  const auto zdd = random_matrix<std::complex<DoubleDouble>>(6, 8, 7, 20, 20);
  const auto zq = random_matrix<std::complex<Quad>>(8, 6, 8, 20, 20);
  for (const Op op : {Op::transpose, Op::adjoint}) {
    EXPECT_LE((componentwise_error<std::complex<Quad>>(z, op, zdd, Op::none)), 2 * quad_ulp);
    EXPECT_LE((componentwise_error<std::complex<Quad>>(zq, Op::none, zq, op)), 2 * quad_ulp);
    EXPECT_LE((componentwise_error<std::complex<DoubleDouble>>(zdd, op, zq, op)), 2 * dd_ulp);
  }
}

TEST(ExtendedProduct, KeepsItsAccuracyOnIllScaledOperands) {
  for (const unsigned seed : {11u, 12u, 13u}) {
    // Rows of A and columns of B over 600 orders of magnitude.
    EXPECT_LE((componentwise_error<Quad>(random_matrix<double>(7, 12, seed, 990, 0), Op::none,
                                         random_matrix<double>(12, 5, seed + 50, 0, 990), Op::none)),
              quad_ulp);
    // (A·D)·(D⁻¹·B)-like inner scaling, graded entries, zeros.
    EXPECT_LE((componentwise_error<Quad>(random_matrix<Quad>(7, 12, seed, 30, 50, 8, true), Op::none,
                                         random_matrix<Quad>(12, 5, seed + 50, 50, 30, 8, true), Op::none)),
              quad_ulp);
    EXPECT_LE((componentwise_error<DoubleDouble>(random_matrix<double>(7, 12, seed, 100, 40, 5, true), Op::none,
                                                 random_matrix<double>(12, 5, seed + 50, 40, 100, 5, true), Op::none)),
              dd_ulp);
  }
}

TEST(ExtendedProduct, KeepsTheDigitsOfEntriesThatSlicesLose) {
  for (const unsigned seed : {21u, 22u}) {
    // The inner scaling makes entries of the product as small as 2^-900 of the largest elements of their vectors.
    EXPECT_LE((componentwise_error<Quad>(random_matrix<double>(7, 12, seed, 0, 900, 3, true), Op::none,
                                         random_matrix<double>(12, 5, seed + 50, 900, 0, 3, true), Op::none)),
              12 * quad_ulp);
    EXPECT_LE((componentwise_error<std::complex<DoubleDouble>>(
                  random_matrix<std::complex<double>>(7, 12, seed, 0, 400, 3, true), Op::none,
                  random_matrix<std::complex<double>>(12, 5, seed + 50, 400, 0, 3, true), Op::none)),
              24 * dd_ulp);
  }
}

TEST(ExtendedProduct, MeetsTheLargestAndSmallestDoubles) {
  Matrix<double> A(2, 2), B(2, 1);
  A(0, 0) = std::numeric_limits<double>::max(), A(0, 1) = -0x1p1000;
  A(1, 0) = std::numeric_limits<double>::denorm_min(), A(1, 1) = 0x1.8p-1060;
  B(0, 0) = 0x1.fffffffffffffp-1, B(1, 0) = -1;
  EXPECT_LE((componentwise_error<Quad>(A, Op::none, B, Op::none)), quad_ulp);
}

TEST(ExtendedProduct, ExactForIntegers) {
  const Index n = 40;
  Matrix<double> A(n, n);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = static_cast<double>((i * 7919) % 2003 - 1000);
  EXPECT_EQ((componentwise_error<DoubleDouble>(A, Op::none, A, Op::transpose)), 0);
  EXPECT_EQ((componentwise_error<Quad>(A, Op::none, A, Op::transpose)), 0);
}

TEST(ExtendedProduct, ZeroForEmptyOrZeroMatrices) {
  const Matrix<Quad> zero(3, 4), full = random_matrix<Quad>(4, 2, 1);
  const Matrix<Quad> C = product<Quad>(zero, full), D = product<Quad>(Matrix<Quad>(3, 0), Matrix<Quad>(0, 2));
  ASSERT_TRUE(C.rows() == 3 && C.cols() == 2 && D.rows() == 3 && D.cols() == 2);
  for (Index i = 0; i < 6; ++i) EXPECT_TRUE(C.data()[i] == 0 && D.data()[i] == 0);
  EXPECT_EQ(product<Quad>(Matrix<Quad>(0, 4), full).rows(), 0);
  EXPECT_THROW(product<Quad>(zero, zero), std::invalid_argument);
}

TEST(ExtendedProduct, ANaNSpoilsOnlyItsRow) {
  auto A = random_matrix<double>(3, 4, 1);
  A(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto C = product<DoubleDouble>(A, random_matrix<double>(4, 2, 2));
  for (Index j = 0; j < 2; ++j)
    for (Index i = 0; i < 3; ++i) EXPECT_EQ(isnan(C(i, j)), i == 1);
}

template <class T>
bool same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  return std::equal(A.data(), A.data() + A.size(), B.data(), B.data() + B.size());
}

TEST(ExtendedProduct, HasTheSameBitsForAnyNumberOfThreads) {
  const auto A = random_matrix<Quad>(530, 150, 1, 5, 5), B = random_matrix<Quad>(150, 130, 2, 5, 5);
  const auto z = random_matrix<std::complex<double>>(150, 150, 3, 9, 9);
  const auto C = product<Quad>(A, B, 1);
  const auto D = product<std::complex<DoubleDouble>>({z, Op::adjoint}, z, 1);
  for (const int threads : {2, 3}) {
    EXPECT_TRUE(same_bits(C, product<Quad>(A, B, threads)));
    EXPECT_TRUE(same_bits(D, product<std::complex<DoubleDouble>>({z, Op::adjoint}, z, threads)));
  }
}

TEST(ExtendedProduct, PrecisionsAgreeAcrossTiles) {
  const auto A = random_matrix<double>(600, 900, 1), B = random_matrix<double>(900, 150, 2);
  const auto quad = product<Quad>(A, B, 2);
  const auto dd = product<DoubleDouble>(A, B, 2);
  double worst = 0;
  for (Index i = 0; i < quad.size(); ++i)
    worst = std::max(worst, static_cast<double>(abs(quad.data()[i] - Quad(dd.data()[i]))));
  EXPECT_LE(worst, 900 * dd_ulp / 8);
}

}  // namespace
}  // namespace pivotlab::extended_product_test
