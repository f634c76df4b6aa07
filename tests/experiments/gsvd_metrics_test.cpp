// SPDX-License-Identifier: BSD-3-Clause
// The metrics report each error of a decomposition with its size, and no other error.
#include <gtest/gtest.h>

#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/metrics/condition.hpp>
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/numerics/power_of_two.hpp>
#include <nlohmann/json.hpp>
#include <pivotlab/baselines.hpp>

#include <cmath>
#include <numeric>
#include <random>

namespace pivotlab::experiments::gsvd_metrics_test {
namespace {

using Complex = std::complex<double>;

template <class T>
using Extended = Rebind<T, Quad>;

template <class T>
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double uniform() { return std::ldexp(static_cast<double>(generator_() >> 11), -52) - 1.0; }
  Matrix<Extended<T>> matrix(Index rows, Index cols) {
    Matrix<Extended<T>> A(rows, cols);
    for (Index j = 0; j < cols; ++j)
      for (auto& x : A.col(j)) {
        if constexpr (is_complex<T>)
          x = Extended<T>(Quad(uniform()), Quad(uniform()));
        else
          x = uniform();
      }
    return A;
  }
  Matrix<Extended<T>> orthonormal(Index rows, Index cols) { return unitary_factor(householder_qr(matrix(rows, cols))); }

 private:
  std::mt19937_64 generator_;
};

template <class T>
Matrix<T> round(const Matrix<Extended<T>>& A) {
  Matrix<T> result(A.rows(), A.cols());
  std::transform(A.data(), A.data() + A.size(), result.data(), [](const Extended<T>& x) {
    if constexpr (is_complex<T>)
      return T(static_cast<double>(x.real()), static_cast<double>(x.imag()));
    else
      return static_cast<double>(x);
  });
  return result;
}

template <class T>
Matrix<T> multiply(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}

template <class T, class Factor>
void scale_column(Matrix<T>& A, Index j, const Factor& factor) {
  for (T& x : A.col(j)) x *= factor;
}

template <class T>
struct Solved {
  Pair<T> pair;
  GsvdResult<T> result;
};

/// A pair and its decomposition, computed in Quad and rounded, the most accurate result in double. σ from 8 to 1/8.
template <class T>
Solved<T> rounded_exact(Index m_f, Index m_g, Index n, unsigned seed = 1) {
  Random<T> random(seed);
  auto U = random.orthonormal(m_f, n), V = random.orthonormal(m_g, n), X = random.matrix(n, n);
  for (Index j = 0; j < n; ++j) X(j, j) += Extended<T>(Quad(3));
  const Matrix<Extended<T>> Z = inverse(lu_complete(X));

  Solved<T> solved;
  solved.result.U = round<T>(U);
  solved.result.V = round<T>(V);
  solved.result.Z = round<T>(Z);
  for (Index j = 0; j < n; ++j) {
    const Quad sigma = pow(Quad(2), Quad(3) - Quad(6 * j) / std::max<Index>(n - 1, 1)), g = 1 / sqrt(1 + sigma * sigma);
    solved.pair.sigma.push_back(sigma);
    solved.result.sigma.push_back(static_cast<double>(sigma));
    solved.result.sigma_f.push_back(static_cast<double>(Quad(sigma * g)));
    solved.result.sigma_g.push_back(static_cast<double>(g));
    scale_column(U, j, Quad(sigma * g));
    scale_column(V, j, g);
  }
  solved.pair.F = round<T>(multiply(U, X));
  solved.pair.G = round<T>(multiply(V, X));
  solved.result.status = Status::passed;
  return solved;
}

template <class T>
GsvdMetrics judge(const Solved<T>& solved, std::optional<JudgePrecision> precision = {}, int threads = 0) {
  return judge_gsvd(solved.pair, solved.result, {.precision = precision, .threads = threads});
}

double norm_of(const auto& A) {
  double squares = 0;
  for (Index j = 0; j < A.cols(); ++j)
    for (const auto& x : A.col(j)) squares += std::norm(x);
  return std::sqrt(squares);
}

/// All numbers of the metrics, in a fixed order.
std::vector<double> numbers(const GsvdMetrics& metrics) {
  std::vector<double> result;
  const nlohmann::json flat = to_json(metrics).flatten();
  for (const auto& [key, value] : flat.items())
    if (value.is_number()) result.push_back(value.template get<double>());
  return result;
}

void expect_close(const GsvdMetrics& a, const GsvdMetrics& b, double relative) {
  const auto x = numbers(a), y = numbers(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], relative * std::abs(y[i])) << "number " << i;
}

template <class T>
class GsvdMetricsOf : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(GsvdMetricsOf, Scalars);

TYPED_TEST(GsvdMetricsOf, PassRoundedExactResult) {
  struct Shape {
    Index m_f, m_g, n;
  };
  for (const Shape shape : {Shape{1, 1, 1}, {4, 2, 1}, {2, 2, 2}, {17, 17, 17}, {40, 23, 19}, {150, 31, 12}}) {
    SCOPED_TRACE(std::to_string(shape.m_f) + "×" + std::to_string(shape.m_g) + "×" + std::to_string(shape.n));
    const Solved<TypeParam> solved = rounded_exact<TypeParam>(shape.m_f, shape.m_g, shape.n);
    const GsvdMetrics metrics = judge(solved);
    EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
    EXPECT_EQ(metrics.precision, shape.m_f <= 128 ? JudgePrecision::quad : JudgePrecision::double_double);
    constexpr double ulp = 0x1p-52;
    for (const double value : {metrics.residual_fz, metrics.residual_gz, metrics.backward_f, metrics.backward_g,
                               metrics.sigma_sum, metrics.sigma_ratio, metrics.sigma_backward.value()})
      EXPECT_LE(value, 2 * ulp);
    const double n = static_cast<double>(shape.n);
    for (const double value : {metrics.orthogonality_u, metrics.orthogonality_v}) EXPECT_LE(value, 2 * n * ulp);
    for (const double value : {metrics.residual_f, metrics.residual_g}) EXPECT_LE(value, 4 * n * ulp);
    EXPECT_LE(metrics.sigma_error.value(), ulp);
    for (const double ratio : metrics.dgsvts3) EXPECT_LE(ratio, 3);
    EXPECT_EQ(metrics.dgsvts3[5], 0);
    EXPECT_GE(metrics.bounds.growth_f, 1 - 1e-12);
    EXPECT_LE(metrics.bounds.growth_f, 10 * n);
  }
}

TYPED_TEST(GsvdMetricsOf, AgreeToTenDigitsBetweenQuadAndDoubleDouble) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 24);
  expect_close(judge(solved, JudgePrecision::quad), judge(solved, JudgePrecision::double_double), 1e-11);
  for (Index j = 0; j < 24; ++j) {  // columns of F, G and Z over 24 orders of magnitude
    const double d = std::pow(10.0, -12.0 + static_cast<double>(j));
    scale_column(solved.pair.F, j, d);
    scale_column(solved.pair.G, j, d);
    for (Index k = 0; k < 24; ++k) solved.result.Z(j, k) /= d;
  }
  expect_close(judge(solved, JudgePrecision::quad), judge(solved, JudgePrecision::double_double), 1e-11);
}

// The estimate by a few vectors is as large as the error, for all shapes.
TYPED_TEST(GsvdMetricsOf, ProbesEstimateWithinFactorThree) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(90, 70, 60);
  JudgeOptions by_probes;
  by_probes.full_limit = 0;
  const auto probe = [&] { return judge_gsvd(solved.pair, solved.result, by_probes); };
  const auto expect_near = [&](double value, double exact) {
    EXPECT_LE(value, 3 * exact);
    EXPECT_GE(value, exact / 3);
  };
  EXPECT_EQ(probe().verdict, Status::passed) << probe().message;
  EXPECT_GT(probe().probes, 0);
  EXPECT_FALSE(std::isfinite(probe().residual_f));
  EXPECT_EQ(probe().sigma_error, judge(solved).sigma_error);
  for (const double change : {0.0, 1e-9}) {
    solved.result.U(7, 20) += change, solved.result.V(3, 11) += change;
    solved.result.Z(5, 8) += change;
    const GsvdMetrics estimated = probe(), exact = judge(solved);
    expect_near(estimated.residual_fz, exact.residual_fz);
    expect_near(estimated.residual_gz, exact.residual_gz);
    expect_near(estimated.orthogonality_u, exact.orthogonality_u);
    expect_near(estimated.orthogonality_v, exact.orthogonality_v);
    EXPECT_EQ(estimated.verdict, change == 0 ? Status::passed : Status::incorrect);
  }
}

TYPED_TEST(GsvdMetricsOf, HaveTheSameBitsForAnyNumberOfThreads) {
  const Solved<TypeParam> small = rounded_exact<TypeParam>(60, 50, 24);
  for (const auto precision : {JudgePrecision::quad, JudgePrecision::double_double})
    for (const int threads : {2, 3})
      EXPECT_EQ(numbers(judge(small, precision, 1)), numbers(judge(small, precision, threads)));

  Random<TypeParam> random(5);  // large enough for all loops to be threaded
  Solved<TypeParam> large;
  large.pair.F = large.result.U = round<TypeParam>(random.matrix(260, 260));
  large.pair.G = large.result.V = round<TypeParam>(random.matrix(260, 260));
  large.result.Z = round<TypeParam>(random.matrix(260, 260));
  large.result.sigma_f = large.result.sigma_g = large.result.sigma = std::vector<double>(260, 1.0);
  EXPECT_EQ(numbers(judge(large, {}, 1)), numbers(judge(large, {}, 3)));
}

TYPED_TEST(GsvdMetricsOf, ReportAPerturbedUByItsSize) {
  const Index n = 24;
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, n);
  const GsvdMetrics before = judge(solved);
  constexpr double delta = 1e-9;
  solved.result.U(3, 5) += delta;
  const GsvdMetrics after = judge(solved);

  const double error = delta * solved.result.sigma_f[5];
  EXPECT_NEAR(after.residual_fz, error / (norm_of(solved.pair.F) * norm_of(solved.result.Z)), 1e-3 * after.residual_fz);
  double weight = 0;
  for (Index i = 0; i < n; ++i) {
    double squares = 0;
    for (const auto& x : solved.pair.F.col(i)) squares += std::norm(x);
    weight += std::sqrt(squares) * std::abs(solved.result.Z(i, 5));
  }
  EXPECT_NEAR(after.backward_f, error / weight, 1e-3 * after.backward_f);
  EXPECT_GT(after.orthogonality_u, 0.1 * delta);
  EXPECT_LT(after.orthogonality_u, 2.1 * delta);
  EXPECT_GT(after.residual_f, 0.1 * error / norm_of(solved.pair.F));
  EXPECT_GT(after.dgsvts3[0], 100 * before.dgsvts3[0]);
  EXPECT_GT(after.dgsvts3[2], 100 * before.dgsvts3[2]);
  EXPECT_EQ(after.verdict, Status::incorrect);
  EXPECT_NE(after.message.find("orthogonality_u"), std::string::npos) << after.message;
  EXPECT_EQ(after.message.find("orthogonality_v"), std::string::npos) << after.message;
  EXPECT_EQ(after.residual_g, before.residual_g);
  EXPECT_EQ(after.orthogonality_v, before.orthogonality_v);
  EXPECT_EQ(after.sigma_error, before.sigma_error);
}

TYPED_TEST(GsvdMetricsOf, ReportTheWeightOfFOutsideTheRangeOfU) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 8);
  Matrix<TypeParam> reflected = solved.result.U;  // F gets a part that is orthogonal to U: UᴴF stays the same
  Random<TypeParam> random(9);
  const auto basis = round<TypeParam>(random.orthonormal(30, 1));
  for (Index j = 0; j < 8; ++j) {
    TypeParam dot = 0;
    for (Index i = 0; i < 30; ++i) dot += conjugate(reflected(i, j)) * basis(i, 0);
    for (Index i = 0; i < 30; ++i) reflected(i, j) *= dot;
  }
  for (Index i = 0; i < 30; ++i) {
    TypeParam outside = basis(i, 0);
    for (Index j = 0; j < 8; ++j) outside -= reflected(i, j);
    solved.pair.F(i, 2) += 1e-6 * outside;
  }
  EXPECT_GT(judge(solved).dgsvts3[0], 1e6);
}

TYPED_TEST(GsvdMetricsOf, ReportSwappedValues) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 24);
  for (auto* values : {&solved.result.sigma_f, &solved.result.sigma_g, &solved.result.sigma})
    std::swap((*values)[3], (*values)[17]);
  const GsvdMetrics metrics = judge(solved);
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_GT(metrics.backward_f, 1e-3);
  EXPECT_GT(metrics.backward_g, 1e-3);
  EXPECT_EQ(metrics.dgsvts3[5], 0x1p52);
  EXPECT_LE(metrics.sigma_error.value(), 0x1p-52);  // as a set the values are correct
}

TYPED_TEST(GsvdMetricsOf, ReportASigmaThatIsNotTheQuotient) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 24);
  solved.pair.sigma.clear();
  solved.result.sigma[4] *= 1 + 1e-6;
  const GsvdMetrics metrics = judge(solved);
  EXPECT_NEAR(metrics.sigma_ratio, 1e-6, 1e-12);
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_EQ(metrics.reference, Reference::refined);
  EXPECT_NEAR(*metrics.sigma_error, 1e-6, 1e-12);
}

TYPED_TEST(GsvdMetricsOf, MeasureSigmaAgainstTheTruth) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 24);
  solved.pair.sigma[20] *= Quad(1) + Quad(1e-6);
  const GsvdMetrics metrics = judge(solved);
  EXPECT_NEAR(metrics.sigma_error.value(), 1e-6, 1e-11);
  EXPECT_GT(metrics.sigma_backward.value(), 1e-8);
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_NE(metrics.message.find("sigma_backward"), std::string::npos) << metrics.message;
}

TYPED_TEST(GsvdMetricsOf, ReportAFactorPairThatIsNotNormalized) {
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, 24);
  scale_column(solved.result.Z, 7, 2.0);
  solved.result.sigma_f[7] *= 2;
  solved.result.sigma_g[7] *= 2;
  const GsvdMetrics metrics = judge(solved);
  EXPECT_NEAR(metrics.sigma_sum, 3, 1e-12);
  EXPECT_NE(metrics.message.find("sigma_sum"), std::string::npos) << metrics.message;
  EXPECT_EQ(metrics.message.find("backward"), std::string::npos) << metrics.message;
}

TYPED_TEST(GsvdMetricsOf, DetectErrorInSmallColumn) {
  const Index n = 24;
  Solved<TypeParam> solved = rounded_exact<TypeParam>(30, 27, n);
  const GsvdMetrics ungraded = judge(solved);
  for (Index j = 0; j < n; ++j) {
    const double d = std::ldexp(1.0, static_cast<int>(3 * (j - n / 2)));
    scale_column(solved.pair.F, j, d);
    scale_column(solved.pair.G, j, d);
    for (Index k = 0; k < n; ++k) solved.result.Z(j, k) /= d;
  }
  const GsvdMetrics graded = judge(solved);
  EXPECT_EQ(graded.verdict, Status::passed) << graded.message;
  EXPECT_NEAR(graded.backward_f, ungraded.backward_f, 1e-10 * ungraded.backward_f);
  EXPECT_NEAR(graded.backward_g, ungraded.backward_g, 1e-10 * ungraded.backward_g);
  EXPECT_NEAR(graded.sigma_backward.value(), ungraded.sigma_backward.value(), 1e-10 * ungraded.sigma_backward.value());

  for (Index k = 0; k < n; ++k) solved.result.Z(0, k) *= 1 + 1e-6;  // meets the column of F of size 2⁻³⁶
  const GsvdMetrics wrong = judge(solved);
  EXPECT_LT(wrong.residual_fz, wrong.bounds.residual_fz);
  EXPECT_GT(wrong.backward_f, 1e-8);
  EXPECT_EQ(wrong.verdict, Status::incorrect);
}

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

TYPED_TEST(GsvdMetricsOf, SeparateAccurateSolversOnGradedPairs) {
  const Index n = 16;
  for (const bool by_rows : {false, true}) {
    Random<TypeParam> random(11);
    Solved<TypeParam> solved;
    solved.pair.F = round<TypeParam>(random.matrix(n, n));
    solved.pair.G = round<TypeParam>(random.matrix(n, n));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        solved.pair.F(i, j) *= std::pow(10.0, 16.0 * static_cast<double>(by_rows ? i : j) / (n - 1) - 8.0);
    const auto extended = [](const Matrix<TypeParam>& A) {
      Matrix<Extended<TypeParam>> result(A.rows(), A.cols());
      std::copy(A.data(), A.data() + A.size(), result.data());
      return result;
    };
    GsvdOptions pointwise;
    pointwise.variant.width = 2;
    pointwise.threads = 1;
    solved.pair.sigma = gsvd<Extended<TypeParam>>(extended(solved.pair.F), extended(solved.pair.G), pointwise).sigma;
    std::ranges::sort(solved.pair.sigma, std::greater{});

    solved.result = gsvd<TypeParam>(solved.pair.F, solved.pair.G, pointwise);
    const GsvdMetrics accurate = judge(solved);
    EXPECT_EQ(accurate.verdict, Status::passed) << accurate.message;
    EXPECT_LE(accurate.sigma_error.value(), 1e-13);

    for (const BaselineInfo& baseline : list_gsvd_baselines(scalar_type<TypeParam>)) {
      if (baseline.name.find("gesdd") == std::string::npos) continue;
      solved.result = solve_gsvd_with_baseline<TypeParam>(baseline.name, solved.pair.F, solved.pair.G, 1);
      ASSERT_EQ(solved.result.status, Status::passed);
      const GsvdMetrics inaccurate = judge(solved);
      EXPECT_GT(inaccurate.sigma_error.value(), 1e-10);
      EXPECT_GT(inaccurate.sigma_backward.value(), inaccurate.bounds.sigma_backward);
      EXPECT_EQ(inaccurate.verdict, Status::incorrect);
    }
  }
}

TEST(GsvdMetricsJson, HasABoundForEveryMetricOfTheVerdict) {
  const nlohmann::json json = to_json(judge(rounded_exact<double>(6, 5, 4)));
  for (const char* name : {"residual_f", "residual_g", "residual_fz", "residual_gz", "backward_f", "backward_g",
                           "orthogonality_u", "orthogonality_v", "sigma_sum", "sigma_ratio", "sigma_backward"}) {
    ASSERT_TRUE(json.at(name).is_number()) << name;
    EXPECT_LE(json.at(name).get<double>(), json.at("verdict_bounds").at(name).get<double>()) << name;
  }
  EXPECT_TRUE(json.at("sigma_error").is_number());
  EXPECT_EQ(json.at("dgsvts3").size(), 6u);
  EXPECT_EQ(json.at("precision"), "quad");
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
