// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/metrics/condition.hpp>
#include <kernels/numerics/dense.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/verification/device/gsvd_judge.hpp>
#include <kernels/verification/norms.hpp>

#include <algorithm>
#include <complex>
#include <limits>

namespace pivotlab::experiments {
namespace {

constexpr double limit_of_double = 1e12;
constexpr double unbounded = std::numeric_limits<double>::infinity();

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
  if (A.rows() < A.cols()) return {unbounded, "fewer rows than columns"};
  const std::vector<double> sigma = singular_values<T>(A.view());
  const double least = sigma.front(), largest = sigma.back();
  return {least > 0 ? largest / least : unbounded, "double SVD"};
}

/// κ₂ = ‖A‖₂·‖R⁻¹‖₂ with A = QR and R⁻¹ in double-double: double precision is accurate enough for the largest singular
/// values.
template <class T>
ConditionNumber by_extended_inverse(const Matrix<T>& A, int threads) {
  using Extended = Rebind<T, DoubleDouble>;
  Matrix<Extended> extended(A.rows(), A.cols());
  std::copy(A.data(), A.data() + A.size(), extended.data());
  const auto lu = lu_complete(upper_factor(householder_qr(std::move(extended), threads)), threads);
  if (lu.rank < A.cols()) return {unbounded, "double-double inverse"};

  const Matrix<Extended> exact = inverse(lu, threads);
  Matrix<T> rounded(A.cols(), A.cols());
  std::transform(exact.data(), exact.data() + exact.size(), rounded.data(), round_to_double<T, Extended>);
  return {singular_values<T>(A.view()).back() * singular_values<T>(rounded.view()).back(), "double-double inverse"};
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
