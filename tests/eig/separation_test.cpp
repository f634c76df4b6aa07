// SPDX-License-Identifier: BSD-3-Clause
// Matrices with eigenvalues of very different sizes: each is as accurate as its own block allows, not relative to ‖A‖.
#include "kernels/eig/host/separation.hpp"
#include "device.hpp"
#include "matrices.hpp"
#include "measures.hpp"

#include <gtest/gtest.h>
#include <pivotlab/generate.hpp>

#include <cmath>
#include <random>

namespace pivotlab::separation_test {
namespace {

using namespace test;
using Separation = eig_detail::Separation<double>;

EigResult<double> solved(const Matrix<Complex>& A, const char* variant, Backend backend = Backend::host) {
  EigOptions options = everything(variant, backend);
  return eig<Complex>(A, options);
}

/// max|Δλ|/|λ|, eigenvalues in the order of their moduli.
double largest_relative_error(const Matrix<Complex>& A, const EigResult<double>& result) {
  const auto truth = extended_eigenvalues<Complex>(A, 1);
  double largest = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Complex& x : result.eigenvalues) {
      const QuadComplex difference(Quad(x.real()) - truth[k].real(), Quad(x.imag()) - truth[k].imag());
      nearest = std::min(nearest, static_cast<double>(Quad(sqrt(squared_magnitude(difference)))));
    }
    largest = std::max(largest, nearest / static_cast<double>(Quad(sqrt(squared_magnitude(truth[k])))));
  }
  return largest;
}

/// D·(20·I + K)·D with small integers in K, D of powers of two of a few very different sizes, then a diagonal
/// similarity and a permutation: relative changes of elements change eigenvalues by as much.
Matrix<Complex> graded(Index n, int step, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto integer = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  std::vector<int> size, similarity;
  std::vector<Index> row;
  for (Index i = 0; i < n; ++i) {
    size.push_back(step * integer(0, 3)), similarity.push_back(integer(-30, 30)), row.push_back(i);
  }
  std::ranges::shuffle(row, random);
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Complex x(i == j ? 20 : integer(-2, 2), integer(-2, 2));
      A(row[i], row[j]) = times_power_of_two(x, size[i] + size[j] + similarity[i] - similarity[j]);
    }
  return A;
}

TEST(EigSeparation, FindsTheSmallRootsBesideAHugeOne) {
  Matrix<Complex> A(3, 3);  // x³ − 1.25e17·x² − 5·x + 12.5
  A(0, 0) = 1.25e17, A(0, 1) = 5, A(0, 2) = -12.5, A(1, 0) = A(2, 1) = 1;
  for (const char* variant : {"ZEIG-(RR);b=16;finish", "ZEIG-(RR);b=16", "ZEIG-(ME);fused", "ZEIG-(MM)"}) {
    const auto result = solved(A, variant);
    EXPECT_NEAR(result.eigenvalues[0].real(), 1.25e17, 100) << variant;
    EXPECT_NEAR(result.eigenvalues[1].real(), -1.000000002e-8, 1e-17) << variant;
    EXPECT_NEAR(result.eigenvalues[2].real(), 9.99999998e-9, 1e-17) << variant;
    EXPECT_NEAR(result.conditions[1], 5e7, 1e3) << variant;  // of A, not of the balanced matrix
    EXPECT_LE(right_residual(A, result), 1e-15);
    EXPECT_LE(left_residual(A, result), 1e-15);
    EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-15);
  }
}

TEST(EigSeparation, TriangularMatricesInAnyOrderShowTheirEigenvalues) {
  for (const Backend backend : {Backend::host, Backend::emulation})
    for (const std::vector<Index>& row : {std::vector<Index>{3, 2, 1, 0}, {1, 3, 0, 2}}) {
      Matrix<Complex> A(4, 4);
      const double diagonal[] = {5, 7e-12, 3e15, 7e-15};
      for (Index j = 0; j < 4; ++j) {
        A(row[j], row[j]) = diagonal[j];
        for (Index i = 0; i < j; ++i) A(row[i], row[j]) = Complex(1e21, -3e20);
      }
      const auto result = solved(A, "ZEIG-(RR);b=16;finish", backend);
      EXPECT_EQ(result.status, Status::passed) << result.message;
      EXPECT_EQ(result.eigenvalues, (std::vector<Complex>{3e15, 5, 7e-12, 7e-15}));
      EXPECT_LE(right_residual(A, result), 1e-15);
      EXPECT_LE(left_residual(A, result), 1e-15);
      EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-15);
    }
}

TEST(EigSeparation, FindsTheRootsOfACompanionMatrixBesideAHugeOne) {
  // The columns of Y become nonzero one after the other.
  Matrix<Complex> A(6, 6);
  const double roots[] = {1.5e15, 91, 48, -17, -15, 1};
  const double column[] = {1.5e15, -1.62e17, 4.23e17, 1.56234e20, 1.5142635e21, -1.67076e21};
  for (Index i = 0; i < 6; ++i) {
    A(i, 0) = column[i];
    if (i < 5) A(i, i + 1) = 1;
  }
  const auto result = solved(A, "ZEIG-(RR);b=16;finish");
  for (int k = 0; k < 6; ++k) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Complex& x : result.eigenvalues) nearest = std::min(nearest, std::abs(x - roots[k]));
    EXPECT_LE(nearest, 1e-11 * std::abs(roots[k])) << roots[k];
  }
}

TEST(EigSeparation, KeepsRelativeAccuracyOfRandomGradedMatrices) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Matrix<Complex> A = graded(2 + seed % 7, 10 + static_cast<int>(seed % 40), seed);
    const char* const variants[] = {"ZEIG-(RR);b=16;finish", "ZEIG-(ME);fused;finish", "ZEIG-(RR);b=16;refine;finish"};
    const auto result = solved(A, variants[seed % 3]);
    ASSERT_EQ(result.status, Status::passed);
    ASSERT_LE(largest_relative_error(A, result), 2e-13) << seed;
    const double limit = 10 * static_cast<double>(A.cols()) * std::numeric_limits<double>::epsilon();
    ASSERT_LE(right_residual(A, result), limit) << seed;
    ASSERT_LE(left_residual(A, result), limit) << seed;
    ASSERT_LE(similarity_residual(A, result.T, result.E), limit) << seed;
    for (Index k = 0; k < A.cols() && seed % 3 != 2; ++k)  // refined eigenvalues are not those of T
      ASSERT_EQ(result.T(result.positions[k], result.positions[k]), result.eigenvalues[k]) << seed;
  }
}

TEST(EigSeparation, IsThatOfTheDevicesKernelsAndOfBatches) {
  const Matrix<Complex> A = graded(6, 40, 3);
  EXPECT_LE(largest_relative_error(A, solved(A, "ZEIG-(RR);fused", Backend::emulation)), 2e-13);
  Matrix<Complex> both(6, 12);
  std::ranges::copy_n(A.data(), 36, both.data()), std::ranges::copy_n(gaussian(6, 1).data(), 36, both.data() + 36);
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    const auto results = eig_batched<Complex>(both, everything("ZEIG-(RR);fused", backend));
    EXPECT_LE(largest_relative_error(A, results[0]), 2e-13);
    const auto alone = solved(gaussian(6, 1), "ZEIG-(RR);fused", backend);
    for (std::size_t k = 0; k < 6; ++k)  // on the host even with the same bits
      EXPECT_LE(std::abs(results[1].eigenvalues[k] - alone.eigenvalues[k]), backend == Backend::host ? 0 : 1e-13);
  }
}

TEST(EigSeparation, LeavesMatricesOfOneSizeAsTheyAre) {
  for (unsigned seed = 0; seed < 50; ++seed) EXPECT_FALSE(Separation::of(gaussian(1 + seed, seed))) << seed;
  EXPECT_FALSE(Separation::of(Matrix<Complex>(3, 3)));
  EXPECT_FALSE(Separation::of(graded(8, 0, 1)));  // balancing suffices
}

TEST(EigSeparation, HoldsNearTheEndsOfTheRange) {
  for (const int exponent : {-900, 0, 650}) {
    Matrix<Complex> A = graded(5, 40, 7);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], exponent);
    EXPECT_LE(largest_relative_error(A, solved(A, "ZEIG-(RR);b=16;finish")), 2e-13) << exponent;
  }
}

}  // namespace
}  // namespace pivotlab::separation_test
