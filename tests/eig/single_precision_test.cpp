// SPDX-License-Identifier: BSD-3-Clause
// The first sweeps of the blocked form are in single precision: results are as accurate as without them, and the method
// restarts without their results if they do not converge.
#include "measures.hpp"

#include <gtest/gtest.h>

namespace pivotlab::single_precision_test {
namespace {

using namespace test;

EigOptions right_alone(const char* name) {
  return {.variant = parse_eig_variant(name), .triangular_form = true};
}

/// With left vectors all sweeps are of double precision.
EigResult<double> in_double_precision(const Matrix<Complex>& A, const char* name) {
  return eig<Complex>(A, {.variant = parse_eig_variant(name), .left_vectors = true});
}

const char* const forms[] = {"ZEIG-(RR);b=8", "ZEIG-(ME);b=16", "ZEIG-(MM);b=32", "ZEIG-(RR);b=16;exponent=0.25"};

TEST(EigInSinglePrecision, BeginsDecompositionsOfEveryOrder) {
  for (const Index n : {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 40, 47, 64, 65, 130})
    for (const char* name : forms) {
      SCOPED_TRACE(std::string(name) + " n = " + std::to_string(n));
      const Matrix<Complex> A = gaussian(n, static_cast<unsigned>(n));
      const auto result = eig<Complex>(A, right_alone(name));
      ASSERT_EQ(result.status, Status::passed);
      EXPECT_LE(right_residual(A, result), 1e-13);
      EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-14);
      EXPECT_EQ(std::ssize(result.history), result.sweeps() + 1);
    }
}

TEST(EigInSinglePrecision, BitsDependOnNoThreads) {
  const Matrix<Complex> A = gaussian(83, 6);
  EigOptions options = right_alone("ZEIG-(RR);b=16");
  options.threads = 1;
  const auto expected = eig<Complex>(A, options);
  EXPECT_NE(expected.eigenvalues, in_double_precision(A, "ZEIG-(RR);b=16").eigenvalues);
  for (const int threads : {2, 3, 5}) {
    options.threads = threads;
    const auto result = eig<Complex>(A, options);
    EXPECT_EQ(result.eigenvalues, expected.eigenvalues);
    EXPECT_EQ(dense(result.V), dense(expected.V));
    EXPECT_EQ(dense(result.T), dense(expected.T));
    EXPECT_EQ(dense(result.E), dense(expected.E));
  }
}

TEST(EigInSinglePrecision, CountsAmongTheSweeps) {
  const Matrix<Complex> A = gaussian(60, 1);
  EigOptions options = right_alone("ZEIG-(RR);b=8");
  const int sweeps = eig<Complex>(A, options).sweeps();
  for (options.max_sweeps = 0; options.max_sweeps < sweeps; ++options.max_sweeps) {
    const auto result = eig<Complex>(A, options);
    EXPECT_EQ(result.status, Status::not_converged);
    EXPECT_EQ(result.sweeps(), options.max_sweeps);
    EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-14);
    for (std::size_t k = 1; k < result.history.size(); ++k)
      EXPECT_LE(result.history[k].norm, result.history[k - 1].norm);
  }
}

TEST(EigInSinglePrecision, DiscardsIllConditionedSimilarity) {
  for (const TestMatrix& matrix :
       {grcar(64), defective(16, 1), noisy_jordan(32, 1e-8, 1), with_condition("kappa = 1e6", 48, 1e6, 1)}) {
    SCOPED_TRACE(matrix.name);
    EXPECT_EQ(eig<Complex>(matrix.A, right_alone("ZEIG-(RR);b=16")).eigenvalues,
              in_double_precision(matrix.A, "ZEIG-(RR);b=16").eigenvalues);
  }
}

TEST(EigInSinglePrecision, HasNoTroubleWithSmallElements) {
  const TestMatrix scaled = badly_scaled(24, 250, 5);
  Matrix<Complex> graded = gaussian(48, 2);
  for (Index j = 0; j < 48; ++j)
    for (Index i = 0; i < 48; ++i) graded(i, j) *= std::pow(10.0, -double(i + j));
  for (const Matrix<Complex>& A : {scaled.A, graded}) {
    const auto result = eig<Complex>(A, right_alone("ZEIG-(RR);b=8"));
    EXPECT_EQ(result.status, Status::passed);
    EXPECT_LE(right_residual(A, result), 2 * right_residual(A, in_double_precision(A, "ZEIG-(RR);b=8")));
  }
}

}  // namespace
}  // namespace pivotlab::single_precision_test
