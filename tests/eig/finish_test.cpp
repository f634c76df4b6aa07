// SPDX-License-Identifier: BSD-3-Clause
// Variants with `finish`: accurate pairs of matrices on which sweeps stagnate, or take E to the edge of singularity.
#include "application_matrices.hpp"
#include "device.hpp"

#include <gtest/gtest.h>

namespace pivotlab::finish_test {
namespace {

using namespace test;

const char* const without = "ZEIG-(RR);b=16";
const char* const with_finish = "ZEIG-(RR);b=16;finish";

EigOptions right_and_form(const char* variant) {
  EigOptions options{.variant = parse_eig_variant(variant)};
  options.triangular_form = true;
  return options;
}

/// LAPACK's ratios of its tests, ‖A·V − V·Λ‖_F/(n·ε·‖A‖_F) and those of W and E, the largest; infinity where columns of
/// V or W are not of unit norm.
double ratio(const Matrix<Complex>& A, const EigResult<double>& result) {
  double worst = right_residual(A, result);
  if (result.W.cols() > 0) worst = std::max(worst, left_residual(A, result));
  if (result.E.cols() > 0) worst = std::max(worst, similarity_residual(A, result.T, result.E));
  for (const auto* X : {&result.V, &result.W})
    for (Index k = 0; k < X->cols(); ++k)
      if (std::abs(dense(*X).col(k).norm() - 1) > 1e-14) return std::numeric_limits<double>::infinity();
  return worst / (double(A.rows()) * std::numeric_limits<double>::epsilon());
}

std::vector<TestMatrix> hard_matrices() {
  return {redheffer(24), wing(20), lesp(32), involution(12), sampling(20), chow(60), rank_one(12, 2), rank_one(9, 3)};
}

// 30: LAPACK's threshold. Without finish all of these fail by it, or do not converge.
TEST(EigFinish, MakesPairsOfHardMatricesAccurate) {
  for (const TestMatrix& matrix : hard_matrices()) {
    SCOPED_TRACE(matrix.name);
    const auto before = eig<Complex>(matrix.A, everything(without, Backend::host));
    EXPECT_TRUE(before.status == Status::not_converged || ratio(matrix.A, before) > 30) << ratio(matrix.A, before);
    EXPECT_FALSE(before.finished);
    const auto after = eig<Complex>(matrix.A, everything(with_finish, Backend::host));
    EXPECT_EQ(after.status, Status::passed) << after.message;
    EXPECT_TRUE(after.finished);
    EXPECT_LE(ratio(matrix.A, after), 10);
    for (const double condition : after.conditions) EXPECT_GE(condition, 1);
    const auto right_alone = eig<Complex>(matrix.A, right_and_form(with_finish));
    EXPECT_EQ(right_alone.status, Status::passed);
    EXPECT_LE(ratio(matrix.A, right_alone), 10);
  }
}

TEST(EigFinish, LeavesAccuratePairsAsTheyAre) {
  for (const TestMatrix& matrix : {TestMatrix{"Gaussian", gaussian(50, 1)}, hermitian(33, 2), cyclic_shift(24),
                                   companion(32, 3), badly_scaled(24, 20, 4)}) {
    SCOPED_TRACE(matrix.name);
    const auto expected = eig<Complex>(matrix.A, everything(without, Backend::host));
    const auto result = eig<Complex>(matrix.A, everything(with_finish, Backend::host));
    EXPECT_FALSE(result.finished);
    EXPECT_EQ(result.eigenvalues, expected.eigenvalues);
    EXPECT_EQ(dense(result.V), dense(expected.V));
    EXPECT_EQ(dense(result.W), dense(expected.W));
    EXPECT_EQ(dense(result.E), dense(expected.E));
  }
}

TEST(EigFinish, IsOfUnitaryTransformations) {
  EigOptions options = everything("ZEIG-(RR);b=16;balance=off;finish", Backend::host);
  const TestMatrix matrix = redheffer(24);
  const auto result = eig<Complex>(matrix.A, options);
  ASSERT_TRUE(result.finished);
  EXPECT_LE((dense_product<Complex>(adjoint(result.E), result.E) - Eigen::MatrixXcd::Identity(24, 24)).norm(), 1e-13);
  for (Index j = 0; j < 24; ++j)
    for (Index i = j + 1; i < 24; ++i) EXPECT_EQ(result.T(i, j), 0.0);
}

TEST(EigFinish, EndsSweepsThatStagnate) {
  int stagnating = 0;  // which matrices stagnate depends on the last bits, and so on the build
  for (int seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const TestMatrix matrix = rank_one(12, seed);
    const auto before = eig<Complex>(matrix.A, everything(without, Backend::host));
    if (before.status == Status::passed) continue;
    ++stagnating;
    const auto after = eig<Complex>(matrix.A, everything(with_finish, Backend::host));
    EXPECT_EQ(after.status, Status::passed);
    EXPECT_LT(after.sweeps(), 60);
    EXPECT_EQ(std::ssize(after.history), after.sweeps() + 1);
    for (std::size_t k = 0; k < after.history.size(); ++k) EXPECT_EQ(after.history[k].norm, before.history[k].norm);
  }
  EXPECT_GT(stagnating, 0);
}

TEST(EigFinish, TakesTheIterateAfterTheLastSweepAllowed) {
  const Matrix<Complex> A = gaussian(40, 1);
  for (const int sweeps : {0, 3}) {
    EigOptions options = everything(with_finish, Backend::host);
    options.max_sweeps = sweeps;
    const auto result = eig<Complex>(A, options);
    EXPECT_EQ(result.status, Status::passed);
    EXPECT_EQ(result.sweeps(), sweeps);
    EXPECT_TRUE(result.finished);
    EXPECT_LE(ratio(A, result), 10);
    if (sweeps > 0) continue;
    const Eigen::MatrixXcd upper = dense(result.T).triangularView<Eigen::StrictlyUpper>();
    EXPECT_NEAR(result.history.back().departure, upper.norm(), 1e-12 * upper.norm());  // with the λ of T
  }
}

TEST(EigFinish, BitsDependOnNoThreads) {
  const TestMatrix matrix = redheffer(24);
  EigOptions options = everything(with_finish, Backend::host);
  options.threads = 1;
  const auto expected = eig<Complex>(matrix.A, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const auto result = eig<Complex>(matrix.A, options);
    EXPECT_EQ(result.eigenvalues, expected.eigenvalues);
    EXPECT_EQ(dense(result.V), dense(expected.V));
    EXPECT_EQ(dense(result.W), dense(expected.W));
    EXPECT_EQ(dense(result.T), dense(expected.T));
  }
}

TEST(EigFinish, IsThatOfEveryFormAndOddOrder) {
  for (const char* variant : {"ZEIG-(RR);finish", "ZEIG-(ME);fused;finish", "ZEIG-(MM);b=8;refine;finish"})
    for (const TestMatrix& matrix : {wing(21), lesp(33), rank_one(9, 3)}) {
      SCOPED_TRACE(std::string(variant) + " " + matrix.name);
      const auto result = eig<Complex>(matrix.A, everything(variant, Backend::host));
      EXPECT_EQ(result.status, Status::passed);
      EXPECT_LE(ratio(matrix.A, result), 10);
    }
}

TEST(EigFinish, FollowsTheDevicesKernels) {
  for (const TestMatrix& matrix : {redheffer(24), wing(20), lesp(32), rank_one(12, 2)}) {
    SCOPED_TRACE(matrix.name);
    const auto result = eig<Complex>(matrix.A, everything(with_finish, Backend::emulation));
    EXPECT_EQ(result.status, Status::passed);
    EXPECT_LE(ratio(matrix.A, result), 10);
  }
}

TEST(EigFinish, IsThatOfBatchesToo) {
  const Index n = 9, count = 4;
  Matrix<Complex> all(n, n * count);
  for (Index k = 0; k < count; ++k) {
    const Matrix<Complex> one = rank_one(n, static_cast<unsigned>(k + 1)).A;
    std::copy_n(one.data(), one.size(), all.data() + k * n * n);
  }
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    const auto results = eig_batched<Complex>(all, everything(with_finish, backend));
    ASSERT_EQ(std::ssize(results), count);
    for (Index k = 0; k < count; ++k) {
      const auto& result = results[static_cast<std::size_t>(k)];
      EXPECT_EQ(result.status, Status::passed);
      EXPECT_LE(ratio(Matrix<Complex>(all.view().cols_range(k * n, n)), result), 10);
    }
  }
}

TEST(EigFinish, UnusedForTriangularMatrices) {
  EXPECT_TRUE(eig<Complex>(Matrix<Complex>(0, 0), everything(with_finish, Backend::host)).eigenvalues.empty());
  Matrix<Complex> triangular = gaussian(20, 3);
  for (Index j = 0; j < 20; ++j)
    for (Index i = j + 1; i < 20; ++i) triangular(i, j) = 0;
  const auto result = eig<Complex>(triangular, everything(with_finish, Backend::host));
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(dense(result.E), Eigen::MatrixXcd::Identity(20, 20));
}

}  // namespace
}  // namespace pivotlab::finish_test
