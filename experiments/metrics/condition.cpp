// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/metrics/condition.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/verification/device/gsvd_judge.hpp>
#include <kernels/verification/norms.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <complex>
#include <limits>

namespace pivotlab::experiments {
namespace {

constexpr double limit_of_double = 1e12;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// The singular values of A in ascending order: the nonnegative eigenvalues of the Golub–Kahan matrix of its bidiagonal
/// form, a tridiagonal matrix with a zero diagonal whose other entries are those of the bidiagonal form in turn.
/// Source: Golub and Van Loan, Matrix Computations, section 8.6.1.
template <class T>
Eigen::VectorXd singular_values(const Matrix<T>& A) {
  const Index n = A.cols();
  const Eigen::internal::UpperBidiagonalization<Dense<T>> form(Eigen::Map<const Dense<T>>(A.data(), A.rows(), n));
  const auto& diagonals = form.bidiagonal().coeffs();  // The upper one is stored first.
  Eigen::VectorXd entries(2 * n - 1);
  for (Index i = 0; i < entries.size(); ++i) entries(i) = diagonals(i % 2 == 0 ? 1 : 0, (i + 1) / 2);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::VectorXd::Zero(2 * n), entries, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().tail(n).cwiseAbs();
}

/// A divided by the power of two next to its largest element, so that no square overflows.
template <class T>
Matrix<T> normalized(MatrixView<const T> view) {
  Matrix<T> A(view);
  const int exponent = exponent_of<T>(elements(A));
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x = times_power_of_two(x, -exponent);
  return A;
}

template <class T>
ConditionNumber by_double_svd(const Matrix<T>& A) {
  if (A.rows() < A.cols()) return {infinity, "fewer rows than columns"};
  const Eigen::VectorXd sigma = singular_values(A);
  const double least = sigma(0), largest = sigma(sigma.size() - 1);
  return {least > 0 ? largest / least : infinity, "double SVD"};
}

/// κ₂ = ‖A‖₂·‖R⁻¹‖₂ with A = QR and R⁻¹ in double-double: double precision is accurate enough for the largest singular
/// values.
template <class T>
ConditionNumber by_extended_inverse(const Matrix<T>& A, int threads) {
  using Extended = Rebind<T, DoubleDouble>;
  Matrix<Extended> extended(A.rows(), A.cols());
  std::copy(A.data(), A.data() + A.size(), extended.data());
  const auto lu = lu_complete(upper_factor(householder_qr(std::move(extended), threads)), threads);
  if (lu.rank < A.cols()) return {infinity, "double-double inverse"};

  const Matrix<Extended> exact = inverse(lu, threads);
  Matrix<T> rounded(A.cols(), A.cols());
  std::transform(exact.data(), exact.data() + exact.size(), rounded.data(), round_to_double<T, Extended>);
  return {singular_values(A)(A.cols() - 1) * singular_values(rounded)(A.cols() - 1), "double-double inverse"};
}

}  // namespace

template <class T>
PairCondition condition_numbers(MatrixView<const T> F, MatrixView<const T> G, int threads) {
  const auto is_large = [](MatrixView<const T> A) { return A.cols >= device_judgement_order && A.rows == A.cols; };
  if (is_large(F) && is_large(G))
    if (const auto judge = make_device_judge<T>()) {
      const auto on_device = [&](MatrixView<const T> A) {
        return ConditionNumber{judge->condition_number(A), "corrected inverse on a GPU"};
      };
      return {on_device(F), on_device(G)};
    }
  const std::array<Matrix<T>, 2> matrices{normalized(F), normalized(G)};
  std::array<ConditionNumber, 2> result;
  // One thread per matrix: inside a parallel region Eigen does not split its products, so the result does not depend on
  // the number of threads.
#pragma omp parallel for num_threads(std::min(2, thread_count(threads)))
  for (int i = 0; i < 2; ++i) result[i] = by_double_svd(matrices[i]);
  for (int i = 0; i < 2; ++i)
    if (!(result[i].value <= limit_of_double) && matrices[i].rows() >= matrices[i].cols())
      result[i] = by_extended_inverse(matrices[i], threads);
  return {result[0], result[1]};
}

template PairCondition condition_numbers(MatrixView<const double>, MatrixView<const double>, int);
template PairCondition condition_numbers(MatrixView<const std::complex<double>>, MatrixView<const std::complex<double>>,
                                         int);

}  // namespace pivotlab::experiments
