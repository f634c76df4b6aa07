// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic singular value decomposition as a method: names and sources, the judge, and the truth it
// judges by.
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>
#include <experiments/problems/kind.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <tests/experiments/method_cases.hpp>
#include <tests/scratch_folder.hpp>

#include <array>
#include <cmath>

namespace pivotlab::experiments::ghsvd_method_test {
namespace {

using Complex = std::complex<double>;

Case canonical(Case changes) {
  return canonical_case(ghsvd_method(), std::move(changes));
}
Value text(const char* value) {
  return std::string(value);
}

TEST(GhsvdCase, FillsInWhatIsNotGiven) {
  const Case axes =
      canonical({{"threads", std::int64_t{2}}, {"m_f", std::int64_t{20}}, {"solver", text("ghsvd-hz-me-pt")}});
  EXPECT_EQ(canonical_json(axes),
            "{\"backend\":\"host\",\"generator\":\"random\",\"m_f\":20,\"m_g\":128,\"method\":\"ghsvd\",\"n\":128,"
            "\"seed\":1,\"signs\":\"third\",\"solver\":\"GHSVD-HZ-ME-PT\",\"threads\":2,\"type\":\"d\"}");
  EXPECT_EQ(ghsvd_method().canonical(axes), axes);
}

TEST(GhsvdCase, NamesTheAxisOfAMistake) {
  const auto error = [](Case changes) { return input_error([&] { canonical(std::move(changes)); }); };
  EXPECT_TRUE(error({{"solver", text("GHSVD-HZ-ME-BO")}}).starts_with("solver: variant GHSVD-HZ: "));
  EXPECT_TRUE(error({{"solver", text("lapack:?ggsvd3")}}).starts_with("solver: "));
  EXPECT_TRUE(error({{"generator", text("wave")}}).starts_with("generator: "));
  EXPECT_TRUE(error({{"generator", text("random;truth=none")}}).starts_with("generator: option truth"));
  EXPECT_EQ(error({{"m_g", std::int64_t{20}}}),
            "m_g: G is 20 x 128, with fewer rows than columns; its columns must be independent");
  EXPECT_EQ(error({{"m_f", std::int64_t{20}}, {"generator", text("neutral")}}),
            "m_f: is 20, must be at least n = 128 (or 0 for n) with generator 'neutral'");
  const test::ScratchFolder folder;
  const std::string file = folder.path() / "wide.mtx";
  write_matrix_market(file, Matrix<double>(2, 3));
  EXPECT_EQ(error({{"generator", Value("files:" + file + "," + file)}}),
            "generator: G is 2 x 3, with fewer rows than columns; its columns must be independent");
}

TEST(GhsvdCase, TakesTypeAndShapeFromTheFiles) {
  const test::ScratchFolder folder;
  const std::string f = folder.path() / "F.mtx", g = folder.path() / "G.mtx";
  write_matrix_market(f, Matrix<Complex>(2, 3));
  write_matrix_market(g, Matrix<double>(4, 3));
  const ProblemCase wanted = read_problem(pairs(), canonical({{"generator", Value("files:" + f + "," + g)}}));
  EXPECT_EQ(wanted.type, ScalarType::z);
  EXPECT_EQ(wanted.m_f, 2);
  EXPECT_EQ(wanted.m_g, 4);
  EXPECT_EQ(wanted.n, 3);
  EXPECT_FALSE(wanted.digest.empty());
}

TEST(GhsvdTruth, IsThatOfKnownPairs) {
  Matrix<double> F(3, 2), G(2, 2);  // columns (3, 4, 0), (0, 0, 2) of F; G = diag(1, 2)
  F(0, 0) = 3, F(1, 0) = 4, F(2, 1) = 2, G(0, 0) = 1, G(1, 1) = 2;
  const GhsvdTruth truth = ghsvd_truth(F, G, {1, -1, -1});
  ASSERT_EQ(truth.eigenvalues.size(), 2U);
  EXPECT_LE(std::abs(static_cast<double>(truth.eigenvalues[0] + 1)), 1e-30);
  EXPECT_LE(std::abs(static_cast<double>(truth.eigenvalues[1] + 7)), 1e-29);
  EXPECT_EQ(truth.determined, (std::vector{true, true}));
  EXPECT_EQ(truth.signs, (std::vector{-1, -1}));
  F(1, 0) = 3;  // a neutral column
  EXPECT_EQ(ghsvd_truth(F, G, {1, -1, -1}).signs, (std::vector{0, -1}));
  G(0, 0) = G(0, 1) = 1, G(1, 0) = G(1, 1) = 2;  // dependent columns
  EXPECT_TRUE(ghsvd_truth(F, G, {1, -1, -1}).eigenvalues.empty());
}

/// A result in which a test may introduce errors.
template <class T>
struct Decomposed {
  explicit Decomposed(const std::string& generator, const char* signs = "third", const char* variant = "GHSVD-TR-ME-PT",
                      Index n = 20, Index m_f = 40)
      : pair(std::get<Pair<T>>(generate_pair(
            {.generator = generator, .type = scalar_type<T>, .n = n, .m_f = m_f, .m_g = n + 5, .sigma = false}))),
        J(generate_signs(signs, m_f, 1)),
        truth(ghsvd_truth(pair.F, pair.G, J)),
        result(ghsvd<T>(pair.F, pair.G, J, {.variant = parse_ghsvd_variant(variant)})) {}
  GhsvdMetrics judge(const JudgeOptions& options = {}) const {
    return judge_ghsvd(pair.F, pair.G, J, truth, result, options);
  }

  Pair<T> pair;
  std::vector<int> J;
  GhsvdTruth truth;
  GhsvdResult<T> result;
};

template <class T>
class GhsvdJudge : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(GhsvdJudge, Scalars);

TYPED_TEST(GhsvdJudge, PassesGoodDecompositions) {
  for (const char* generator : {"random", "two-sided;columns_f=random;columns_g=random;g=4",
                                "two-sided;rows_f=random;g=1", "waves;overlap=0.2"})
    for (const char* signs : {"positive", "halves"})
      for (const JudgePrecision precision : {JudgePrecision::quad, JudgePrecision::double_double}) {
        const GhsvdMetrics metrics = Decomposed<TypeParam>(generator, signs).judge({.precision = precision});
        EXPECT_EQ(metrics.verdict, Status::passed) << generator << ": " << metrics.message;
        EXPECT_LE(metrics.residual, 1e-14);
        EXPECT_LE(metrics.residual_f, 1e-14);
        EXPECT_LE(metrics.columnwise_f, 256);
        EXPECT_LE(metrics.residual_g, 1e-14);
        EXPECT_LE(metrics.orthogonality, 1e-13);
        EXPECT_LE(metrics.j_orthogonality, 1e-12);
      }
  EXPECT_EQ(Decomposed<TypeParam>("neutral", "halves").judge().verdict, Status::passed);
  EXPECT_EQ(Decomposed<TypeParam>("random", "third", "GHSVD-HZ-ME-PT").judge().verdict, Status::passed);
  EXPECT_EQ(Decomposed<TypeParam>("random", "third", "GHSVD-TR-ME-BO", 1, 1).judge().verdict, Status::passed);
}

TYPED_TEST(GhsvdJudge, KnowsThatFewRowsDetermineZeros) {
  Decomposed<TypeParam> d("random", "third", "GHSVD-TR-ME-PT", 20, 9);
  GhsvdMetrics metrics = d.judge();
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_EQ(metrics.undetermined, 0);
  const auto first = static_cast<std::size_t>(d.result.inertia.positive);  // zeros begin there
  EXPECT_EQ(d.truth.reach[first], Quad(0));
  d.result.eigenvalues[first] = 1e-200, d.result.J[first] = 1, d.result.inertia = {};
  metrics = d.judge();
  EXPECT_NE(metrics.message.find("wrong_signs"), std::string::npos) << metrics.message;
}

TYPED_TEST(GhsvdJudge, FindsAnEigenvalueThatIsWrongInItsLastDigitsAlone) {
  Decomposed<TypeParam> d("two-sided;columns_f=random;g=4");
  const std::size_t smallest = 6;  // its modulus is far below that of the largest
  d.result.eigenvalues[smallest] *= 1 + 1e-11;
  const GhsvdMetrics metrics = d.judge();
  EXPECT_NE(metrics.message.find("error_per_estimate"), std::string::npos) << metrics.message;
  EXPECT_NE(metrics.message.find("normalization_ratio"), std::string::npos) << metrics.message;
  EXPECT_NEAR(*metrics.relative_error, 1e-11, 1e-13);
  EXPECT_LE(*metrics.eigenvalue_error, 1e-14);
}

TYPED_TEST(GhsvdJudge, FindsAWrongSign) {
  Decomposed<TypeParam> d("random");
  const auto negative = static_cast<std::size_t>(d.result.inertia.positive), last = negative - 1;
  d.result.eigenvalues[last] = d.result.eigenvalues[negative] / 2, d.result.J[last] = -1, d.result.inertia = {};
  const GhsvdMetrics metrics = d.judge();
  EXPECT_EQ(metrics.wrong_signs, 1);
  for (const char* failed : {"wrong_signs", "error_per_estimate", "residual_ratio"})
    EXPECT_NE(metrics.message.find(failed), std::string::npos) << metrics.message;
}

TYPED_TEST(GhsvdJudge, LooksAtOrderAndCompletenessFirst) {
  const auto message = [](auto change) {
    Decomposed<TypeParam> d("random");
    change(d.result);
    const GhsvdMetrics metrics = d.judge();
    EXPECT_EQ(metrics.verdict, Status::incorrect);
    return metrics.message;
  };
  EXPECT_EQ(message([](auto& r) { r.eigenvalues.back() *= -1; }), "the eigenvalues do not descend");
  EXPECT_EQ(message([](auto& r) { r.J.back() = 1; }), "an element of J' is not the sign of its eigenvalue");
  EXPECT_EQ(message([](auto& r) { r.inertia = {20, 0, 0}; }), "the inertia is not that of J'");
  EXPECT_EQ(message([](auto& r) { r.estimate[3] = std::nan(""); }), "an estimate is not a number between 0 and 1");
  Decomposed<TypeParam> d("random");
  d.result.estimate.pop_back(), d.result.noise.pop_back();
  EXPECT_THROW(d.judge(), std::invalid_argument);
}

TYPED_TEST(GhsvdJudge, JudgesEmptyPairs) {
  using T = TypeParam;
  for (const auto& [m_f, m_g, n] : {std::array<Index, 3>{0, 0, 0}, {2, 3, 0}, {0, 20, 17}}) {
    Matrix<T> F(m_f, n), G(m_g, n);
    for (Index j = 0; j < n; ++j) G(j, j) = T(1);
    const std::vector<int> J(static_cast<std::size_t>(m_f), 1);
    const GhsvdMetrics metrics = judge_ghsvd(F, G, J, ghsvd_truth(F, G, J), ghsvd<T>(F, G, J));
    EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  }
}

// The enclosures do not depend on what has computed the vectors: they hold for exact eigenvalues of integer pairs with
// repeated eigenvalues, and are narrow.
TYPED_TEST(GhsvdJudge, TruthHasRepeatedEigenvalues) {
  using T = TypeParam;
  Matrix<T> F(8, 6), G = Matrix<T>::identity(6);
  for (Index j = 0; j < 6; ++j) F(j, j) = T(j < 3 ? 2 : 3), G(j, j) = T(j % 3 + 1);
  F(6, 0) = F(7, 3) = T(1);
  const GhsvdTruth truth = ghsvd_truth(F, G, {1, 1, 1, -1, -1, -1, 1, 1});
  const double expected[] = {5, 1, 4.0 / 9, -1, -9.0 / 4, -8};
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_TRUE(truth.determined[j]);
    EXPECT_NEAR(static_cast<double>(truth.eigenvalues[j]), expected[j], 1e-15 * std::abs(expected[j]));
  }
  for (Index j = 0; j < 6; ++j) G(j, j) = T(1);
  F(6, 0) = F(7, 3) = T(0);
  const GhsvdTruth repeated = ghsvd_truth(F, G, {1, 1, 1, -1, -1, -1, 1, 1});
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_TRUE(repeated.determined[j]);
    EXPECT_EQ(static_cast<double>(repeated.eigenvalues[j]), j < 3 ? 4 : -9);
  }
}

TYPED_TEST(GhsvdJudge, FindsVectorsThatAreNotThoseOfThePair) {
  const auto failures = [](auto change) {
    Decomposed<TypeParam> d("random");
    change(d.result);
    return d.judge().message;
  };
  const auto expect = [](const std::string& message, std::initializer_list<const char*> failed) {
    for (const char* name : failed) EXPECT_NE(message.find(name), std::string::npos) << message;
  };
  expect(failures([](auto& r) { r.Z(3, 4) += TypeParam(1e-10); }),
         {"residual_ratio", "residual_f_ratio", "residual_g_ratio"});
  expect(failures([](auto& r) { r.U(3, 4) += TypeParam(1e-10); }), {"residual_f_ratio", "j_orthogonality_ratio"});
  expect(failures([](auto& r) { r.V(3, 4) += TypeParam(1e-10); }), {"residual_g_ratio", " orthogonality_ratio"});
  expect(failures([](auto& r) { r.sigma_g[2] *= 1 + 1e-12; }), {"normalization_ratio"});
  EXPECT_EQ(failures([](auto& r) { r.Z(0, 0) = TypeParam(std::nan("")); }), "the result contains NaN or Inf");
}

TYPED_TEST(GhsvdJudge, RecordsSayWhereTheTangentWasFactored) {
  const auto place = [](const char* variant, Backend backend) {
    const Decomposed<TypeParam> d("random");
    const auto options = GhsvdOptions{.variant = parse_ghsvd_variant(variant), .backend = backend};
    return GhsvdConvergence(ghsvd<TypeParam>(d.pair.F, d.pair.G, d.J, options)).factored_on;
  };
  EXPECT_EQ(place("GHSVD-TR-ME-PT;precision=working", Backend::host), "host");
  EXPECT_EQ(place("GHSVD-HZ-ME-PT", Backend::host), std::nullopt);
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  EXPECT_EQ(place("GHSVD-TR-ME-BO;w=16", Backend::emulation), "host");
  EXPECT_EQ(place("GHSVD-TR-ME-BO;w=16;precision=working", Backend::emulation), "emulation");
}

TYPED_TEST(GhsvdJudge, DoesNotHoldBaselinesToPromisesTheyDoNotMake) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  Decomposed<TypeParam> d("two-sided;columns_f=random;g=4");
  const char* name = is_complex<TypeParam> ? "lapack:zhegvd" : "lapack:dsygvd";
  d.result = solve_ghsvd_with_baseline<TypeParam>(name, d.pair.F, d.pair.G, d.J);
  const GhsvdMetrics metrics = d.judge();
  EXPECT_LE(metrics.residual_ratio, 30);
  EXPECT_GE(*metrics.relative_error, 1e-6);
  EXPECT_FALSE(metrics.error_per_estimate);
  EXPECT_FALSE(metrics.undetermined);
}

}  // namespace
}  // namespace pivotlab::experiments::ghsvd_method_test
