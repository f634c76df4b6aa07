// SPDX-License-Identifier: BSD-3-Clause
// Averaging of the triangles: what differs by rounding is made symmetric, everything else stays as it is.
#include <pivotlab/symmetrize.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>

namespace pivotlab::symmetrize_test {
namespace {

using Complex = std::complex<double>;

Matrix<double> product_with_transpose(Index n) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  Matrix<double> B(n, n), A(n, n);
  std::vector<double> d;
  for (Index i = 0; i < B.size(); ++i) B.data()[i] = normal(generator);
  for (Index k = 0; k < n; ++k) d.push_back(normal(generator));
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < n; ++i) A(i, j) += B(i, k) * d[static_cast<std::size_t>(k)] * B(j, k);  // (b·d)·b
  return A;
}

TEST(Symmetrize, AveragesNearlySymmetricProduct) {
  const Matrix<double> before = product_with_transpose(60);
  Matrix<double> A = before;
  const Symmetrization changed = symmetrize(A);
  EXPECT_GT(changed.elements, 100);
  EXPECT_GT(changed.ulps, 0);
  EXPECT_LE(changed.ulps, symmetrizable_ulps);
  for (Index j = 0; j < 60; ++j)
    for (Index i = j; i < 60; ++i) {
      EXPECT_EQ(A(i, j), A(j, i));
      EXPECT_GE(A(i, j), std::min(before(i, j), before(j, i)));
      EXPECT_LE(A(i, j), std::max(before(i, j), before(j, i)));
    }
}

TEST(Symmetrize, TheTransposeHasTheSameAverages) {
  constexpr double least = std::numeric_limits<double>::denorm_min();
  Matrix<double> A(2, 2), B(2, 2);
  A(0, 0) = B(0, 0) = A(1, 1) = B(1, 1) = 1;
  A(1, 0) = B(0, 1) = least;
  EXPECT_EQ(symmetrize(A).elements, 1);
  symmetrize(B);
  EXPECT_EQ(A(1, 0), B(1, 0));
}

TEST(Symmetrize, LeavesASymmetricMatrixAsItIs) {
  Matrix<Complex> A(3, 3);
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) A(i, j) = Complex(0.1 * static_cast<double>(i + j), 0.3 * static_cast<double>(i - j));
  const Matrix<Complex> before = A;
  EXPECT_EQ(symmetrize(A).elements, 0);
  EXPECT_TRUE(std::equal(A.data(), A.data() + A.size(), before.data()));
}

TEST(Symmetrize, MakesTheDiagonalOfAHermitianMatrixReal) {
  Matrix<Complex> A(2, 2);
  A(0, 0) = {3, 0x1p-53}, A(1, 1) = 1, A(1, 0) = {1, 2}, A(0, 1) = {1, -2};
  const Symmetrization changed = symmetrize(A);
  EXPECT_EQ(changed.elements, 1);
  EXPECT_EQ(changed.row, 0);
  EXPECT_EQ(A(0, 0), Complex(3, 0));
  EXPECT_EQ(symmetrize(A, Symmetry::symmetric).elements, 0);  // and is not symmetric
  EXPECT_EQ(A(0, 1), Complex(1, -2));
}

TEST(Symmetrize, LeavesWhatIsNotRoundingAsItIs) {
  for (const double error : {8.5, 1e3, 1e16}) {
    Matrix<double> A(2, 2);
    A(0, 0) = A(1, 1) = 1, A(1, 0) = 1, A(0, 1) = 1 - error * 0x1p-52;
    EXPECT_EQ(symmetrize(A).elements, 0) << error;
    EXPECT_NE(A(1, 0), A(0, 1));
  }
}

TEST(Symmetrize, DoesNotJudgeASmallBlockByALargeOne) {
  Matrix<double> A(3, 3);
  A(0, 0) = 1e20, A(1, 2) = 1, A(2, 1) = -1;
  EXPECT_EQ(symmetrize(A).elements, 0);
  EXPECT_EQ(A(1, 2), 1);
}

TEST(Symmetrize, NeitherOverflowsNorLosesSubnormalNumbers) {
  const double top = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  Matrix<double> A(2, 2);
  A(1, 0) = top, A(0, 1) = std::nextafter(top, 0);
  EXPECT_EQ(symmetrize(A).elements, 1);
  EXPECT_TRUE(std::isfinite(A(1, 0)));
  A(1, 0) = least, A(0, 1) = least;
  EXPECT_EQ(symmetrize(A).elements, 0);
  EXPECT_EQ(A(0, 1), least);
}

TEST(IsSymmetric, FindsEveryElementThatDiffersFromTheOneAcross) {
  constexpr Index n = 130;  // more than two tiles
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = {static_cast<double>(i + j), i < j ? -1.0 : i == j ? 0.0 : 1.0};
  EXPECT_TRUE(is_symmetric<Complex>(A));
  EXPECT_FALSE(is_symmetric<Complex>(A, Symmetry::symmetric));
  for (const auto& [i, j] :
       {std::pair<Index, Index>{0, 0}, {1, 0}, {0, 1}, {64, 63}, {63, 64}, {129, 0}, {5, 128}, {129, 129}}) {
    const Complex given = A(i, j);
    A(i, j) += Complex(0, 1e-12);
    EXPECT_FALSE(is_symmetric<Complex>(A)) << i << ", " << j;
    A(i, j) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(is_symmetric<Complex>(A)) << i << ", " << j;
    A(i, j) = given;
  }
  EXPECT_TRUE(is_symmetric<double>(Matrix<double>(0, 0)));
}

}  // namespace
}  // namespace pivotlab::symmetrize_test
