// SPDX-License-Identifier: BSD-3-Clause
// The judge of the symmetric indefinite factorization: LAPACK's own tests, and errors that it must detect.
#include <gtest/gtest.h>
#include <experiments/ldlt/gjg_errors.hpp>
#include <experiments/ldlt/ldlt_errors.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_stages.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <tests/experiments/ldlt_judged.hpp>
#include <tests/ldlt/matrices.hpp>

#include <functional>
#include <random>

namespace pivotlab::experiments::ldlt_metrics_test {
namespace {

using ldlt_judged::generated;
using test::all_pivotings;
using Complex = std::complex<double>;

template <class T>
LdltMetrics judge(const SymmetricMatrix<T>& matrix, const LdltFactorization<T>& f, const JudgeOptions& options = {}) {
  const KnownSystem<T> known = make_system(matrix.A, 4);
  const auto solution = f.solve_refined(matrix.A, known.B, InputTriangle::whole, 0);
  const LdltSystem<T> system{known.B, known.X_true, &solution.X};
  return judge_ldlt(matrix, factors_of(f), claims_of(f), &system, options);
}

/// Returns A with NaN in the other triangle, which must not be read.
template <class T>
Matrix<T> only(Matrix<T> A, InputTriangle triangle) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (triangle == InputTriangle::lower ? i < j : i > j) A(i, j) = T(not_a_number);
  return A;
}

template <class T>
void expect_lapacks_ratios(Index n, Symmetry symmetry) {
  for (int type = 1; type <= 10; ++type) {
    const std::string generator = "latb4;type=" + std::to_string(type);
    SymmetricMatrix<T> matrix;
    try {
      matrix = generated<T>(generator, n, symmetry);
    } catch (const InputError&) {
      continue;  // a complex symmetric matrix with prescribed eigenvalues
    }
    for (const Pivoting pivoting : all_pivotings) {
      SCOPED_TRACE(testing::Message() << generator << " n = " << n << " " << to_string(pivoting));
      const auto factor = [&](InputTriangle triangle) {
        return ldlt<T>(only(matrix.A, triangle),
                       {.variant = {.pivoting = pivoting}, .symmetry = symmetry, .triangle = triangle});
      };
      const auto f = factor(InputTriangle::lower), of_upper = factor(InputTriangle::upper);
      EXPECT_TRUE(std::ranges::equal(elements(f.M), elements(of_upper.M)));
      EXPECT_EQ(f.diagonal, of_upper.diagonal);
      EXPECT_EQ(f.subdiagonal, of_upper.subdiagonal);
      EXPECT_EQ(f.permutation, of_upper.permutation);
      const LdltMetrics metrics = judge(matrix, f);
      EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
      EXPECT_LT(metrics.dsyt01, 30);
      EXPECT_LT(metrics.dpot02.value(), 30);
    }
  }
}

TEST(LdltJudge, PassesLapacksTestMatrices) {
  for (const Index n : {0, 1, 2, 3, 5, 10, 50}) {
    expect_lapacks_ratios<double>(n, Symmetry::symmetric);
    expect_lapacks_ratios<Complex>(n, Symmetry::hermitian);
    expect_lapacks_ratios<Complex>(n, Symmetry::symmetric);
  }
}

TEST(LdltJudge, PassesLapacksTestMatricesOfOrder300) {
  expect_lapacks_ratios<double>(300, Symmetry::symmetric);
}

/// Judges factors without a search, and counts those that did not take rook pivoting.
template <class T>
void expect_unsearched(Index n, Symmetry symmetry, int& accepted) {
  std::vector<std::string> generators = {"random", "fiedler", "minij",   "kkt",
                                         "graded", "lowrank", "clement", "hilbert"};
  for (int type = 1; type <= 10; ++type) generators.push_back("latb4;type=" + std::to_string(type));
  for (const std::string& generator : generators)
    for (const bool equilibrate : {false, true})
      for (const int depth : {0, 1, 2}) {
        SymmetricMatrix<T> matrix;
        try {
          matrix = generated<T>(generator, n, symmetry);
        } catch (const InputError&) {
          continue;
        }
        SCOPED_TRACE(testing::Message() << generator << " n = " << n << ", depth " << depth);
        const auto f =
            ldlt<T>(matrix.A, {.variant = {.pivoting = Pivoting::none, .equilibrate = equilibrate, .depth = depth},
                               .symmetry = symmetry});
        const LdltMetrics metrics = judge(matrix, f);
        EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message << "; " << f.refusal;
        if (!f.refusal.empty()) continue;
        ++accepted;
        EXPECT_EQ(metrics.pivots_1x1, n);
        LdltFactorization<T> wrong = f;
        if (depth > 0) wrong.butterfly(0, 2 * depth - 1) *= -1;
        if (depth == 0) wrong.diagonal[0] *= 2.0;
        EXPECT_EQ(judge(matrix, wrong).verdict, n == 1 && depth > 0 ? Status::passed : Status::incorrect);
      }
}

TEST(LdltJudge, JudgesFactorsWithoutSearch) {
  int accepted = 0;
  for (const Index n : {1, 5, 50}) {
    expect_unsearched<double>(n, Symmetry::symmetric, accepted);
    expect_unsearched<Complex>(n, Symmetry::hermitian, accepted);
    expect_unsearched<Complex>(n, Symmetry::symmetric, accepted);
  }
  EXPECT_GT(accepted, 80);
}

TEST(LdltJudge, ConditionOfNearlyRealComplexSymmetricPivots) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 150; ++k) {
    const Complex z =
        k == 0 ? Complex(1e9, 0.077) : std::ldexp(1 + uniform(generator), k % 60) + Complex(0, uniform(generator));
    SymmetricMatrix<Complex> matrix{.A = Matrix<Complex>(2, 2), .symmetry = Symmetry::symmetric};
    matrix.A(0, 1) = matrix.A(1, 0) = z;
    const LdltMetrics metrics = judge(matrix, ldlt<Complex>(matrix.A, {.symmetry = Symmetry::symmetric}));
    EXPECT_EQ(metrics.verdict, Status::passed) << z << ": " << metrics.message;
    EXPECT_NEAR(metrics.max_condition, 1, 1e-13);
    EXPECT_EQ(metrics.rank, 2);
  }
}

template <class T>
void expect_zero_matrices_pass(Symmetry symmetry) {
  for (const Index n : {0, 1, 2, 5})
    for (const Pivoting pivoting : all_pivotings) {
      SymmetricMatrix<T> matrix{.A = Matrix<T>(n, n), .symmetry = symmetry};
      const LdltMetrics metrics =
          judge(matrix, ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry}));
      EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
      EXPECT_EQ(metrics.rank, 0);
      EXPECT_EQ(metrics.residual, 0);
    }
}

TEST(LdltJudge, PassesZeroMatrices) {
  expect_zero_matrices_pass<double>(Symmetry::hermitian);
  expect_zero_matrices_pass<Complex>(Symmetry::hermitian);
  expect_zero_matrices_pass<Complex>(Symmetry::symmetric);
}

TEST(LdltJudge, CallsAZeroBlockSingular) {
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
    const SymmetricMatrix<Complex> matrix{.A = Matrix<Complex>(2, 2), .symmetry = symmetry};
    const Matrix<Complex> M = Matrix<Complex>::identity(2);
    const std::vector<Complex> zeros(2);
    const std::vector<Index> permutation{0, 1};
    LdltFactors<Complex> factors{M, zeros, zeros, permutation};
    factors.pivots = {2};
    const LdltMetrics metrics = judge_ldlt(matrix, factors, {.condition_bound = 100});
    EXPECT_EQ(metrics.rank, 0);
    EXPECT_EQ(metrics.message, "max_condition inf > 1e+02");
  }
}

TEST(LdltJudge, PassesAMatrixWhoseNormOverflows) {
  SymmetricMatrix<double> matrix{.A = Matrix<double>(3, 3)};
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) matrix.A(i, j) = i == j ? -1.5e308 : 1e308;
  const auto f = ldlt<double>(matrix.A);
  const LdltMetrics metrics = judge_ldlt(matrix, factors_of(f), claims_of(f));
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
}

TEST(LdltJudge, MeasuresWhatTheDefinitionsSay) {
  for (const Pivoting pivoting : all_pivotings)
    for (const Index n : {1, 7, 40}) {
      const auto matrix = generated<double>("random", n);
      const auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = pivoting}});
      const LdltMetrics metrics = judge(matrix, f);
      const double ratio = 2 * test::residual_ratio(matrix.A, f);  // whose ε is 2⁻⁵²
      EXPECT_NEAR(metrics.dsyt01, ratio, 1e-3 * ratio);
      EXPECT_DOUBLE_EQ(metrics.residual, metrics.dsyt01 * static_cast<double>(n) * 0x1p-53);
      EXPECT_EQ(metrics.max_multiplier, f.max_multiplier);
      EXPECT_NEAR(metrics.max_condition, f.max_condition(), 1e-12 * f.max_condition());
      EXPECT_EQ(metrics.rank, f.rank);
      EXPECT_EQ(metrics.inertia, f.inertia);
      EXPECT_EQ(metrics.pivots_1x1, f.pivots(1));
      EXPECT_EQ(metrics.pivots_2x2, f.pivots(2));
      EXPECT_LT(metrics.solve_error.value(), 1e-10);
    }
}

TEST(LdltJudge, PrecisionsAndTilesAgree) {
  const auto expect = [](const auto& matrix) {
    using T = std::remove_cvref_t<decltype(matrix.A(0, 0))>;
    const auto f = ldlt<T>(matrix.A, {.variant = {.pivoting = Pivoting::rook}, .symmetry = matrix.symmetry});
    const LdltMetrics quad = judge(matrix, f, {.precision = JudgePrecision::quad}),
                      dd = judge(matrix, f, {.precision = JudgePrecision::double_double});
    EXPECT_DOUBLE_EQ(quad.residual, dd.residual);
    EXPECT_DOUBLE_EQ(quad.dpot02.value(), dd.dpot02.value());
    const LdltFactors<T> factors = factors_of(f);
    const auto error = [&](Index tile) {
      return reconstruction_error<Rebind<T, DoubleDouble>>(matrix, factors, 0, 2, tile);
    };
    for (const Index tile : {1, 7, 16}) EXPECT_DOUBLE_EQ(error(tile), error(1024)) << tile;
  };
  expect(generated<double>("random", 33));
  expect(generated<Complex>("random", 33));
  expect(generated<Complex>("random", 33, Symmetry::symmetric));
}

TEST(LdltJudge, IndependentOfScale) {
  for (const double factor : {0x1p-1000, 0x1p1000}) {
    const auto matrix = generated<double>("random", 20);
    SymmetricMatrix<double> extreme{matrix};
    for (Index i = 0; i < extreme.A.size(); ++i) extreme.A.data()[i] *= factor;
    const LdltMetrics plain = judge(matrix, ldlt<double>(matrix.A)), other = judge(extreme, ldlt<double>(extreme.A));
    EXPECT_EQ(other.verdict, Status::passed) << other.message;
    EXPECT_NEAR(other.dsyt01, plain.dsyt01, 0.3 * plain.dsyt01);
    EXPECT_LT(other.dpot02.value(), 30);
  }
}

TEST(LdltJudge, PassesSingularMatricesAndKnowsTheirRank) {
  for (const Pivoting pivoting : all_pivotings) {
    const auto zero = SymmetricMatrix<double>{.A = Matrix<double>(5, 5), .inertia = Inertia{0, 0, 5}};
    const LdltMetrics of_zero = judge(zero, ldlt<double>(zero.A, {.variant = {.pivoting = pivoting}}));
    EXPECT_EQ(of_zero.verdict, Status::passed) << of_zero.message;
    EXPECT_EQ(of_zero.rank, 0);
    EXPECT_EQ(of_zero.inertia_agrees, true);
    EXPECT_EQ(of_zero.residual, 0);
    const auto low = generated<double>("lowrank", 60);
    const LdltMetrics of_low =
        judge(low, ldlt<double>(low.A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 1e-12}));
    EXPECT_EQ(of_low.verdict, Status::passed) << of_low.message;
    EXPECT_FALSE(of_low.solve_error);
    if (pivoting != Pivoting::partial) {
      EXPECT_EQ(of_low.inertia_agrees, true);
    }
  }
}

/// Returns the verdict's message after a change of correct factors.
template <class Change>
std::string failure_message(const Change& change) {
  const auto matrix = generated<double>("equidistant", 24);
  auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = Pivoting::rook}});
  LdltClaims claims = claims_of(f);
  change(f, claims);
  const LdltMetrics metrics = judge_ldlt(matrix, factors_of(f), claims);
  EXPECT_EQ(metrics.verdict == Status::passed, metrics.message.empty());
  return metrics.message;
}

TEST(LdltJudge, SeesFaults) {
  using F = LdltFactorization<double>;
  EXPECT_EQ(failure_message([](F&, LdltClaims&) {}), "");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.M(20, 3) += 1e-9; }).find("dsyt01"), 0u);
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.diagonal[7] *= 1 + 1e-9; }).find("dsyt01"), 0u);
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { std::swap(f.permutation[2], f.permutation[9]); }).find("dsyt01"),
            0u);
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.permutation[2] = f.permutation[9]; }), "the permutation is none");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.M(3, 20) = 1e-300; }), "M is not unit lower triangular");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.M(3, 3) = 2; }), "M is not unit lower triangular");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.M(20, 3) = not_a_number; }), "the factors contain NaN or Inf");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.subdiagonal[23] = 1; }),
            "D does not have the blocks of the pivots");
  EXPECT_EQ(failure_message([](F& f, LdltClaims&) { f.stages.pop_back(); }),
            "D does not have the blocks of the pivots");
  EXPECT_EQ(failure_message([](F&, LdltClaims& c) { c.rank = 23; }), "rank 23 where D has 24");
  EXPECT_EQ(failure_message([](F&, LdltClaims& c) {
              c.inertia = Inertia{11, 13, 0};
            }),
            "inertia (11, 13, 0) where D has (12, 12, 0)");
  EXPECT_EQ(failure_message([](F&, LdltClaims& c) { c.multiplier_bound = 0.5; }).find("max_multiplier"), 0u);
  EXPECT_EQ(failure_message([](F&, LdltClaims& c) { c.condition_bound = 1; }).find("max_condition"), 0u);
}

TEST(LdltJudge, PassesEquilibratedMatrices) {
  for (const char* generator : {"graded;g=20", "graded;g=20;order=random", "kkt", "lowrank", "latb4;type=9",
                                "latb4;type=10", "spectrum;kappa=1e14", "hilbert"})
    for (const Pivoting pivoting : all_pivotings) {
      const auto matrix = generated<double>(generator, 60);
      const auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = pivoting, .equilibrate = true}});
      const LdltMetrics quad = judge(matrix, f, {.precision = JudgePrecision::quad}),
                        shorter = judge(matrix, f, {.precision = JudgePrecision::double_double});
      EXPECT_EQ(quad.verdict, Status::passed) << generator << ' ' << to_string(pivoting) << ": " << quad.message;
      EXPECT_NEAR(quad.residual, shorter.residual, 1e-10 * quad.residual) << generator;
      EXPECT_LE(quad.residual, 1e-14) << generator;
    }
}

TEST(LdltJudge, SeesThatTheScalingIsNotThatOfTheFactors) {
  const auto matrix = generated<double>("graded;g=8", 40);
  auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = Pivoting::rook, .equilibrate = true}});
  EXPECT_EQ(judge(matrix, f).verdict, Status::passed);
  ++f.scaling[39];
  EXPECT_EQ(judge(matrix, f).verdict, Status::incorrect);
  f.scaling.clear();
  EXPECT_EQ(judge(matrix, f).verdict, Status::incorrect);
}

TEST(LdltJudge, DetectsContradictedInertia) {
  auto matrix = generated<double>("equidistant", 24);
  const auto f = ldlt<double>(matrix.A);
  matrix.eigenvalues[11] = 0;                                // −0.48: nearest to zero from below
  EXPECT_EQ(judge_ldlt(matrix, factors_of(f)).message, "");  // a zero may have any sign
  matrix.eigenvalues[11] = 0.1;
  EXPECT_EQ(judge_ldlt(matrix, factors_of(f)).message, "inertia (12, 12, 0) contradicts the eigenvalues");
}

TEST(LdltJudge, TakesTridiagonalDOfAasensAlgorithm) {
  // M = I: A is its own D.
  const auto matrix = generated<double>("clement", 9);
  const Matrix<double> M = Matrix<double>::identity(9);
  std::vector<double> diagonal(9), subdiagonal;
  std::vector<Index> permutation;
  for (Index i = 0; i < 9; ++i) {
    permutation.push_back(i);
    subdiagonal.push_back(i < 8 ? matrix.A(i + 1, i) : 0);
  }
  const LdltMetrics metrics = judge_ldlt(
      matrix,
      {.M = M, .diagonal = diagonal, .subdiagonal = subdiagonal, .permutation = permutation, .tridiagonal = true});
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_EQ(metrics.residual, 0);
  EXPECT_FALSE(metrics.rank || metrics.inertia || metrics.pivots_1x1);
}

TEST(LdltStages, AreThinnedToTheLargestOfEachPivotOrder) {
  std::vector<LdltStage<double>> stages;
  for (Index k = 0; k < 10'000; ++k) stages.push_back({k, k % 3 == 0 ? 2 : 1, static_cast<double>(k * 7919 % 10'007)});
  EXPECT_EQ(thinned(stages, 10'000).size(), 10'000u);
  const auto kept = thinned(stages, 100);
  EXPECT_EQ(kept.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(kept, {}, &LdltStage<double>::first));
  for (const int size : {1, 2}) {
    const auto largest = [&](const auto& all) {
      double result = 0;
      for (const auto& stage : all)
        if (stage.size == size) result = std::max(result, stage.growth);
      return result;
    };
    EXPECT_EQ(largest(kept), largest(stages));
  }
}

TEST(LdltStages, SinglePivotOrderTakesHalfTheSpace) {
  const std::vector<LdltStage<double>> stages(1000);
  EXPECT_EQ(thinned(stages, 100).size(), 50u);
  EXPECT_TRUE(thinned({}, 100).empty());
}

template <class T>
GjgErrors gjg_errors(const SymmetricMatrix<T>& matrix, const LdltOptions& options = {}, int threads = 1) {
  const double tolerance = options.rank_tolerance.value_or(std::numeric_limits<double>::epsilon());
  return compare_gjg(matrix, ldlt<T>(matrix.A, options), tolerance, threads);
}

TEST(GjgErrors, AreNearRoundoffOfEachPrecision) {
  for (const Pivoting pivoting : all_pivotings)
    for (const std::string generator : {"equidistant", "kkt", "random"}) {
      SCOPED_TRACE(testing::Message() << generator << " " << to_string(pivoting));
      const auto check = [](const GjgErrors& errors) {
        EXPECT_LT(errors.residual, 40 * 0x1p-53);
        EXPECT_GT(errors.residual, 0);
        EXPECT_LT(errors.residual_rounded, 4 * 0x1p-53 + errors.residual);
        EXPECT_GT(errors.residual_rounded, 0x1p-60);
        EXPECT_LT(errors.residual_quad, 40 * 0x1p-113);
        EXPECT_GT(errors.residual_quad, 0);
        EXPECT_TRUE(errors.inertia_agrees);
      };
      const LdltOptions options{.variant = {.pivoting = pivoting}};
      check(gjg_errors(generated<double>(generator, 40), options));
      check(gjg_errors(generated<Complex>(generator, 30), options));
    }
}

TEST(GjgErrors, AreThoseOfThePlainFormula) {
  const auto matrix = generated<double>("random", 20);
  const auto f = ldlt<double>(matrix.A);
  const auto [G, J] = f.gjg();
  Quad worst = 0;
  for (Index i = 0; i < 20; ++i) {
    Quad sum = 0;
    for (Index j = 0; j < 20; ++j) {
      Quad difference = matrix.A(f.permutation[i], f.permutation[j]);
      for (Index k = 0; k < 20; ++k) difference -= Quad(G(i, k)) * J[k] * Quad(G(j, k));
      sum += abs(difference);
    }
    worst = std::max(worst, sum);
  }
  EXPECT_NEAR(gjg_errors(matrix).residual, static_cast<double>(Quad(worst / f.norm_inf)), 1e-25);
}

TEST(GjgErrors, SeeAFaultInTheFactors) {
  const auto matrix = generated<double>("random", 20);
  auto f = ldlt<double>(matrix.A);
  f.M(15, 3) += 1e-8;
  const GjgErrors errors = compare_gjg(matrix, f, 0x1p-52, 1);
  EXPECT_GT(errors.residual, 1e-10);
  EXPECT_LT(errors.residual_rounded, 1e-14);
  f.diagonal[19] = -f.diagonal[19];
  f.subdiagonal[18] = 0;
  EXPECT_FALSE(compare_gjg(matrix, f, 0x1p-52, 1).inertia_agrees);
}

TEST(GjgErrors, DoNotDependOnScaleAndThreads) {
  auto matrix = generated<Complex>("random", 33);
  const GjgErrors errors = gjg_errors(matrix), by_three = gjg_errors(matrix, {}, 3);
  EXPECT_EQ(errors.residual, by_three.residual);
  EXPECT_EQ(errors.residual_quad, by_three.residual_quad);
  for (const int exponent : {-1000, 1000}) {
    auto other = matrix;
    for (Index i = 0; i < other.A.size(); ++i) other.A.data()[i] = times_power_of_two(matrix.A.data()[i], exponent);
    EXPECT_EQ(gjg_errors(other).residual_quad, errors.residual_quad);
  }
}

TEST(GjgErrors, ZeroForTrivialMatrices) {
  for (const Index n : {0, 1, 3}) {
    SymmetricMatrix<double> matrix{.A = Matrix<double>(n, n)};
    for (const double corner : {0.0, 4.0}) {
      if (n > 0) matrix.A(0, 0) = corner;
      const GjgErrors errors = gjg_errors(matrix);
      EXPECT_EQ(errors.residual, 0);
      EXPECT_EQ(errors.residual_quad, 0);
      EXPECT_TRUE(errors.inertia_agrees);
    }
  }
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_metrics_test
