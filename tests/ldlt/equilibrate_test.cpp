// SPDX-License-Identifier: BSD-3-Clause
// Symmetric equilibration by powers of two: rows get the same size, only underflow rounds, and underflow is reported.
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "matrices.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pivotlab::equilibrate_test {
namespace {

using namespace test;
using namespace ldlt_detail;
using Complex = std::complex<double>;

template <class T>
std::vector<int> exponents_of(Matrix<T> A, int threads = 0) {
  return equilibrating_exponents<T>(FullTriangle<T>(A.view()), threads);
}

/// S·A·S with S of random powers of two up to 2^±most.
template <class T>
Matrix<T> badly_scaled(Matrix<T> A, int most, std::uint64_t seed) {
  Entries<double> entry(seed);
  std::vector<int> s;
  for (Index i = 0; i < A.rows(); ++i) s.push_back(entry.integer(-most, most));
  scale_symmetrically(A.view(), s);
  return A;
}

template <class T>
std::vector<double> largest_of_rows(const Matrix<T>& A) {
  std::vector<double> largest(static_cast<std::size_t>(A.rows()));
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) largest[i] = std::max(largest[i], static_cast<double>(modulus(A(i, j))));
  return largest;
}

template <class T>
class Equilibration : public testing::Test {};
using Scalars = testing::Types<double, Complex, long double, Quad>;
TYPED_TEST_SUITE(Equilibration, Scalars);

TYPED_TEST(Equilibration, RowMaximaAreNearOne) {
  for (const Structure structure : {Structure::dense, Structure::saddle_point, Structure::graded})
    for (const int most : {0, 20, 150, 480}) {
      auto A = badly_scaled(structured<TypeParam>(structure, 40, 3), most, 7);
      scale_symmetrically(A.view(), exponents_of(A));
      for (const double largest : largest_of_rows(A)) {
        EXPECT_GT(largest, 1.0 / 32);
        EXPECT_LT(largest, 8);
      }
    }
}

TYPED_TEST(Equilibration, RoundsNothingUnlessAnElementUnderflows) {
  const auto A = badly_scaled(structured<TypeParam>(Structure::saddle_point, 30, 5), 100, 11);
  auto B = A;
  std::vector<int> s = exponents_of(A);
  EXPECT_EQ(scale_symmetrically(B.view(), s), RealOf<TypeParam>(0));
  for (int& x : s) x = -x;
  EXPECT_EQ(scale_symmetrically(B.view(), s), RealOf<TypeParam>(0));
  for (Index i = 0; i < A.size(); ++i) EXPECT_EQ(A.data()[i], B.data()[i]);
}

TYPED_TEST(Equilibration, IsTheSameInEveryStorage) {
  const auto A = badly_scaled(structured<TypeParam>(Structure::sparse, 50, 2), 60, 13);
  auto packed = pack<TypeParam>(A, InputTriangle::lower);
  const std::vector<int> s = equilibrating_exponents<TypeParam>(packed);
  EXPECT_EQ(s, exponents_of(A));
  scale_symmetrically<TypeParam>(packed, s);
  const auto from_packed = unpack(packed);
  auto whole = A, lower = A;
  scale_symmetrically(whole.view(), s);
  FullTriangle<TypeParam> triangle(lower.view());
  scale_symmetrically<TypeParam>(triangle, s);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      EXPECT_EQ(whole(i, j), from_packed(i, j));
      if (i >= j) {
        EXPECT_EQ(whole(i, j), lower(i, j));
      }
    }
}

TEST(EquilibrationOf, LargeMatricesHasTheSameBitsForAnyNumberOfThreads) {
  const auto A = badly_scaled(structured<Complex>(Structure::dense, 300, 1), 200, 3);
  const std::vector<int> s = exponents_of(A, 1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(exponents_of(A, threads), s);
}

TEST(EquilibrationOf, APermutedMatrixIsThePermutedOne) {
  const auto A = badly_scaled(structured<double>(Structure::saddle_point, 60, 9), 50, 4);
  std::vector<Index> rows(60);
  std::iota(rows.begin(), rows.end(), Index(0));
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(1));
  const auto B = from_lower<double>(60, [&](Index i, Index j) { return A(rows[i], rows[j]); });
  const std::vector<int> of_a = exponents_of(A), of_b = exponents_of(B);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(of_b[i], of_a[rows[i]]);
}

TEST(EquilibrationOf, AMatrixWithRowsOfZerosLeavesTheseAlone) {
  EXPECT_EQ(exponents_of(Matrix<double>(0, 0)), std::vector<int>{});
  EXPECT_EQ(exponents_of(Matrix<double>(3, 3)), (std::vector<int>{0, 0, 0}));
  Matrix<double> A(3, 3);
  A(0, 2) = A(2, 0) = 0x1p40;
  EXPECT_EQ(exponents_of(A), (std::vector<int>{-20, 0, -20}));
}

TEST(EquilibrationOf, TheWholeRangeOfDoublesStaysFinite) {
  for (const double extreme : {1e300, 1e-300, 0x1p-1074, 0x1.fffffffffffffp1023}) {
    Matrix<double> A(4, 4);
    A(0, 0) = extreme, A(1, 1) = 1 / std::max(extreme, 1e-300), A(2, 3) = A(3, 2) = extreme, A(3, 3) = 1e-308;
    scale_symmetrically(A.view(), exponents_of(A));
    for (const double largest : largest_of_rows(A)) {
      EXPECT_GE(largest, 0.25) << extreme;
      EXPECT_LE(largest, 4) << extreme;
    }
  }
}

TEST(EquilibrationOf, ElementsThatUnderflowAreCountedInABoundOnWhatWasChanged) {
  Matrix<double> A(3, 3);
  A(0, 0) = A(1, 1) = 0x1p1000, A(2, 2) = 1;
  A(0, 1) = A(1, 0) = 0x1.3456789abcdefp-50;  // 2⁻¹⁰⁵⁰ of the diagonal: a few bits are left
  A(0, 2) = A(2, 0) = 0x1p-1074;              // no bit is left
  auto B = A;
  const std::vector<int> s = exponents_of(A);
  EXPECT_EQ(s, (std::vector<int>{-500, -500, 0}));
  FullTriangle<double> triangle(B.view());
  const double bound = scale_symmetrically<double>(triangle, s);
  Quad squares(0);
  for (Index j = 0; j < 3; ++j)
    for (Index i = j; i < 3; ++i) {
      const Quad change = Quad(B(i, j)) - times_power_of_two(Quad(A(i, j)), s[i] + s[j]);
      squares += (i == j ? 1 : 2) * change * change;
    }
  EXPECT_GT(squares, 0);
  EXPECT_GE(Quad(bound), sqrt(squares));
  EXPECT_LE(bound, 0x1p-1070);
}

}  // namespace
}  // namespace pivotlab::equilibrate_test
