// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <tests/numerics/random_matrix.hpp>

#include <algorithm>

namespace pivotlab::lu_complete_test {
namespace {

using test::random_matrix;

template <class T>
class LuCompleteOf : public ::testing::Test {};
using Scalars =
    ::testing::Types<double, DoubleDouble, Quad, std::complex<double>, std::complex<DoubleDouble>, std::complex<Quad>>;
TYPED_TEST_SUITE(LuCompleteOf, Scalars);

/// max |A − B| over max |A|
template <class T>
double difference(const Matrix<T>& A, const Matrix<T>& B) {
  double worst = 0, norm = 0;
  for (Index i = 0; i < A.size(); ++i) {
    worst = std::max(worst, static_cast<double>(detail::pivot_size(T(A.data()[i] - B.data()[i]))));
    norm = std::max(norm, static_cast<double>(detail::pivot_size(A.data()[i])));
  }
  return worst / norm;
}

/// The precision of a product that checks T.
template <class T>
using Judge = Rebind<T, Quad>;

template <class T>
Matrix<T> times(const Matrix<T>& A, const Matrix<T>& B) {
  const auto C = product<Judge<T>>(A, B);
  Matrix<T> rounded(C.rows(), C.cols());
  for (Index i = 0; i < C.size(); ++i)
    if constexpr (is_complex<T>)
      rounded.data()[i] = T(RealOf<T>(C.data()[i].real()), RealOf<T>(C.data()[i].imag()));
    else
      rounded.data()[i] = T(C.data()[i]);
  return rounded;
}

template <class T>
double roundoff() {
  return static_cast<double>(unit_roundoff<RealOf<T>>());
}

TYPED_TEST(LuCompleteOf, FactorsThePermutedMatrix) {
  using T = TypeParam;
  const Index n = 60;
  const auto A = random_matrix<T>(n, n, 5, 10, 10);
  const auto lu = lu_complete(A);
  Matrix<T> L = Matrix<T>::identity(n), U(n, n), permuted(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      (i > j ? L : U)(i, j) = lu.LU(i, j);
      permuted(i, j) = A(lu.rows[i], lu.cols[j]);
      // No element exceeds its pivot, where |Re| + |Im| of complex ones may be 2 when measured so.
      EXPECT_LE(i > j ? static_cast<double>(detail::pivot_size(L(i, j))) : 0, is_complex<T> ? 2 : 1);
    }
  EXPECT_EQ(lu.rank, n);
  EXPECT_LE(difference(permuted, times(L, U)), 16 * n * roundoff<T>());
}

TYPED_TEST(LuCompleteOf, InverseSolvesToWorkingPrecision) {
  using T = TypeParam;
  const Index n = 50;
  auto A = random_matrix<T>(n, n, 6);
  for (Index i = 0; i < n; ++i) A(i, i) += T(20);
  const auto X = inverse(lu_complete(A));
  EXPECT_LE(difference(Matrix<T>::identity(n), times(A, X)), 64 * n * roundoff<T>());
  EXPECT_LE(difference(Matrix<T>::identity(n), times(X, A)), 64 * n * roundoff<T>());
}

TYPED_TEST(LuCompleteOf, TellsTheRankOfASingularMatrix) {
  using T = TypeParam;
  Matrix<T> A(4, 4);
  A(1, 2) = T(3), A(3, 0) = T(2);
  const auto lu = lu_complete(A);
  EXPECT_EQ(lu.rank, 2);
  EXPECT_EQ(lu.cols[0], 2);
  EXPECT_THROW(inverse(lu), std::domain_error);
  EXPECT_EQ(lu_complete(Matrix<T>(1, 1)).rank, 0);
  EXPECT_THROW(lu_complete(Matrix<T>(2, 3)), std::invalid_argument);
}

TEST(LuComplete, InvertsIllConditionedMatrix) {
  const Index n = 10;  // Hilbert's matrix, κ₂ = 1.6e13, whose inverse has integer entries
  Matrix<DoubleDouble> H(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) H(i, j) = DoubleDouble(1) / DoubleDouble(double(i + j + 1));
  const auto X = inverse(lu_complete(H));
  EXPECT_NEAR(double(X(0, 0)), 100, 1e-13);
  EXPECT_NEAR(double(X(n - 1, n - 1) - DoubleDouble(44914183600.0)), 0, 1e-6);
}

TEST(LuComplete, HasTheSameBitsForAnyNumberOfThreads) {
  const auto A = random_matrix<DoubleDouble>(516, 516, 9, 5, 5);
  const auto one = lu_complete(A, 1);
  const auto X = inverse(one, 1);
  for (const int threads : {2, 3}) {
    const auto lu = lu_complete(A, threads);
    EXPECT_TRUE(std::equal(one.LU.data(), one.LU.data() + one.LU.size(), lu.LU.data()));
    EXPECT_EQ(one.rows, lu.rows);
    EXPECT_EQ(one.cols, lu.cols);
    const auto Y = inverse(lu, threads);
    EXPECT_TRUE(std::equal(X.data(), X.data() + X.size(), Y.data()));
  }
}

}  // namespace
}  // namespace pivotlab::lu_complete_test
