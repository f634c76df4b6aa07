// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic singular value decomposition as a method: names and sources, the judge, and the truth it judges by.
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/problems/kind.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>
#include <tests/scratch_folder.hpp>

#include <cmath>

namespace pivotlab::experiments::hsvd_method_test {
namespace {

using Complex = std::complex<double>;

Case canonical(Case changes) {
  return canonical_case(hsvd_method(), std::move(changes));
}
Value text(const char* value) {
  return std::string(value);
}

TEST(HsvdCase, FillsInWhatIsNotGiven) {
  const Case axes = canonical({{"threads", std::int64_t{2}}, {"solver", text("hsvd-me-fb;W=16")}});
  EXPECT_EQ(canonical_json(axes),
            "{\"backend\":\"host\",\"generator\":\"random\",\"m\":128,\"method\":\"hsvd\",\"n\":128,\"seed\":1,"
            "\"signs\":\"positive\",\"solver\":\"HSVD-ME-FB;w=16\",\"threads\":2,\"type\":\"d\"}");
  EXPECT_EQ(hsvd_method().canonical(axes), axes);
}

TEST(HsvdCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_TRUE(error({{"solver", text("HSVD-BK-BO")}}).starts_with("solver: variant 'HSVD-BK-BO'"));
  EXPECT_TRUE(error({{"generator", text("gradedd")}}).starts_with("generator: "));
  EXPECT_EQ(error({{"m", std::int64_t{20}}}), "m: is 20, must be at least n = 128 (or 0 for n)");
  const char* refusal = " computes singular values, and J has signs -1; take the signs 'positive'";
  EXPECT_EQ(error({{"signs", text("halves")}, {"solver", text("lapack:?gesvj")}}),
            std::string("solver: lapack:dgesvj") + refusal);
  EXPECT_EQ(error({{"signs", text("random")}, {"solver", text("HSVD-ME-BO;qrp")}}),
            std::string("solver: HSVD-ME-BO;qrp") + refusal);
  EXPECT_EQ(error({{"signs", text("random")}, {"solver", text("HSVD-ME-BO;exact")}}),
            std::string("solver: HSVD-ME-BO;exact") + refusal);
  const test::ScratchFolder folder;
  const std::string file = folder.path() / "wide.mtx";
  write_matrix_market(file, Matrix<double>(2, 3));
  EXPECT_EQ(error({{"generator", Value("file:" + file)}}),
            "generator: " + file + ": is 2 x 3; give a matrix with columns, and with as many rows or more");
}

TEST(HsvdCase, TakesTypeAndShapeFromTheFile) {
  const test::ScratchFolder folder;
  const std::string file = folder.path() / "tall.mtx";
  write_matrix_market(file, Matrix<Complex>(4, 3));
  const ProblemCase wanted = read_problem(rectangulars(), canonical({{"generator", Value("file:" + file)}}));
  EXPECT_EQ(wanted.type, ScalarType::z);
  EXPECT_EQ(wanted.m, 4);
  EXPECT_EQ(wanted.n, 3);
  EXPECT_FALSE(wanted.digest.empty());
}

TEST(HsvdTruth, IsThatOfKnownMatrices) {
  Matrix<double> G(3, 2);  // columns (3, 4, 0), (0, 0, 2): σ = 5 and 2 with any signs
  G(0, 0) = 3, G(1, 0) = 4, G(2, 1) = 2;
  for (const std::vector<int>& J : {std::vector{1, 1}, {1, -1}}) {
    const HsvdTruth truth = hsvd_truth(G, J);
    EXPECT_EQ(truth.sigma, (std::vector<Quad>{5, 2}));
    EXPECT_EQ(truth.determined, (std::vector{true, true}));
  }
  EXPECT_EQ(hsvd_truth(G, {-1, 1}).sigma, (std::vector<Quad>{2, 5}));
  EXPECT_TRUE(hsvd_truth(Matrix<double>(hsvd_truth_rows + 1, 1), {1}).sigma.empty());
}

TEST(HsvdTruth, ProvesOnlyWhatTheoremsDecide) {
  Matrix<double> wide(1, 3);
  wide(0, 0) = 2, wide(0, 1) = 3, wide(0, 2) = 6;
  EXPECT_EQ(hsvd_truth(wide, {1, 1, 1}).sigma, std::vector<Quad>{7});
  EXPECT_TRUE(hsvd_truth(wide, {1, 1, -1}).sigma.empty());
  Matrix<double> G(3, 3);  // σ = √140, 0 (parallel columns: noise, or exact), and 0 (a zero column, exact)
  for (Index i = 0; i < 3; ++i) G(i, 0) = static_cast<double>(i + 1), G(i, 1) = 3 * G(i, 0);
  const HsvdTruth truth = hsvd_truth(G, {1, 1, 1});
  EXPECT_TRUE(truth.determined[0] && truth.determined[2]);
  EXPECT_TRUE(!truth.determined[1] || truth.sigma[1] == Quad(0));
  EXPECT_EQ(truth.sigma[2], Quad(0));
  EXPECT_TRUE(hsvd_truth(Matrix<double>(3, 0), {}).sigma.empty());
}

TEST(HsvdTruth, ProvesSmallSingularValuesOfDenseMatrices) {
  Matrix<double> third(3, 2);  // columns (1, 2, 3) and (t, 2t, 1), 1 − 3t = 2^-54: σ₁·σ₂ = √5·2^-54
  for (Index i = 0; i < 3; ++i) third(i, 0) = static_cast<double>(i + 1), third(i, 1) = static_cast<double>(i + 1) / 3;
  const HsvdTruth of_third = hsvd_truth(third, {1, 1});
  EXPECT_EQ(of_third.determined, std::vector<bool>(2, true));
  EXPECT_NEAR(static_cast<double>(of_third.sigma[0] * of_third.sigma[1]) * 0x1p54, std::sqrt(5.0), 1e-15);
  for (const char* generator : {"spectrum;kappa=1e16", "spectrum;kappa=1e12"}) {
    const auto G = std::get<Matrix<double>>(generate_rectangular({.generator = generator, .n = 16, .m = 20}));
    const HsvdTruth truth = hsvd_truth(G, std::vector<int>(16, 1));
    EXPECT_EQ(truth.determined, std::vector<bool>(16, true)) << generator;
    const auto r = hsvd<double>(G, {}, {.variant = parse_hsvd_variant("HSVD-ME-BO;exact")});
    for (std::size_t j = 0; j < 16; ++j)
      EXPECT_LE(std::abs(static_cast<double>(Quad(r.sigma[j]) / truth.sigma[j] - Quad(1))), 1e-14) << j;
  }
}

/// A result in which a test may introduce errors.
template <class T>
struct Decomposed {
  Decomposed(const std::string& generator, const char* signs, Index n = 24, Index m = 30)
      : G(std::get<Matrix<T>>(generate_rectangular({.generator = generator, .type = scalar_type<T>, .n = n, .m = m}))),
        J(generate_signs(signs, n, 1)),
        truth(hsvd_truth(G, J)),
        result(hsvd<T>(G, J, {.compute_v = true})) {}
  HsvdMetrics judge(const JudgeOptions& options = {}) const { return judge_hsvd(G, J, truth, result, options); }

  Matrix<T> G;
  std::vector<int> J;
  HsvdTruth truth;
  HsvdResult<T> result;
};

/// Returns the condition number of the worst transformation, (1 + |t|)/(1 − |t|), which multiplies rounding errors.
template <class T>
double condition(const HsvdResult<T>& result) {
  double largest = 0;
  for (const HsvdSweep& sweep : result.sweeps) largest = std::max(largest, sweep.largest_tanh);
  return (1 + largest) / (1 - largest);
}

template <class T>
class HsvdJudge : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(HsvdJudge, Scalars);

TYPED_TEST(HsvdJudge, PassesGoodDecompositions) {
  for (const char* generator : {"random", "graded;g=8", "parallel;gap=1e-4", "hilbert", "lowrank"})
    for (const char* signs : {"positive", "halves"})
      for (const JudgePrecision precision : {JudgePrecision::quad, JudgePrecision::double_double}) {
        const Decomposed<TypeParam> d(generator, signs);
        const HsvdMetrics metrics = d.judge({.precision = precision});
        EXPECT_EQ(metrics.verdict, Status::passed) << generator << ": " << metrics.message;
        EXPECT_LE(metrics.residual, 30 * 2.3e-16 * condition(d.result)) << generator << ", " << signs;
        EXPECT_LE(metrics.orthogonality, 1e-13);
        EXPECT_LE(metrics.j_orthogonality, 1e-13);
        EXPECT_LE(*metrics.drift, 1e-15);
      }
  EXPECT_EQ(Decomposed<TypeParam>("random", "positive", 1, 1).judge().verdict, Status::passed);
}

TYPED_TEST(HsvdJudge, FindsASingularValueThatIsWrongInItsLastDigitsAlone) {
  Decomposed<TypeParam> d("graded;g=8", "positive");
  d.result.sigma.back() *= 1 + 1e-11;
  const HsvdMetrics metrics = d.judge();
  EXPECT_NE(metrics.message.find("error_per_estimate"), std::string::npos) << metrics.message;
  EXPECT_NEAR(*metrics.relative_error, 1e-11, 1e-13);
  EXPECT_LE(*metrics.sigma_error, 1e-14);
}

TYPED_TEST(HsvdJudge, FindsVectorsThatAreNotThoseOfTheMatrix) {
  Decomposed<TypeParam> d("random", "halves");
  d.result.V(3, 4) += TypeParam(1e-10);
  HsvdMetrics metrics = d.judge();
  EXPECT_NE(metrics.message.find("residual_ratio"), std::string::npos) << metrics.message;
  EXPECT_NE(metrics.message.find("j_orthogonality_ratio"), std::string::npos) << metrics.message;
  d.result.U(3, 4) += TypeParam(1e-10);
  EXPECT_GE(d.judge().orthogonality_ratio, 35);
  d.result.U(3, 4) = TypeParam(std::nan(""));
  EXPECT_EQ(d.judge().message, "the result contains NaN or Inf");
}

TYPED_TEST(HsvdJudge, BeginsWithShapesAndSigns) {
  const Decomposed<TypeParam> good("random", "positive", 6, 8);
  const auto judged = [&](auto change) {
    Decomposed<TypeParam> d = good;
    change(d.result);
    return d.judge();
  };
  using Result = HsvdResult<TypeParam>;
  EXPECT_THROW(judged([](Result& r) { r.U = Matrix<TypeParam>(3, 6); }), InputError);
  EXPECT_THROW(judged([](Result& r) { r.V = Matrix<TypeParam>(6, 5); }), InputError);
  EXPECT_THROW(judged([](Result& r) { r.sigma.pop_back(); }), InputError);
  EXPECT_THROW(judged([](Result& r) { r.estimate.pop_back(); }), InputError);
  EXPECT_THROW(judged([](Result& r) { r.J.pop_back(); }), InputError);
  EXPECT_EQ(judged([](Result& r) {
              for (TypeParam& u : r.U.col(2)) u = -u;
              r.sigma[2] = -r.sigma[2];
            }).message,
            "a singular value is negative");
  EXPECT_EQ(judged([](Result& r) { r.estimate[1] = std::nan(""); }).message, "an error estimate is negative or NaN");
}

TYPED_TEST(HsvdJudge, LeavesOutWhatIsNotGivenAndTakesAnyOrder) {
  Decomposed<TypeParam> d("random", "positive", 6, 8);
  std::ranges::fill(d.G.col(3), TypeParam(0));
  d.truth = hsvd_truth(d.G, d.J), d.result = hsvd<TypeParam>(d.G, d.J, {.compute_v = true});
  EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
  std::ranges::fill(d.result.U.col(5), TypeParam(0));  // as LAPACK's xGESVJ
  EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
  for (Index i = 0; i < 8; ++i) std::swap(d.result.U(i, 0), d.result.U(i, 4));
  for (Index i = 0; i < 6; ++i) std::swap(d.result.V(i, 0), d.result.V(i, 4));
  std::swap(d.result.sigma[0], d.result.sigma[4]), std::swap(d.result.estimate[0], d.result.estimate[4]);
  EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
  std::ranges::fill(d.result.U.col(0), TypeParam(0));  // σ > 0
  EXPECT_EQ(d.judge().verdict, Status::incorrect);
}

TYPED_TEST(HsvdJudge, JudgesWideEmptyAndDenormalMatrices) {
  const auto verdict = [](const Matrix<TypeParam>& G) {
    const std::vector<int> J(static_cast<std::size_t>(G.cols()), 1);
    const HsvdMetrics metrics = judge_hsvd(G, J, hsvd_truth(G, J), hsvd<TypeParam>(G, J, {.compute_v = true}));
    EXPECT_EQ(metrics.message, "");
    return metrics.verdict;
  };
  Matrix<TypeParam> wide(2, 3), denormal(2, 2);
  wide(0, 0) = 1, wide(1, 0) = 2, wide(0, 2) = 3;
  denormal(0, 0) = 1.3e-318, denormal(1, 0) = 2.6e-318, denormal(0, 1) = 3.9e-318, denormal(1, 1) = 5.2e-318;
  EXPECT_EQ(verdict(wide), Status::passed);
  EXPECT_EQ(verdict(denormal), Status::passed);
  EXPECT_EQ(verdict(Matrix<TypeParam>(3, 0)), Status::passed);
  EXPECT_EQ(verdict(Matrix<TypeParam>(0, 3)), Status::passed);
  EXPECT_EQ(verdict(Matrix<TypeParam>(3, 2)), Status::passed);
  auto r = hsvd<TypeParam>(wide, {}, {.compute_v = true});
  r.V(1, 0) += TypeParam(1e-9);
  EXPECT_EQ(judge_hsvd(wide, {1, 1, 1}, {}, r).verdict, Status::incorrect);
}

TYPED_TEST(HsvdJudge, EstimatesTheSameErrorsAboveTheLimit) {
  for (const char* signs : {"positive", "halves"}) {
    Decomposed<TypeParam> d("graded;g=4", signs);
    EXPECT_EQ(d.judge({.full_limit = 29}).verdict, Status::passed);
    d.result.V(3, 4) += TypeParam(1e-10), d.result.U(3, 4) += TypeParam(1e-10);
    const HsvdMetrics whole = d.judge(), probed = d.judge({.full_limit = 29});
    EXPECT_EQ(whole.probes, 0);
    EXPECT_EQ(probed.probes, 8);
    EXPECT_FALSE(probed.drift);
    EXPECT_NEAR(probed.residual / whole.residual, 1, 0.6);
    EXPECT_NEAR(probed.orthogonality / whole.orthogonality, 1, 0.6);
    EXPECT_NEAR(probed.j_orthogonality / whole.j_orthogonality, 1, 0.6);
  }
}

TYPED_TEST(HsvdJudge, DoesNotHoldBaselinesToPromisesTheyDoNotMake) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  Decomposed<TypeParam> d("graded;g=8", "positive");
  d.result = solve_svd_with_baseline<TypeParam>(is_complex<TypeParam> ? "lapack:zgesdd" : "lapack:dgesdd", d.G);
  const HsvdMetrics metrics = d.judge();
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_GE(*metrics.relative_error, 1e-6);
  EXPECT_FALSE(metrics.error_per_estimate);
}

}  // namespace
}  // namespace pivotlab::experiments::hsvd_method_test
