// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigendecomposition as a method: names and sources, the judge, and the truth that it judges by.
#include <experiments/eigh/eigh.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>
#include <tests/scratch_folder.hpp>

#include <cmath>
#include <random>

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
  for (const std::int64_t n : {1000, 16896, 18000}) {  // with its workspace; the last one is refused when it runs
    const auto estimate = eigh_method().estimate(
        canonical({{"backend", text("cuda")}, {"solver", text("HEV-2STAGE")}, {"n", n}, {"type", text("z")}}));
    EXPECT_GT(estimate.gpu_bytes, 4.0 * 16e6) << n;
    EXPECT_LT(estimate.gpu_bytes, 7.0 * 16 * 16896 * 16896) << n;
  }
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

// The squares of these elements have few digits; a reflection by them would not be orthogonal.
TEST(EighTruth, InDoubleSurvivesElementsWhoseSquaresUnderflow) {
  Matrix<double> A(3, 3);
  for (Index j = 0; j < 3; ++j) A(j, j) = static_cast<double>(j + 1);
  A(1, 0) = A(0, 1) = 1e-161, A(2, 0) = A(0, 2) = 3e-162;
  const EighTruth truth = eigh_truth_in_double(A, 0);
  ASSERT_EQ(truth.eigenvalues.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_NEAR(static_cast<double>(truth.eigenvalues[j]), 3 - static_cast<double>(j), 1e-15);
}

TEST(EighTruth, TakesAsManyBitsAsSmallEigenvaluesNeed) {
  Matrix<double> A(3, 3);
  A(0, 0) = A(0, 1) = A(1, 0) = A(1, 1) = 1, A(0, 2) = A(2, 0) = 1e-300;
  const auto truth = eigh_truth(A);  // 2, ±1e-300/√2
  EXPECT_NEAR(static_cast<double>(truth.eigenvalues[1] * Quad(1e300)), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(static_cast<double>(truth.eigenvalues[2] * Quad(1e300)), -std::sqrt(0.5), 1e-15);
  EXPECT_TRUE(truth.determined[1]);
  Matrix<Complex> Z(2, 2);
  Z(0, 0) = Z(1, 1) = 1, Z(0, 1) = Complex(0, 1), Z(1, 0) = Complex(0, -1);
  const auto of_z = eigh_truth(Z);  // 2, 0
  EXPECT_EQ(static_cast<double>(of_z.eigenvalues[0]), 2);
  EXPECT_LE(abs(of_z.eigenvalues[1]), of_z.errors[1]);
  EXPECT_FALSE(of_z.determined[1]);
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
  d.result.inertia = {};
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

TYPED_TEST(EighJudge, TakesTwoStagesAtTheirWord) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  Decomposed<TypeParam> d("quasidefinite;g=6");
  d.result = eigh<TypeParam>(d.A, {.variant = parse_eigh_variant("HEV-2STAGE"), .backend = Backend::emulation});
  const EighMetrics metrics = d.judge();
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_GT(*metrics.undetermined, 0);
  EXPECT_LE(*metrics.error_per_estimate, 1);
  EXPECT_GE(*metrics.relative_error, 1e-6);
  d.result.noise.assign(24, false);
  for (double& estimate : d.result.estimate) estimate = std::min(estimate, 1e-10);
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

TYPED_TEST(EighJudge, TakesNoNegativeEstimate) {
  Decomposed<TypeParam> d("random");
  d.result.estimate[2] = -d.result.estimate[2];
  EXPECT_EQ(d.judge().message, "an error estimate is negative");
}

// Random saddle points with singular H and couplings down to 1e-60: what the solver calls determined is right.
TYPED_TEST(EighJudge, PassesSaddlePointsWithTinyCouplings) {
  using T = TypeParam;
  std::mt19937_64 generator(1);
  const auto integer = [&] { return T(static_cast<double>(generator() % 7) - 3); };
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 3 + static_cast<Index>(generator() % 4), m = 2 + static_cast<Index>(generator() % (n - 2));
    const double size = std::pow(10.0, -static_cast<double>(generator() % 60));
    std::vector<T> x;
    for (Index i = 0; i < m; ++i) x.push_back(integer());
    Matrix<T> A(n, n);
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < n; ++i) {
        A(i, j) = i < m ? x[i] * conjugate(x[j]) : integer() * size;
        A(j, i) = conjugate(A(i, j));
      }
    const EighTruth truth = eigh_truth(A);
    EighResult<T> result = eigh<T>(A);
    EXPECT_EQ(judge_eigh(A, truth, result).verdict, Status::passed) << judge_eigh(A, truth, result).message;
    for (std::size_t j = 0; j < result.noise.size(); ++j) result.noise[j] = false, result.estimate[j] = 1e-15;
    for (std::size_t j = 0; j < result.noise.size(); ++j) {
      const double exact(truth.eigenvalues[j]);
      if (truth.determined[j] && exact != 0 && std::abs(result.eigenvalues[j] / exact - 1) > 1e-13) {
        EXPECT_EQ(judge_eigh(A, truth, result).verdict, Status::incorrect) << exact << " " << result.eigenvalues[j];
      }
    }
  }
}

TYPED_TEST(EighJudge, ComparesEigenvaluesWithoutVectors) {
  for (const Index n : {3, 24, 140}) {
    Decomposed<TypeParam> d("random", n);
    EighResult<TypeParam> without;
    without.eigenvalues = d.result.eigenvalues;
    d.result = without;
    EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
    d.result.eigenvalues.front() += 1e-6, d.result.eigenvalues.back() -= 1e-6;  // with the same trace
    EXPECT_NE(d.judge().message.find("eigenvalue_ratio"), std::string::npos) << n;
  }
  const Matrix<TypeParam> large(2050, 2050);
  EighResult<TypeParam> zeros;
  zeros.eigenvalues.assign(2050, 0.0);
  EXPECT_EQ(judge_eigh(large, {}, zeros).verdict, Status::skipped);
}

TYPED_TEST(EighJudge, TakesAscendingOrder) {
  Decomposed<TypeParam> d("graded;g=6;order=random;core=conditioned");
  std::ranges::reverse(d.result.eigenvalues), std::ranges::reverse(d.result.estimate);
  std::reverse(d.result.noise.begin(), d.result.noise.end());
  EXPECT_EQ(d.judge().verdict, Status::incorrect);  // the vectors are in descending order
  for (Index j = 0; j < 12; ++j) std::ranges::swap_ranges(d.result.U.col(j), d.result.U.col(23 - j));
  EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
}

TYPED_TEST(EighJudge, AllowsTheRoundingOfDenormalNumbers) {
  Decomposed<TypeParam> d("random", 8);
  for (Index i = 0; i < d.A.size(); ++i)
    d.A.data()[i] = std::ldexp(1.0, -1030) * (d.A.data()[i] * std::ldexp(1.0, -40));
  d.truth = eigh_truth(d.A), d.result = eigh<TypeParam>(d.A);
  EXPECT_EQ(d.judge().verdict, Status::passed) << d.judge().message;
  d.result.eigenvalues.front() *= 2;
  EXPECT_EQ(d.judge().verdict, Status::incorrect);
}

TYPED_TEST(EighJudge, FindsWhatIsNotANumberOrContradictsItself) {
  Decomposed<TypeParam> d("random", 5);
  d.result.estimate[2] = std::nan("");
  EXPECT_EQ(d.judge().message, "the result contains NaN or Inf");
  d.result.estimate[2] = 1e-15;
  std::swap(d.result.inertia.positive, d.result.inertia.zero);
  EXPECT_EQ(d.judge().message, "the inertia is not that of the eigenvalues");
  d.result.inertia = {};
  EXPECT_EQ(d.judge().verdict, Status::passed);
  d.result.estimate.pop_back();
  EXPECT_THROW(d.judge(), std::invalid_argument);
  d.result.estimate.clear(), d.result.noise.clear();
  EXPECT_EQ(d.judge().verdict, Status::passed);
  d.result.U = Matrix<TypeParam>(5, 4);
  EXPECT_THROW(d.judge(), std::invalid_argument);
}

TYPED_TEST(EighJudge, FindsPairsThatAreOutOfOrder) {
  Decomposed<TypeParam> d("random");
  std::swap(d.result.eigenvalues[3], d.result.eigenvalues[4]);
  std::ranges::swap_ranges(d.result.U.col(3), d.result.U.col(4));
  const EighMetrics metrics = d.judge();
  EXPECT_EQ(metrics.message, "the eigenvalues are neither in descending nor in ascending order");
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
