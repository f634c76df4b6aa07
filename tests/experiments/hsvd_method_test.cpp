// The hyperbolic singular value decomposition as a method: names and sources, the judge, and the truth it judges by.
#include <experiments/hsvd/hsvd_case.hpp>
#include <experiments/hsvd/hsvd_method.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
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
  const HsvdCase wanted = interpret_hsvd(canonical({{"generator", Value("file:" + file)}}));
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
