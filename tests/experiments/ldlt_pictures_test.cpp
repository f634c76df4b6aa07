// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a matrix at stages of its factorization: the working matrix of the algorithm, shrunk and coded.
#include <gtest/gtest.h>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <array>
#include <bit>
#include <complex>

namespace pivotlab::experiments::ldlt_pictures_test {
namespace {

using nlohmann::json;

Matrix<double> hadamard(Index n) {
  Matrix<double> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = std::popcount(static_cast<unsigned>(i & j)) % 2 == 0 ? 1 : -1;
  return A;
}

/// The lower triangle after that many 1×1 pivots from the top, in place as the source has it.
Matrix<double> eliminated(Matrix<double> A, Index steps) {
  const Index n = A.rows();
  for (Index k = 0; k < steps; ++k)
    for (Index j = k + 1; j < n; ++j) {
      const double c = A(j, k), m = c / A(k, k);
      for (Index i = j; i < n; ++i) A(i, j) -= A(i, k) * m;
    }
  for (Index k = 0; k < steps; ++k)
    for (Index i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < j; ++i) A(i, j) = 0;
  return A;
}

template <class T>
void expect_same(const Matrix<T>& A, const Matrix<T>& B) {
  ASSERT_EQ(A.rows(), B.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) EXPECT_EQ(A(i, j), B(i, j)) << "element (" << i << ", " << j << ")";
}

TEST(WorkingMatrix, IsThatOfTheAlgorithmWhereNothingIsRounded) {
  const Matrix<double> A = hadamard(16);
  const auto f = ldlt<double>(A);
  for (const auto& [stage, steps] : {std::pair(1, 0), {2, 1}, {7, 6}, {15, 14}, {16, 16}})
    expect_same(working_matrix(f, stage), eliminated(A, steps));
}

TEST(WorkingMatrix, HasNoStageBetweenTheRowsOfA2x2Pivot) {
  Matrix<double> A(3, 3);
  A(1, 0) = A(0, 1) = 4;
  A(2, 0) = A(0, 2) = -1;
  A(2, 1) = A(1, 2) = 2;
  A(2, 2) = 2;
  const auto f = ldlt<double>(A);
  ASSERT_EQ(f.stages.size(), 2u);
  ASSERT_EQ(f.permutation, (std::vector<Index>{0, 1, 2}));
  Matrix<double> original(3, 3), last(3, 3);
  for (Index j = 0; j < 3; ++j)
    for (Index i = j; i < 3; ++i) original(i, j) = A(i, j);
  last(1, 0) = 4;
  last(2, 0) = 0.5;
  last(2, 1) = -0.25;
  last(2, 2) = 3;
  expect_same(working_matrix(f, 1), original);
  expect_same(working_matrix(f, 2), original);
  expect_same(working_matrix(f, 3), last);
}

TEST(WorkingMatrix, HermitianStartsWithMatrix) {
  using C = std::complex<double>;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
    const auto matrix = std::get<SymmetricMatrix<C>>(generate_symmetric({"random", ScalarType::z, symmetry, 9}));
    const auto f = ldlt<C>(matrix.A, {.symmetry = symmetry});
    const Matrix<C> first = working_matrix(f, 1);
    for (Index j = 0; j < 9; ++j)
      for (Index i = j; i < 9; ++i)
        EXPECT_LT(std::abs(first(i, j) - matrix.A(f.permutation[i], f.permutation[j])), 1e-14);
  }
}

TEST(WorkingMatrix, EndsInTheSierpinskiCarpetForHadamard) {
  const Matrix<double> last = working_matrix(ldlt<double>(hadamard(64)), 64);
  for (Index j = 0; j < 64; ++j)
    for (Index i = 0; i < 64; ++i) EXPECT_EQ(last(i, j) != 0, (i & j) == j);  // binomial coefficients that are odd
}

TEST(UsualStages, AreSixFromTheFirstToTheLast) {
  EXPECT_EQ(usual_stages(512), (std::vector<Index>{1, 103, 205, 308, 410, 512}));
  EXPECT_EQ(usual_stages(3), (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(usual_stages(1), (std::vector<Index>{1}));
}

TEST(Pictures, CodeMagnitudesInEqualRatios) {
  Matrix<double> A(3, 3);
  A(0, 0) = 16;
  A(1, 1) = -4;
  A(2, 2) = 1;
  const auto f = ldlt<double>(A);
  const std::array<Index, 2> stages{1, 3};
  const json pictures = pictures_of(f, stages, "diagonal");
  EXPECT_EQ(pictures["schema"], "pivotlab/stages/1");
  EXPECT_EQ(pictures["problem"], "diagonal");
  EXPECT_EQ(pictures["solver"], "LDLT-BP");
  EXPECT_EQ(pictures["n"], 3);
  EXPECT_EQ(pictures["pixels"], 3);
  EXPECT_EQ(pictures["low"], 1);
  EXPECT_EQ(pictures["high"], 16);
  EXPECT_EQ(pictures["stages"][1]["stage"], 3);
  for (const json& stage : pictures["stages"]) EXPECT_EQ(stage["rows"], (json{"ff", "0080", "000001"}));
}

TEST(Pictures, LargeMatricesKeepPixelMaxima) {
  Matrix<double> A(5, 5);
  for (Index i = 0; i < 5; ++i) A(i, i) = std::ldexp(1.0, 4 - static_cast<int>(i));
  const std::array<Index, 1> stages{5};
  const json pictures = pictures_of(ldlt<double>(A), stages, "diagonal", 2);
  EXPECT_EQ(pictures["pixels"], 2);
  EXPECT_EQ(pictures["stages"][0]["rows"], (json{"ff", "0001"}));  // 16, 8, 4 and 2, 1
  EXPECT_EQ(pictures["low"], 2);
}

TEST(Pictures, ScaleCoversZeroAndRoundingErrors) {
  Matrix<double> A(2, 2);
  const std::array<Index, 1> stages{1};
  EXPECT_EQ(pictures_of(ldlt<double>(A), stages, "zero")["stages"][0]["rows"], (json{"00", "0000"}));
  A(0, 0) = 1;
  A(1, 1) = 1e-200;
  const json pictures = pictures_of(ldlt<double>(A, {.rank_tolerance = 0}), stages, "noise");
  EXPECT_EQ(pictures["low"], 1);
  EXPECT_EQ(pictures["stages"][0]["rows"], (json{"01", "0001"}));
}

TEST(Pictures, RefuseInvalidStages) {
  const auto f = ldlt<double>(hadamard(16));
  for (const Index stage : {0, 17}) try {
      pictures_of(f, std::array<Index, 1>{stage}, "");
      ADD_FAILURE() << "no InputError was thrown";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "stage " + std::to_string(stage) + ": the matrix has the stages 1 to 16; choose among these");
    }
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_pictures_test
