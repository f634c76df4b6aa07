// SPDX-License-Identifier: BSD-3-Clause
// Residuals by exact products on a GPU: those of the host within their bounds, in metrics too, which prints seconds.
#include <support/timer.hpp>
#include <tests/gpu_test.hpp>

#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/verification/device/proved_errors.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/eigh.hpp>
#include <tests/numerics/random_matrix.hpp>

#include <iostream>

namespace pivotlab::experiments::proved_errors_gpu_test {
namespace {

using Complex = std::complex<double>;
using test::random_matrix;

class ProvedErrorsOnGpu : public GpuTest {};

template <class T>
void expect_the_hosts(Index n) {
  using E = Rebind<T, DoubleDouble>;
  const auto A = random_matrix<T>(n, n, 1), V = random_matrix<T>(n, n / 2, 2), U = random_matrix<T>(n, n / 2, 3);
  std::vector<T> values;
  for (Index j = 0; j < V.cols(); ++j)
    values.push_back(std::ldexp(1.0 + static_cast<double>(j) / 1024, static_cast<int>(j % 30)));
  const auto measured = residual_on_gpu(A, true, V, U, values);
  ASSERT_TRUE(measured.has_value()) << "cuBLAS is not found";
  const Matrix<E> AV = product<E>({A, Op::adjoint}, V, 0);
  for (Index j = 0; j < V.cols(); ++j) {
    Matrix<T> error(n, 1);
    for (Index i = 0; i < n; ++i)
      error(i, 0) = round_to_double<T>(E(AV(i, j) - extend<E>(U(i, j)) * extend<E>(values[j])));
    const double expected = frobenius_norm(error);
    EXPECT_NEAR(measured->norms[j], expected, measured->bounds[j] + 1e-13 * expected);
  }
  const Matrix<T> G = random_matrix<T>(n / 2, n, 5), Z = random_matrix<T>(n, 3, 6);
  const std::vector<double> lambda{3, -0.5, 1e-6};
  std::vector<int> J(static_cast<std::size_t>(A.rows()), 1);
  J[1] = -1;
  const auto pencil = pencil_residual_on_gpu(A, J, G, Z, lambda);
  ASSERT_TRUE(pencil.has_value());
  Matrix<E> AZ = product<E>(A, Z, 0);
  for (Index j = 0; j < 3; ++j) AZ(1, j) = -AZ(1, j);
  const Matrix<E> K = product<E>({A, Op::adjoint}, AZ, 0), N = product<E>({G, Op::adjoint}, product<E>(G, Z, 0), 0);
  for (Index j = 0; j < 3; ++j) {
    Matrix<T> error(n, 1);
    for (Index i = 0; i < n; ++i)
      error(i, 0) = round_to_double<T>(E(K(i, j) - N(i, j) * extend<E>(T(lambda[static_cast<std::size_t>(j)]))));
    const double norm = frobenius_norm(error);
    EXPECT_NEAR(pencil->norms[static_cast<std::size_t>(j)], norm,
                pencil->bounds[static_cast<std::size_t>(j)] + 1e-13 * norm);
  }
  std::vector<int> signs(static_cast<std::size_t>(n), 1), expected(static_cast<std::size_t>(n / 2), 1);
  for (const bool mixed : {false, true}) {
    for (std::size_t i = 0; mixed && i < signs.size(); i += 3) signs[i] = -1;
    const auto orthogonality = orthogonality_on_gpu(V, signs, expected);
    ASSERT_TRUE(orthogonality.has_value());
    const double norm = frobenius_norm(j_unitary_error<E>(V, signs, expected, 0));
    EXPECT_NEAR(orthogonality->frobenius, norm, orthogonality->bound + 1e-13 * norm);
  }
}

/// X = H·D for the reflector H = I − (2/n)·eeᵀ and D = diag(d): rows of X⁻¹ have the norms 1/d, and ‖X‖₂ = max d.
TEST_F(ProvedErrorsOnGpu, NormsOfInversesAndMatricesAreKnown) {
  constexpr Index n = 90;
  Matrix<Complex> X(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) X(i, j) = ((i == j ? 1.0 : 0.0) - 2.0 / n) * Complex(0, static_cast<double>(j + 1));
  const std::vector<Complex> values(n);
  const auto measured = eig_errors_on_gpu(X, {values, &X, nullptr, nullptr, nullptr});
  ASSERT_TRUE(measured.has_value());
  for (Index i = 0; i < n; ++i)
    EXPECT_NEAR(measured->inverse_norms[static_cast<std::size_t>(i)] * static_cast<double>(i + 1), 1, 1e-12);
  EXPECT_NEAR(measured->norm_2, n, 1e-5 * n);
}

TEST_F(ProvedErrorsOnGpu, AreTheHosts) {
  expect_the_hosts<double>(300);
  expect_the_hosts<Complex>(161);
}

template <class Judge>
auto timed(const char* what, Judge&& judge) {
  const Timer timer;
  const auto metrics = judge();
  std::cout << what << " judged in " << timer.seconds() << " s, " << to_string(metrics.precision) << " on "
            << to_string(metrics.device) << ", " << to_string(metrics.verdict) << ' ' << metrics.message;
  if (metrics.proof) std::cout << ", residual +- " << metrics.proof->residual_error;
  std::cout << '\n';
  return metrics;
}

/// Returns H·D·H for the reflector H = I − (2/n)·eeᵀ and D = diag(values), but for rounding errors.
Matrix<double> reflected(const std::vector<double>& values) {
  const Index n = std::ssize(values);
  double sum = 0;
  for (const double value : values) sum += value;
  Matrix<double> A(n, n);
  const double p = 2 / static_cast<double>(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = (i == j ? values[j] : 0.0) - p * (values[i] + values[j]) + p * p * sum;
  return A;
}

TEST_F(ProvedErrorsOnGpu, AreInMetrics) {
  for (const Index n : {600, 2048}) {
    std::cout << "n = " << n << '\n';
    std::vector<double> values;
    for (Index j = 0; j < n; ++j) values.push_back(2 - static_cast<double>(j) / static_cast<double>(n));
    const Matrix<double> A = reflected(values);
    Matrix<double> V(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) V(i, j) = (i == j ? 1.0 : 0.0) - 2 / static_cast<double>(n);

    EighResult<double> hermitian;
    hermitian.eigenvalues = values, hermitian.U = V;
    const EighMetrics of_eigh = timed("  eigh", [&] { return judge_eigh(A, {}, hermitian, {}); });
    HsvdResult<double> singular;
    singular.sigma = values, singular.U = V, singular.V = V;
    singular.J.assign(static_cast<std::size_t>(n), 1);
    const HsvdMetrics of_hsvd = timed("  hsvd", [&] { return judge_hsvd(A, singular.J, {}, singular, {}); });
    GeneralMatrix<double> matrix;
    matrix.A = A;
    Matrix<Complex> vectors(n, n);
    for (Index i = 0; i < n * n; ++i) vectors.data()[i] = V.data()[i];
    const std::vector<Complex> eigenvalues(values.begin(), values.end());
    Matrix<Complex> T(n, n);
    for (Index i = 0; i < n; ++i) T(i, i) = eigenvalues[static_cast<std::size_t>(i)];
    const EigMetrics of_eig = timed("  eig", [&] {
      return judge_eig(matrix, EigFactors{eigenvalues, vectors, &vectors, &T, &vectors}, {});
    });
    EXPECT_LT(*of_eig.similarity, 1);
    EXPECT_EQ(of_eigh.reference, Reference::residuals);
    EXPECT_EQ(of_eigh.known, n);
    EXPECT_LT(*of_eigh.relative_error, 1e-11);
    EXPECT_EQ(of_hsvd.reference, Reference::residuals);
    EXPECT_EQ(of_hsvd.known, n);
    EXPECT_NEAR(*of_hsvd.relative_error, *of_eigh.relative_error, 1e-3 * *of_eigh.relative_error);
    for (const JudgeReport* report :
         {static_cast<const JudgeReport*>(&of_eigh), static_cast<const JudgeReport*>(&of_hsvd),
          static_cast<const JudgeReport*>(&of_eig)}) {
      EXPECT_EQ(report->verdict, Status::passed) << report->message;
      EXPECT_EQ(to_string(report->precision), "exact products");
      ASSERT_TRUE(report->proof.has_value());
      EXPECT_LT(report->proof->residual_error, 1e-18);
    }
    Matrix<Complex> C(n, n);
    for (Index i = 0; i < C.size(); ++i) C.data()[i] = A.data()[i];
    const Matrix<Complex>* const none = nullptr;
    for (const auto& [what, matrices] : {std::pair{"‖A‖₂", EigMatrices{eigenvalues, none, none, none, none}},
                                         {"‖A‖₂, A·V − V·Λ, V⁻¹", {eigenvalues, &vectors, none, none, none}},
                                         {"‖A‖₂, Aᴴ·W − W·Λᴴ", {eigenvalues, none, &vectors, none, none}},
                                         {"‖A‖₂, A·E − E·T", {eigenvalues, none, none, &T, &vectors}}}) {
      const Timer timer;
      ASSERT_TRUE(eig_errors_on_gpu(C, matrices).has_value());
      std::cout << "  " << what << ": " << timer.seconds() << " s\n";
    }
  }
}

}  // namespace
}  // namespace pivotlab::experiments::proved_errors_gpu_test
