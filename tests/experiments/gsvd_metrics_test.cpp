// SPDX-License-Identifier: BSD-3-Clause
// The metrics report each error of a decomposition with its size, and no other error.
#include <pivotlab/baselines.hpp>
#include <tests/experiments/gsvd_rounded_exact.hpp>

namespace pivotlab::experiments::gsvd_metrics_test {
namespace {

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

}  // namespace
}  // namespace pivotlab::experiments::gsvd_metrics_test
