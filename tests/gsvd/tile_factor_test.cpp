// SPDX-License-Identifier: BSD-3-Clause
// The three algorithms for a tile's square factor: RᴴR is the Gram matrix, and a lost pivot is reported. The product
// of a tile's columns with its transformation.
#include "kernels/gsvd/host/tile_factor.hpp"
#include "kernels/gsvd/host/tile_columns.hpp"

#include <gtest/gtest.h>

#include <random>

namespace pivotlab::tile_factor_test {
namespace {

template <class T>
Matrix<T> random_matrix(Index m, Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<T> A(m, n);
  for (Index i = 0; i < A.size(); ++i) {
    if constexpr (is_complex<T>)
      A.data()[i] = T(RealOf<T>(normal(generator)), RealOf<T>(normal(generator)));
    else
      A.data()[i] = T(normal(generator));
  }
  return A;
}

template <class T>
class TileFactorTest : public testing::Test {
 public:
  static double roundoff() { return static_cast<double>(unit_roundoff<RealOf<T>>()); }
  // Products by coefficients: Eigen's blocked ones take seconds to compile for each of five scalars.
  static Matrix<T> gram(const Matrix<T>& Y) {
    Matrix<T> A(Y.cols(), Y.cols());
    as_eigen(A.view()) = as_eigen(Y.view()).adjoint().lazyProduct(as_eigen(Y.view()));
    return A;
  }
  static double distance(const Matrix<T>& factor, const Matrix<T>& gram) {
    const auto R = as_eigen(factor.view());
    const EigenMatrix<T> difference = R.adjoint().lazyProduct(R) - as_eigen(gram.view());
    return static_cast<double>(RealOf<T>(difference.norm() / as_eigen(gram.view()).norm()));
  }
};
using Scalars = testing::Types<double, std::complex<double>, long double, Quad, std::complex<Quad>>;
TYPED_TEST_SUITE(TileFactorTest, Scalars);

TYPED_TEST(TileFactorTest, CholeskyOfGramMatrix) {
  const auto gram = this->gram(random_matrix<TypeParam>(60, 32, 1));
  auto R = gram;
  ASSERT_GT(cholesky<TypeParam>(R), 1e-3);
  EXPECT_LE(this->distance(R, gram), 32 * this->roundoff());
  for (Index j = 0; j < 32; ++j)
    for (Index i = j + 1; i < 32; ++i) ASSERT_EQ(R(i, j), TypeParam(0));
}

TYPED_TEST(TileFactorTest, PivotedCholeskyFactorsTheGramMatrix) {
  const auto gram = this->gram(random_matrix<TypeParam>(60, 32, 2));
  auto R = gram;
  ASSERT_GT(pivoted_cholesky<TypeParam>(R), 1e-3);
  EXPECT_LE(this->distance(R, gram), 32 * this->roundoff());
}

TYPED_TEST(TileFactorTest, QrFactorOfDecoupledColumnsHasTheirElements) {
  Matrix<TypeParam> Y(9, 4), R(4, 4);
  for (Index j = 0; j < 4; ++j) Y(2 * j, j) = TypeParam(RealOf<TypeParam>(j + 1));
  EXPECT_EQ((qr_factor<TypeParam>(Y, R)), RealOf<TypeParam>(1));
  for (Index j = 0; j < 4; ++j)
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(R(i, j), i == j ? Y(2 * j, j) : TypeParam(0));
}

TYPED_TEST(TileFactorTest, QrFactorHasTheGramMatrix) {
  const auto Y = random_matrix<TypeParam>(60, 32, 3);
  Matrix<TypeParam> R(32, 32);
  qr_factor<TypeParam>(Y.view(), R);
  EXPECT_LE(this->distance(R, this->gram(Y)), 64 * this->roundoff());
}

TYPED_TEST(TileFactorTest, DependentColumnsAreReportedAndLeftToQr) {
  auto Y = random_matrix<TypeParam>(60, 8, 4);
  for (Index i = 0; i < 60; ++i) Y(i, 7) = Y(i, 0) + Y(i, 3);
  auto R = this->gram(Y);
  EXPECT_EQ(cholesky<TypeParam>(R), 0);
  R = this->gram(Y);
  EXPECT_EQ(pivoted_cholesky<TypeParam>(R), 0);
  EXPECT_EQ(qr_factor<TypeParam>(Y.view(), R), 0);
  EXPECT_LE(this->distance(R, this->gram(Y)), 64 * this->roundoff());
}

TYPED_TEST(TileFactorTest, NotANumberIsReported) {
  auto R = this->gram(random_matrix<TypeParam>(60, 8, 5));
  R(3, 3) = TypeParam(std::numeric_limits<RealOf<TypeParam>>::quiet_NaN());
  auto P = R;
  EXPECT_EQ(cholesky<TypeParam>(R), 0);
  EXPECT_EQ(pivoted_cholesky<TypeParam>(P), 0);
}

TEST(QrFactor, KeepsTheRelativeAccuracyOfBadlyScaledRows) {
  // D·B with D from 1e-12 to 1e12: the factor's columns must be as good as quad's, relative to each column.
  constexpr Index m = 24, k = 8;
  auto Y = random_matrix<double>(m, k, 6);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < m; ++i) Y(i, j) *= std::pow(10.0, -12.0 + 24.0 * static_cast<double>(i) / (m - 1));
  Matrix<double> R(k, k);
  qr_factor<double>(Y.view(), R);
  Matrix<Quad> exact_y(m, k), exact(k, k);
  for (Index i = 0; i < Y.size(); ++i) exact_y.data()[i] = Quad(Y.data()[i]);
  qr_factor<Quad>(exact_y.view(), exact);
  // R is unique up to signs of rows; the smallest row carries what a plain QR loses.
  for (Index i = 0; i < k; ++i) {
    const double sign = (R(i, 0) < 0) == (exact(i, 0) < 0) ? 1 : -1;
    double row = 0, error = 0;
    for (Index j = 0; j < k; ++j) {
      row = std::max(row, std::abs(static_cast<double>(exact(i, j))));
      error = std::max(error, std::abs(sign * R(i, j) - static_cast<double>(exact(i, j))));
    }
    EXPECT_LE(error, 1e-13 * row) << "row " << i;
  }
}

/// Computes in place the columns of a tile of three blocks, and compares the bits with those of a gathered copy, which
/// has the leading dimension of the tile's panels: Eigen's small products depend on it.
template <class T>
void expect_bits_of_a_copy(Index rows, Index width) {
  Matrix<T> Y = random_matrix<T>(rows, 3 * width, 5);
  const Matrix<T> Z = random_matrix<T>(2 * width, 2 * width, 6);
  Matrix<T> expected = Y, panel(256, 2 * width), product(256, 2 * width);
  for (Index row = 0; row < rows; row += 256) {
    const Index count = std::min<Index>(256, rows - row);
    const auto each = [&](const auto& action) {
      for (Index j = 0; j < 2 * width; ++j)
        for (Index i = 0; i < count; ++i) action(i, j, expected(row + i, j < width ? j : j + width));
    };
    each([&](Index i, Index j, const T& y) { panel(i, j) = y; });
    const auto in = [&](Matrix<T>& A) { return A.view().block(0, 0, count, 2 * width); };
    multiply<T>(in(product), in(panel), Z);
    each([&](Index i, Index j, T& y) { y = product(i, j); });
  }
  TileColumns<T>(width).multiply(Y, 0, 2 * width, Z);
  for (Index i = 0; i < Y.size(); ++i)
    ASSERT_EQ(Y.data()[i], expected.data()[i]) << rows << " rows, width " << width << ", element " << i;
}

TEST(TileColumnsTest, ProductInPlaceHasTheBitsOfACopy) {
  for (const Index width : {2, 8, 9, 16, 32})
    for (const Index rows : {1, 2, 3, 7, 13, 64, 255, 256, 257, 500}) {
      expect_bits_of_a_copy<double>(rows, width);
      expect_bits_of_a_copy<std::complex<double>>(rows, width);
    }
}

}  // namespace
}  // namespace pivotlab::tile_factor_test
