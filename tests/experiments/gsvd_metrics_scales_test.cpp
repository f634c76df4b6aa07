// SPDX-License-Identifier: BSD-3-Clause
// The metrics do not depend on scales, and zeros, singular factors and NaN have the verdict that they deserve.
#include <experiments/metrics/condition.hpp>
#include <kernels/numerics/power_of_two.hpp>
#include <tests/experiments/gsvd_rounded_exact.hpp>

namespace pivotlab::experiments::gsvd_metrics_test {
namespace {

/// Columns of F and G times 2^exponents, rows of Z divided by them.
template <class T>
void scale_in_common(Solved<T>& solved, const std::vector<int>& exponents) {
  for (Index j = 0; j < solved.pair.F.cols(); ++j) {
    const int e = exponents[static_cast<std::size_t>(j)];
    for (auto* A : {&solved.pair.F, &solved.pair.G})
      for (T& x : A->col(j)) x = times_power_of_two(x, e);
    for (Index k = 0; k < solved.result.Z.cols(); ++k)
      solved.result.Z(j, k) = times_power_of_two(solved.result.Z(j, k), -e);
  }
}

TYPED_TEST(GsvdMetricsOf, InvariantUnderCommonColumnScaling) {
  const Index n = 12;
  const Solved<TypeParam> solved = rounded_exact<TypeParam>(15, 13, n);
  for (const int largest : {30, 199, 498})  // 1e±9, 1e±60, 1e±150
    for (const auto precision : {JudgePrecision::quad, JudgePrecision::double_double}) {
      SCOPED_TRACE(testing::Message() << largest << ' ' << to_string(precision));
      std::vector<int> exponents;
      for (int j = 0; j < n; ++j) exponents.push_back(largest - 2 * largest * ((j * 5) % 12) / 11);
      Solved<TypeParam> scaled = solved;
      scale_in_common(scaled, exponents);
      const GsvdMetrics metrics = judge(scaled, precision), expected = judge(solved, precision);
      EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
      EXPECT_EQ(metrics.orthogonality_u, expected.orthogonality_u);
      EXPECT_NEAR(metrics.backward_f, expected.backward_f, 1e-10 * expected.backward_f);
      EXPECT_NEAR(metrics.backward_g, expected.backward_g, 1e-10 * expected.backward_g);
      EXPECT_NEAR(metrics.sigma_backward.value(), expected.sigma_backward.value(), 1e-10 * *expected.sigma_backward);
      EXPECT_GE(metrics.bounds.growth_f, 1 - 1e-12);
      EXPECT_LE(metrics.residual_f, metrics.bounds.growth_f * 0x1p-50);

      for (Index k = 0; k < n; ++k) scaled.result.Z(3, k) *= 1 + 1e-6;  // the error is still detected
      EXPECT_EQ(judge(scaled, precision).verdict, Status::incorrect);
    }
}

TYPED_TEST(GsvdMetricsOf, ProbesEstimateScaledColumns) {
  JudgeOptions by_probes;
  by_probes.full_limit = 0;
  const Solved<TypeParam> solved = rounded_exact<TypeParam>(15, 13, 12);
  for (const int largest : {199, 500}) {  // with the latter ‖F‖‖Z‖ overflows
    Solved<TypeParam> scaled = solved;
    std::vector<int> exponents(12, largest);
    for (std::size_t j = 0; j < 6; ++j) exponents[j] = -largest;
    scale_in_common(scaled, exponents);
    const GsvdMetrics estimated = judge_gsvd(scaled.pair, scaled.result, by_probes), exact = judge(scaled);
    EXPECT_EQ(estimated.verdict, Status::passed) << estimated.message;
    EXPECT_NEAR(std::log2(estimated.residual_fz / exact.residual_fz), 0, 2);
    EXPECT_NEAR(std::log2(estimated.residual_gz / exact.residual_gz), 0, 2);
    EXPECT_EQ(estimated.orthogonality_u, judge_gsvd(solved.pair, solved.result, by_probes).orthogonality_u);
  }
}

TYPED_TEST(GsvdMetricsOf, PassTheDecompositionOfAZeroF) {
  for (const Index n : {1, 3, 20})
    for (const Index full_limit : {0, 100}) {
      Solved<TypeParam> solved = rounded_exact<TypeParam>(n + 2, n + 1, n);
      std::ranges::fill(std::span(solved.pair.F.data(), static_cast<std::size_t>(solved.pair.F.size())), TypeParam(0));
      solved.pair.sigma.assign(static_cast<std::size_t>(n), Quad(0));
      solved.result = gsvd<TypeParam>(solved.pair.F, solved.pair.G, {});
      JudgeOptions options;
      options.full_limit = full_limit;
      const GsvdMetrics metrics = judge_gsvd(solved.pair, solved.result, options);
      EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
      EXPECT_EQ(metrics.residual_fz, 0);
      if (full_limit == 0) continue;
      EXPECT_EQ(metrics.residual_f, 0);
      EXPECT_EQ(metrics.backward_f, 0);
      EXPECT_EQ(metrics.sigma_backward, 0);

      solved.result.sigma_f[0] = solved.result.sigma[0] = 1e-3;  // F·z is not this times u
      const GsvdMetrics wrong = judge(solved);
      EXPECT_EQ(wrong.verdict, Status::incorrect);
      EXPECT_EQ(wrong.message.find("nan"), std::string::npos) << wrong.message;
    }
}

TEST(Judgement, NamesWhatCannotBeComputedAndPrintsNoNaN) {
  const double nan = not_a_number, infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(describe_failures({{"a", 1, 2}, {"b", 0, 0}, {"c", 1, infinity}, {"d", nan, infinity}}), "");
  EXPECT_EQ(describe_failures({{"a", 3, 2}, {"b", nan, 2}, {"c", nan, nan}, {"d", 1, nan}}),
            "a 3 > 2, b cannot be computed, c cannot be computed, d cannot be computed");
}

TYPED_TEST(GsvdMetricsOf, DoNotDependOnTheScaleOfThePair) {
  const Solved<TypeParam> solved = rounded_exact<TypeParam>(15, 12, 12);
  const auto expected = numbers(judge(solved));
  for (const int exponent : {1000, -900}) {
    Solved<TypeParam> scaled = solved;
    for (Index j = 0; j < 12; ++j) {
      scale_column(scaled.pair.F, j, std::ldexp(1.0, exponent));
      scale_column(scaled.pair.G, j, std::ldexp(1.0, exponent));
      scale_column(scaled.result.Z, j, std::ldexp(1.0, -exponent));
    }
    EXPECT_EQ(numbers(judge(scaled)), expected);
  }
}

TYPED_TEST(GsvdMetricsOf, TakeAZeroColumnOfUForAVanishingSigma) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(12, 12, 9);
  const auto drop = [&](Matrix<TypeParam>& U) { scale_column(U, 8, 0.0); };
  // F without its last singular triplet: F·Z loses the column, so F is rebuilt from U, Σ_F and X = Z⁻¹.
  drop(solved.result.U);
  solved.result.sigma_f[8] = solved.result.sigma[8] = 0;
  solved.result.sigma_g[8] = 1;
  solved.pair.sigma[8] = 0;
  Matrix<Extended<TypeParam>> Z(9, 9), U(12, 9), V(12, 9);
  std::copy(solved.result.Z.data(), solved.result.Z.data() + 81, Z.data());
  std::copy(solved.result.U.data(), solved.result.U.data() + 108, U.data());
  std::copy(solved.result.V.data(), solved.result.V.data() + 108, V.data());
  for (Index j = 0; j < 9; ++j) {
    scale_column(U, j, Quad(solved.result.sigma_f[static_cast<std::size_t>(j)]));
    scale_column(V, j, Quad(solved.result.sigma_g[static_cast<std::size_t>(j)]));
  }
  const auto X = inverse(lu_complete(Z));
  solved.pair.F = round<TypeParam>(multiply(U, X));
  solved.pair.G = round<TypeParam>(multiply(V, X));
  const GsvdMetrics metrics = judge(solved);
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_LE(metrics.orthogonality_u, 1e-14);

  solved.result.sigma[8] = solved.result.sigma_f[8] = 1e-9;  // no longer zero: now the column is missing
  const GsvdMetrics wrong = judge(solved);
  EXPECT_NEAR(wrong.orthogonality_u, 1, 1e-6);
  EXPECT_GT(wrong.sigma_backward.value(), wrong.bounds.sigma_backward);
}

TYPED_TEST(GsvdMetricsOf, CallASingularZIncorrectAndWriteNull) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(12, 12, 9);
  scale_column(solved.result.Z, 2, 0.0);
  const GsvdMetrics metrics = judge(solved);
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_NE(metrics.message.find("Z is singular, residual_f cannot be computed"), std::string::npos) << metrics.message;
  EXPECT_TRUE(to_json(metrics)["residual_f"].is_null());
  EXPECT_TRUE(to_json(metrics)["dgsvts3"][0].is_null());
  EXPECT_TRUE(to_json(metrics)["orthogonality_u"].is_number());
}

TYPED_TEST(GsvdMetricsOf, CallAResultWithNaNIncorrect) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Solved<TypeParam> solved = rounded_exact<TypeParam>(12, 12, 9);
    solved.result.V(3, 3) = bad;
    const GsvdMetrics metrics = judge(solved);
    EXPECT_EQ(metrics.verdict, Status::incorrect);
    EXPECT_TRUE(to_json(metrics)["residual_g"].is_null());
  }
}

// F·Z = U·Σ_F and G·Z = V·Σ_G hold with negative numbers, too, which are no singular values.
TYPED_TEST(GsvdMetricsOf, CallNegativeSingularValuesIncorrect) {
  using T = TypeParam;
  Solved<T> solved = rounded_exact<T>(12, 12, 9);
  for (std::vector<double>* values : {&solved.result.sigma_f, &solved.result.sigma_g}) (*values)[4] = -(*values)[4];
  for (T& z : solved.result.Z.col(4)) z = -z;
  EXPECT_EQ(judge(solved).message, "a singular value is negative");
  solved.result.U = Matrix<T>();
  EXPECT_EQ(judge(solved).message, "a singular value is negative");
}

TYPED_TEST(GsvdMetricsOf, CallADecompositionOfRankZeroIncorrect) {
  using T = TypeParam;
  Pair<T> pair{Matrix<T>::identity(2), Matrix<T>(3, 2), {}, {}};
  AnyGsvdResult<T> result;
  result.reduced = true;
  result.U = Matrix<T>(2, 0), result.V = Matrix<T>(3, 0), result.Z = Matrix<T>(2, 0);
  result.Q = Matrix<T>::identity(2);
  const GsvdMetrics metrics = judge_gsvd(pair, result);
  EXPECT_EQ(metrics.residual_f, 1);
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  pair.F = Matrix<T>(2, 2);
  EXPECT_EQ(judge_gsvd(pair, result).verdict, Status::passed) << "the pair (0, 0)";
}

TYPED_TEST(GsvdMetricsOf, TakeMatricesWithoutRows) {
  using T = TypeParam;
  for (const Index n : {0, 1, 16, 24, 40})
    for (const bool of_f : {true, false}) {
      SCOPED_TRACE(n);
      const Matrix<T> empty(0, n), full = Matrix<T>::identity(n);
      const Pair<T> pair{of_f ? empty : full, of_f ? full : empty, {}, {}};
      const auto result = gsvd_any<T>(pair.F, pair.G, {.compute_x = true});
      EXPECT_EQ(judge_gsvd(pair, result).verdict, Status::passed);
      EXPECT_EQ(result.k, of_f ? 0 : n);
    }
}

TYPED_TEST(GsvdMetricsOf, CallEstimatesWithNaNIncorrect) {
  const auto [pair, result] = rounded_exact<TypeParam>(12, 12, 9);
  AnyGsvdResult<TypeParam> any;
  static_cast<GsvdResult<TypeParam>&>(any) = result;
  any.l = any.r = std::ssize(result.sigma);
  EXPECT_EQ(judge_gsvd(pair, any).verdict, Status::passed);
  any.sigma_error.assign(result.sigma.size(), not_a_number);
  EXPECT_EQ(judge_gsvd(pair, any).verdict, Status::incorrect);
  any.sigma_error.pop_back();
  EXPECT_THROW(judge_gsvd(pair, any), std::invalid_argument);
}

TYPED_TEST(GsvdMetricsOf, RefuseFactorsOfTheWrongShape) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(12, 12, 9);
  solved.result.V = Matrix<TypeParam>(11, 9);
  EXPECT_THROW(judge(solved), std::invalid_argument);
}

/// H₄·diag(2^e), H₄ᵀH₄ = 4I: the singular values are 2·2^e exactly, and so are the elements.
template <class T>
Matrix<T> scaled_hadamard(Index copies, std::array<int, 4> exponents) {
  Matrix<T> A(4 * copies, 4);
  for (Index j = 0; j < 4; ++j)
    for (Index i = 0; i < 4 * copies; ++i) {
      const bool negative = std::popcount(static_cast<unsigned>(i % 4 & j)) % 2 != 0;
      A(i, j) = std::ldexp(negative ? -1.0 : 1.0, exponents[static_cast<std::size_t>(j)]);
      if constexpr (is_complex<T>)
        if (i % 2 == 1) A(i, j) *= T(0, 1);
    }
  return A;
}

TYPED_TEST(GsvdMetricsOf, ConditionNumbersBeyondDouble) {
  const auto easy = scaled_hadamard<TypeParam>(1, {0, 3, -7, 2});
  const auto hard = scaled_hadamard<TypeParam>(1, {40, 3, -30, 2});
  const auto tall = scaled_hadamard<TypeParam>(3, {0, 30, -35, 2});
  const auto huge = scaled_hadamard<TypeParam>(2, {1010, 1000, 1005, 1002});

  const PairCondition first = condition_numbers<TypeParam>(easy, hard);
  EXPECT_NEAR(first.f.value, 0x1p10, 1e-9);
  EXPECT_EQ(first.f.method, "double SVD");
  EXPECT_NEAR(first.g.value / 0x1p70, 1, 1e-12);
  EXPECT_EQ(first.g.method, "double-double inverse");
  const PairCondition second = condition_numbers<TypeParam>(tall, huge);
  EXPECT_NEAR(second.f.value / 0x1p65, 1, 1e-12);
  EXPECT_NEAR(second.g.value, 0x1p10, 1e-9);

  Matrix<TypeParam> deficient = easy;
  std::ranges::copy(deficient.col(0), deficient.col(3).begin());
  EXPECT_GT(condition_numbers<TypeParam>(deficient, Matrix<TypeParam>(3, 2)).f.value, 1e28);
  EXPECT_EQ(condition_numbers<TypeParam>(deficient, Matrix<TypeParam>(3, 2)).g.value,
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace pivotlab::experiments::gsvd_metrics_test
