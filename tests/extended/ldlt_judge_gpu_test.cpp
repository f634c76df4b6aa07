// SPDX-License-Identifier: BSD-3-Clause
// The judge of the symmetric indefinite factorization on a GPU: the errors of the host, and with PIVOTLAB_GPU_LARGE=1
// its seconds for large matrices.
#include <support/timer.hpp>
#include <tests/gpu_test.hpp>

#include <experiments/ldlt/ldlt_errors.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/verification/device/ldlt_judge.hpp>
#include <kernels/verification/device/proved_errors.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>

#include <cstdlib>
#include <iostream>

namespace pivotlab::experiments::ldlt_judge_gpu_test {
namespace {

using Complex = std::complex<double>;

class LdltJudgeOnGpu : public GpuTest {};

template <class T>
SymmetricMatrix<T> generated(const std::string& generator, Index n, Symmetry symmetry = Symmetry::hermitian) {
  return std::get<SymmetricMatrix<T>>(
      generate_symmetric({.generator = generator, .type = scalar_type<T>, .symmetry = symmetry, .n = n}));
}

template <class T>
LdltFactorization<T> factored(const SymmetricMatrix<T>& matrix, Pivoting pivoting) {
  return ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}, .backend = Backend::cuda, .symmetry = matrix.symmetry});
}

template <class T>
void expect_the_hosts(const SymmetricMatrix<T>& matrix, Pivoting pivoting) {
  const LdltFactorization<T> f = factored(matrix, pivoting);
  const LdltFactors<T> factors = factors_of(f);
  const int exponent = exponent_of(matrix.A, 0);
  const double expected = reconstruction_error<Rebind<T, DoubleDouble>>(matrix, factors, exponent, 0);
  const auto judge = make_ldlt_device_judge<T>();
  ASSERT_NE(judge, nullptr) << "cuBLAS is not found";
  const GivenLdlt<T> given{
      matrix.A, f.M, f.diagonal, f.subdiagonal, f.permutation, f.scaling, matrix.symmetry == Symmetry::hermitian,
      exponent};
  const auto proved = make_ldlt_proved_judge<T>();
  for (int run = 0; run < 2; ++run) {
    SCOPED_TRACE(matrix.provenance + " " + std::string(to_string(pivoting)));
    EXPECT_NEAR(judge->reconstruction_error(given), expected, 1e-5 * expected);
    const double error = proved->reconstruction_error(given);
    EXPECT_NEAR(error, expected, proved->bound() + 1e-12 * expected);
    EXPECT_LE(proved->bound(), 1e-2 * expected);
  }
}

TEST_F(LdltJudgeOnGpu, FindsTheErrorsOfTheHost) {
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
    expect_the_hosts(generated<double>("random", 300), pivoting);
    expect_the_hosts(generated<Complex>("random", 300), pivoting);
    expect_the_hosts(generated<Complex>("random", 300, Symmetry::symmetric), pivoting);
    expect_the_hosts(generated<double>("graded;g=20", 200), pivoting);
  }
  expect_the_hosts(generated<double>("random", 2500), Pivoting::rook);  // two blocks of columns
  expect_the_hosts(generated<Complex>("random", 2100), Pivoting::rook);
}

TEST_F(LdltJudgeOnGpu, TellsWhereItWasDone) {
  const auto matrix = generated<double>("random", 2048);
  const auto f = factored(matrix, Pivoting::complete);
  const LdltMetrics metrics = judge_ldlt(matrix, factors_of(f), claims_of(f));
  EXPECT_EQ(metrics.device, JudgeDevice::gpu);
  EXPECT_EQ(metrics.precision, JudgePrecision::exact_products);
  ASSERT_TRUE(metrics.proof.has_value());
  EXPECT_LT(metrics.proof->residual_error, 1e-3 * metrics.residual);
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
}

TEST(OrthogonalityOnGpu, IsThatOfAReflector) {
  if (!why_no_device().empty()) GTEST_SKIP() << why_no_device();
  constexpr Index n = 1000;
  Matrix<double> U(n, n);  // 2/n is not a double: every column is too long by the same factor
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) U(i, j) = (i == j ? 1.0 : 0.0) - 2.0 / static_cast<double>(n);
  const auto measured = orthogonality_on_gpu(U);
  ASSERT_TRUE(measured.has_value()) << "cuBLAS is not found";
  EXPECT_LT(measured->norm_1, 1e-13);
  EXPECT_LT(measured->bound, 1e-16);
}

// ---- Seconds ----

template <class Work>
double seconds_of(Work&& work) {
  const Timer timer;
  work();
  return timer.seconds();
}

template <class T>
void print_seconds(const std::string& generator, Index n, double limit) {
  SymmetricMatrix<T> matrix;
  KnownSystem<T> known;
  LdltFactorization<T> f;
  LdltSolution<T> solution;
  LdltMetrics metrics;
  const double generation = seconds_of([&] { matrix = generated<T>(generator, n); }),
               system = seconds_of([&] { known = make_system(matrix.A, 4); }),
               factorization = seconds_of([&] { f = factored(matrix, Pivoting::rook); }),
               solving = seconds_of([&] { solution = f.solve_refined(matrix.A, known.B, InputTriangle::whole, 0); }),
               judgement = seconds_of([&] {
                 const LdltSystem<T> given{known.B, known.X_true, &solution.X};
                 metrics = judge_ldlt(matrix, factors_of(f), claims_of(f), &given);
               }),
               error = seconds_of([&] {
                 make_ldlt_device_judge<T>()->reconstruction_error(
                     {matrix.A, f.M, f.diagonal, f.subdiagonal, f.permutation, f.scaling, true, 0});
               }),
               proved = seconds_of([&] {
                 const auto judge = make_ldlt_proved_judge<T>();
                 const double measured = judge->reconstruction_error(
                     {matrix.A, f.M, f.diagonal, f.subdiagonal, f.permutation, f.scaling, true, 0});
                 std::cout << "error " << measured << ", bound of its error " << judge->bound() << '\n';
               });
  std::cout << (is_complex<T> ? "complex " : "real ") << generator << ", n = " << n << ": generated in " << generation
            << " s, right-hand sides " << system << " s, factored in " << factorization
            << " s (of which the elimination " << f.compute_seconds << " s), solved in " << solving << " s, judged in "
            << judgement << " s (of which the error " << error << " s; by an exact product " << proved
            << " s), dsyt01 = " << metrics.dsyt01 << '\n';
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
  EXPECT_LT(judgement, limit);
}

TEST_F(LdltJudgeOnGpu, LargeMatricesAreMadeAndJudgedInTime) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 6000 to 22283";
  print_seconds<double>("equidistant", 6000, 6);
  print_seconds<Complex>("random", 10000, 10);
  print_seconds<double>("random", 16706, 6);
  print_seconds<double>("random", 22283, 15);
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_judge_gpu_test
