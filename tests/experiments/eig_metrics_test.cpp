// SPDX-License-Identifier: BSD-3-Clause
// The judge of eigendecompositions passes correct results and rejects results with one error.
#include <gtest/gtest.h>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/matching.hpp>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace pivotlab::experiments::eig_metrics_test {
namespace {

using Complex = std::complex<double>;

GeneralMatrix<Complex> make(const std::string& generator, Index n) {
  return std::get<GeneralMatrix<Complex>>(generate_general({.generator = generator, .n = n}));
}

/// A decomposition in which a test may introduce errors.
struct Decomposed {
  GeneralMatrix<Complex> matrix;
  EigResult<double> result;

  Decomposed(const std::string& generator, Index n) : matrix(make(generator, n)) {
    EigOptions options;
    options.left_vectors = options.triangular_form = true;
    result = eig<Complex>(matrix.A, options);
  }
  EigMetrics judge(const JudgeOptions& options = {}) const {
    return judge_eig(matrix,
                     {.eigenvalues = result.eigenvalues, .V = result.V, .W = &result.W, .T = &result.T, .E = &result.E},
                     options);
  }
};

TEST(EigJudge, PassesGoodDecompositionsOfEveryOrder) {
  for (const Index n : {0, 1, 2, 3, 8, 20}) {
    const EigMetrics metrics = Decomposed("random", n).judge();
    EXPECT_EQ(metrics.verdict, Status::passed) << "n = " << n << ": " << metrics.message;
    EXPECT_LT(metrics.residual, 1e-13);
    EXPECT_LT(*metrics.left_residual, 1e-13);
    EXPECT_LT(metrics.eigenvalue_error.value_or(0), 1e-13);
  }
}

TEST(EigJudge, MeasuresLengthsBeyondTheRoundingOfTheirSums) {
  const Index n = 100;  // columns of I − (2/n)·eeᵀ, whose sum of squares in double is wrong by several units
  const std::vector<Complex> ones(static_cast<std::size_t>(n), 1.);
  Matrix<Complex> V(n, n);
  GeneralMatrix<Complex> matrix{.A = Matrix<Complex>(n, n)};
  for (Index j = 0; j < n; ++j) {
    matrix.A(j, j) = 1.;
    for (Index i = 0; i < n; ++i) V(i, j) = (i == j ? 1. : 0.) - 2 / static_cast<double>(n);
  }
  EXPECT_LT(judge_eig(matrix, {.eigenvalues = ones, .V = V}).normalization, 1);
}

TEST(EigJudge, PassesZeroMatrices) {
  for (const Index n : {0, 1, 2, 5}) {
    GeneralMatrix<Complex> matrix{.A = Matrix<Complex>(n, n)};
    matrix.eigenvalues.resize(static_cast<std::size_t>(n));
    EigOptions options;
    options.left_vectors = options.triangular_form = true;
    const EigResult<double> r = eig<Complex>(matrix.A, options);
    const EigMetrics metrics =
        judge_eig(matrix, {.eigenvalues = r.eigenvalues, .V = r.V, .W = &r.W, .T = &r.T, .E = &r.E});
    EXPECT_EQ(metrics.verdict, Status::passed) << "n = " << n << ": " << metrics.message;
    EXPECT_EQ(metrics.residual, 0);
    EXPECT_EQ(metrics.relative_error.value_or(0), 0);
  }
}

TEST(EigJudge, SaysInWordsWhatCannotBeComputed) {
  const GeneralMatrix<double> matrix{.A = Matrix<double>::identity(2)};
  const std::vector<Complex> values{1e308, {0, 1e308}};
  Matrix<Complex> V(2, 2);
  V(0, 0) = V(1, 1) = 1e308;
  const EigMetrics metrics = judge_eig(matrix, {.eigenvalues = values, .V = V});
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_EQ(metrics.message.find("nan"), std::string::npos) << metrics.message;
}

TEST(EigJudge, KnowsNormalMatricesAndDefectiveOnes) {
  const EigMetrics normal = Decomposed("normal", 16).judge(), defective = Decomposed("defective", 8).judge();
  EXPECT_EQ(normal.verdict, Status::passed) << normal.message;
  EXPECT_LT(normal.departure, 1e-6);
  EXPECT_NEAR(normal.vector_condition, 1, 1e-6);
  EXPECT_NEAR(normal.largest_condition, 1, 1e-6);
  EXPECT_EQ(defective.verdict, Status::passed) << defective.message;
  EXPECT_GT(*defective.eigenvalue_error, 1e-4);  // an eighth root of the rounding error
  EXPECT_FALSE(defective.error_over_condition && *defective.error_over_condition > 1e-8);
}

/// One pair is exact for a perturbation of the norm 1e-10; ‖A·V − V·Λ‖_F/‖A‖_F is √n times smaller.
TEST(EigJudge, MeasuresTheBackwardErrorOfTheWorstPair) {
  GeneralMatrix<Complex> matrix{.A = Matrix<Complex>::identity(16)};
  std::vector<Complex> values(16, Complex(1));
  Matrix<Complex> V = Matrix<Complex>::identity(16);
  for (Index k = 0; k < 16; ++k) matrix.A(k, k) = 2, values[k] = 2;
  values[5] += 2e-10;
  V(5, 5) = 0.5;  // of no influence
  const EigMetrics metrics = judge_eig(matrix, {.eigenvalues = values, .V = V});
  EXPECT_NEAR(metrics.backward_error, 1e-10, 1e-15);
  EXPECT_NEAR(metrics.residual, 0.5 * 1e-10 / 4, 1e-15);
}

TEST(EigJudge, FindsWhatIsWrong) {
  const auto fault = [](auto spoil) {
    Decomposed d("random", 12);
    spoil(d.result);
    const EigMetrics metrics = d.judge();
    EXPECT_EQ(metrics.verdict, Status::incorrect);
    return metrics.message.substr(0, metrics.message.find(' '));
  };
  EXPECT_EQ(fault([](auto& r) { r.eigenvalues[5] *= 1 + 1e-11; }), "get22");
  EXPECT_EQ(fault([](auto& r) { r.V(3, 2) += 1e-11; }), "get22");
  EXPECT_EQ(fault([](auto& r) { r.W(3, 2) += 1e-11; }), "left_get22");
  EXPECT_EQ(fault([](auto& r) { r.T(2, 3) += 1e-10; }), "similarity");
  EXPECT_EQ(fault([](auto& r) { r.T(3, 2) += 1e-10; }), "column");  // of T, below the diagonal
  EXPECT_EQ(fault([](auto& r) {
              for (Complex& x : r.V.col(4)) x *= 1 + 1e-13;
            }),
            "normalization");
  EXPECT_EQ(fault([](auto& r) { r.V(0, 0) = NAN; }), "the");
  // The same pair twice: every residual is small.
  EXPECT_EQ(fault([](auto& r) {
              r.eigenvalues[1] = r.eigenvalues[0];
              std::ranges::copy(r.V.col(0), r.V.col(1).begin());
              std::ranges::copy(r.W.col(0), r.W.col(1).begin());
            }),
            "trace_error");
}

TEST(EigJudge, FindsAnEigenvalueThatIsMissingWhereVIsSingular) {
  GeneralMatrix<Complex> matrix{.A = Matrix<Complex>(3, 3)};
  for (Index k = 0; k < 3; ++k) matrix.A(k, k) = static_cast<double>(k + 1);
  Matrix<Complex> V(3, 3);  // the pair (2, e₂) three times: residuals and Σλ are right
  for (Index k = 0; k < 3; ++k) V(1, k) = 1;
  const std::vector<Complex> values(3, Complex(2));
  const EigMetrics metrics = judge_eig(matrix, {.eigenvalues = values, .V = V});
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_EQ(metrics.message.substr(0, metrics.message.find(' ')), "squares_error");
}

TEST(EigJudge, ComparesConditionNumbersWithTheirVectors) {
  const GeneralMatrix<Complex> matrix{.A = Matrix<Complex>::identity(2)};
  const Matrix<Complex> I = Matrix<Complex>::identity(2);
  const std::vector<Complex> values{1, 1};
  const auto verdict = [&](const std::vector<double>& conditions) {
    return judge_eig(matrix, {.eigenvalues = values, .V = I, .W = &I, .conditions = &conditions}).verdict;
  };
  EXPECT_EQ(verdict({1, 1}), Status::passed);
  for (const double wrong : {1.001, 0.9, double(NAN), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(verdict({1, wrong}), Status::incorrect) << wrong;
  EXPECT_THROW(verdict({1}), std::invalid_argument);
}

TEST(EigJudge, AllowsForTheRoundingOfSubnormalEigenvalues) {
  GeneralMatrix<Complex> matrix{.A = Matrix<Complex>(2, 2)};
  matrix.A(0, 0) = matrix.A(1, 0) = matrix.A(0, 1) = 0x1p-1074, matrix.A(1, 1) = 0x1p-1072;
  const EigResult<double> result = eig<Complex>(matrix.A);
  const EigMetrics metrics = judge_eig(matrix, {.eigenvalues = result.eigenvalues, .V = result.V});
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  std::vector<Complex> wrong = result.eigenvalues;
  wrong[0] += 0x1p-1073;
  EXPECT_EQ(judge_eig(matrix, {.eigenvalues = wrong, .V = result.V}).verdict, Status::incorrect);
}

TEST(EigJudge, IndependentOfScaleAndThreads) {
  Decomposed d("random", 60);
  const EigMetrics quad = d.judge({.precision = JudgePrecision::quad, .threads = 1}),
                   two = d.judge({.precision = JudgePrecision::quad, .threads = 2}),
                   dd = d.judge({.precision = JudgePrecision::double_double});
  EXPECT_EQ(quad.residual, two.residual);
  EXPECT_NEAR(dd.residual / quad.residual, 1, 1e-10);
  const double scale = 0x1p-900;
  for (Index i = 0; i < d.matrix.A.size(); ++i) d.matrix.A.data()[i] *= scale, d.result.T.data()[i] *= scale;
  for (Complex& value : d.result.eigenvalues) value *= scale;
  for (auto& value : d.matrix.eigenvalues) value *= Quad(scale);
  const EigMetrics tiny = d.judge({.precision = JudgePrecision::quad});
  EXPECT_EQ(tiny.residual, quad.residual);
  EXPECT_EQ(tiny.eigenvalue_error, quad.eigenvalue_error);
  EXPECT_EQ(tiny.verdict, Status::passed);
}

TEST(Matching, IsTheCheapestOfAllPermutations) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 1 + trial % 6;
    Matrix<double> cost(n, n);
    for (Index i = 0; i < cost.size(); ++i) cost.data()[i] = static_cast<double>(generator() % 20);
    const auto total = [&](const std::vector<Index>& columns) {
      double sum = 0;
      for (Index i = 0; i < n; ++i) sum += cost(i, columns[static_cast<std::size_t>(i)]);
      return sum;
    };
    std::vector<Index> columns(static_cast<std::size_t>(n));
    std::iota(columns.begin(), columns.end(), Index{0});
    double least = total(columns);
    while (std::ranges::next_permutation(columns).found) least = std::min(least, total(columns));
    const std::vector<Index> found = cheapest_matching(cost);
    EXPECT_TRUE(std::ranges::is_permutation(found, columns));
    EXPECT_EQ(total(found), least);
  }
}

}  // namespace
}  // namespace pivotlab::experiments::eig_metrics_test
