// The Hermitian eigendecomposition as a method: names and sources, the judge, and the truth that it judges by.
#include <experiments/eigh/eigh_case.hpp>
#include <experiments/eigh/eigh_method.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>
#include <tests/scratch_folder.hpp>

#include <cmath>

namespace pivotlab::experiments::eigh_method_test {
namespace {

using Complex = std::complex<double>;

Case canonical(Case changes) {
  return canonical_case(eigh_method(), std::move(changes));
}
Value text(const char* value) {
  return std::string(value);
}

template <class T>
SymmetricMatrix<T> make(const std::string& generator, Index n) {
  return std::get<SymmetricMatrix<T>>(generate_symmetric({.generator = generator, .type = scalar_type<T>, .n = n}));
}

TEST(EighCase, FillsInWhatIsNotGiven) {
  const Case axes = canonical({{"threads", std::int64_t{2}}, {"solver", text("hev-cp-me-fb;W=16")}});
  EXPECT_EQ(canonical_json(axes),
            "{\"backend\":\"host\",\"generator\":\"random\",\"method\":\"eigh\",\"n\":128,\"seed\":1,\"solver\":"
            "\"HEV-CP-ME-FB;w=16\",\"threads\":2,\"type\":\"d\"}");
  EXPECT_EQ(eigh_method().canonical(axes), axes);
}

TEST(EighCase, AGpuHasOneThreadAndMemoryOfItsOwn) {
  const Case axes = canonical({{"backend", text("cuda")}, {"threads", std::int64_t{16}}});
  EXPECT_EQ(axes.at("threads"), Value(std::int64_t{1}));
  EXPECT_GT(eigh_method().estimate(axes).gpu_bytes, 0);
  EXPECT_EQ(eigh_method().estimate(canonical({{"backend", text("emulation")}})).gpu_bytes, 0);
}

TEST(EighCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_TRUE(error({{"solver", text("HEV-BK-ME-BO")}}).starts_with("solver: variant 'HEV-BK-ME-BO'"));
  EXPECT_TRUE(error({{"generator", text("gradedd")}}).starts_with("generator: "));
  const test::ScratchFolder folder;
  const std::string file = folder.path() / "symmetric.h5";
  write_symmetric(file, generate_symmetric(
                            {.generator = "random", .type = ScalarType::z, .symmetry = Symmetry::symmetric, .n = 3}));
  EXPECT_EQ(error({{"generator", Value("file:" + file)}}),
            "generator: the matrix is complex symmetric; give a Hermitian one");
}

TEST(EighTruth, IsThatOfKnownMatrices) {
  const auto clement = eigh_truth(make<double>("clement", 8).A);  // rounded square roots: about ±7, ±5, ±3, ±1
  for (std::size_t j = 0; j < 8; ++j)
    EXPECT_NEAR(static_cast<double>(clement.eigenvalues[j] - Quad(7 - 2 * static_cast<int>(j))), 0, 1e-14);
  const auto minij = eigh_truth(make<double>("minij", 30).A);  // 1/(2 − 2cos((2j − 1)π/(2n + 1)))
  for (int j = 1; j <= 30; ++j) {
    const double angle = (2 * j - 1) * std::acos(-1.0) / 61;
    EXPECT_NEAR(static_cast<double>(minij.eigenvalues[static_cast<std::size_t>(j - 1)]) * (2 - 2 * std::cos(angle)), 1,
                1e-12);
    EXPECT_TRUE(minij.determined[static_cast<std::size_t>(j - 1)]);
  }
  EXPECT_TRUE(eigh_truth(Matrix<double>(eigh_truth_order + 1, eigh_truth_order + 1)).eigenvalues.empty());
}

template <class T>
void expect_the_stated_inertia(const std::string& generator) {
  const auto matrix = make<T>(generator, 30);
  const auto truth = eigh_truth(matrix.A);
  Inertia inertia;
  for (std::size_t j = 0; j < 30; ++j) {
    EXPECT_TRUE(truth.determined[j]) << generator;
    ++(truth.eigenvalues[j] > 0 ? inertia.positive : inertia.negative);
  }
  EXPECT_EQ(inertia, matrix.inertia) << generator;
}

TEST(EighTruth, HasTheInertiaThatGeneratorsState) {
  for (const char* generator : {"quasidefinite;g=6", "kkt;kappa=1e12;h=diagonal", "kkt"}) {
    expect_the_stated_inertia<double>(generator);
    expect_the_stated_inertia<Complex>(generator);
  }
}

/// A result in which a test may introduce errors.
template <class T>
struct Decomposed {
  explicit Decomposed(const std::string& generator, Index n = 24)
      : A(make<T>(generator, n).A), truth(eigh_truth(A)), result(eigh<T>(A)) {}
  EighMetrics judge(const JudgeOptions& options = {}) const { return judge_eigh(A, truth, result, options); }

  Matrix<T> A;
  EighTruth truth;
  EighResult<T> result;
};

template <class T>
class EighJudge : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EighJudge, Scalars);

TYPED_TEST(EighJudge, PassesGoodDecompositions) {
  for (const char* generator : {"random", "graded;g=6;order=random;core=conditioned", "quasidefinite;g=6", "hilbert"})
    for (const JudgePrecision precision : {JudgePrecision::quad, JudgePrecision::double_double}) {
      const EighMetrics metrics = Decomposed<TypeParam>(generator).judge({.precision = precision});
      EXPECT_EQ(metrics.verdict, Status::passed) << generator << ": " << metrics.message;
      EXPECT_LE(*metrics.residual, 1e-14);
      EXPECT_LE(*metrics.orthogonality, 1e-13);
      EXPECT_LE(metrics.trace_error, 1e-14);
    }
  for (const Index n : {0, 1, 2}) EXPECT_EQ(Decomposed<TypeParam>("random", n).judge().verdict, Status::passed) << n;
}

TYPED_TEST(EighJudge, FindsASmallEigenvalueOfTheWrongSign) {
  Decomposed<TypeParam> d("quasidefinite;g=6");
  const auto small = std::ranges::min_element(d.result.eigenvalues, {}, [](double x) { return std::abs(x); });
  *small = -*small;
  const EighMetrics metrics = d.judge();
  EXPECT_EQ(metrics.verdict, Status::incorrect);
  EXPECT_EQ(*metrics.wrong_signs, 1);
  EXPECT_NE(metrics.message.find("wrong_signs 1 > 0"), std::string::npos) << metrics.message;
  d.result.noise[static_cast<std::size_t>(small - d.result.eigenvalues.begin())] = true;
  EXPECT_EQ(d.judge().verdict, Status::passed);
}

TYPED_TEST(EighJudge, FindsAnEstimateThatIsTooSmall) {
  Decomposed<TypeParam> d("graded;g=6;order=random;core=conditioned");
  for (double& estimate : d.result.estimate) estimate *= 1e-4;
  EXPECT_NE(d.judge().message.find("error_per_estimate"), std::string::npos);
}

TYPED_TEST(EighJudge, FindsVectorsThatAreNotThoseOfTheMatrix) {
  Decomposed<TypeParam> d("random");
  d.result.U(3, 4) += TypeParam(1e-11);
  const EighMetrics metrics = d.judge();
  EXPECT_NE(metrics.message.find("residual_ratio"), std::string::npos);
  EXPECT_NE(metrics.message.find("orthogonality_ratio"), std::string::npos);
  d.result.U(3, 4) = TypeParam(std::nan(""));
  EXPECT_EQ(d.judge().message, "the result contains NaN or Inf");
}

TYPED_TEST(EighJudge, FindsPairsThatAreOutOfOrder) {
  Decomposed<TypeParam> d("random");
  std::swap(d.result.eigenvalues[3], d.result.eigenvalues[4]);
  std::ranges::swap_ranges(d.result.U.col(3), d.result.U.col(4));
  const EighMetrics metrics = d.judge();
  EXPECT_EQ(metrics.message, "the eigenvalues are not in descending order");
  EXPECT_EQ(metrics.verdict, Status::incorrect);
}

TYPED_TEST(EighJudge, EstimatesTheSameErrorsAboveTheLimit) {
  Decomposed<TypeParam> d("graded;g=4");
  EXPECT_EQ(d.judge({.full_limit = 23}).verdict, Status::passed);
  d.result.U(3, 4) += TypeParam(1e-10);
  const EighMetrics whole = d.judge(), probed = d.judge({.full_limit = 23});
  EXPECT_EQ(whole.probes, 0);
  EXPECT_EQ(probed.probes, 8);
  EXPECT_EQ(probed.verdict, Status::incorrect);
  EXPECT_EQ(probed.relative_error, whole.relative_error);
  EXPECT_NEAR(*probed.residual / *whole.residual, 1, 0.6);
  EXPECT_NEAR(*probed.orthogonality / *whole.orthogonality, 1, 0.6);
}

TYPED_TEST(EighJudge, DoesNotHoldBaselinesToPromisesTheyDoNotMake) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  Decomposed<TypeParam> d("quasidefinite;g=6");
  d.result = solve_eigh_with_baseline<TypeParam>(is_complex<TypeParam> ? "lapack:zheevd" : "lapack:dsyevd", d.A);
  const EighMetrics metrics = d.judge();
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_GE(*metrics.relative_error, 1e-6);
  EXPECT_FALSE(metrics.error_per_estimate);
}

}  // namespace
}  // namespace pivotlab::experiments::eigh_method_test
