// SPDX-License-Identifier: BSD-3-Clause
// The error matrices of a GSVD, computed in extended precision and rounded to double. The metrics are their norms.
#pragma once

#include <algorithm>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <kernels/verification/norms.hpp>
#include <kernels/verification/scaled_pair.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/pair.hpp>
#include <vector>

namespace pivotlab::experiments {

// ---- Scaling and inverse ----

/// Returns the largest component of every column.
template <class T>
std::vector<double> column_maxima(const Matrix<T>& A, int threads) {
  return over_columns(A.cols(), threads, [&](Index j) { return largest_component<T>(A.col(j)); });
}

/// Returns the exponents of the largest components of the columns of diag(2^rows)·Z, 0 for a zero column.
template <class T>
std::vector<int> column_exponents(const Matrix<T>& Z, const std::vector<int>& rows, int threads) {
  return over_columns(Z.cols(), threads, [&](Index j) { return exponent_of<T>(Z.col(j), rows).value_or(0); });
}

/// The scaling of a pair and its decomposition, both finite. Keeps references to them.
template <class T>
GivenPair<T> given_pair(const Pair<T>& pair, const GsvdResult<T>& result, int threads) {
  CommonScaling scaling = common_scaling(column_maxima(pair.F, threads), column_maxima(pair.G, threads));
  const std::vector<int> of_z = column_exponents(result.Z, scaling.columns, threads);
  const auto side = [&](const Matrix<T>& A, const Matrix<T>& U, std::vector<double> sigma, int exponent) {
    for (std::size_t j = 0; j < sigma.size(); ++j) sigma[j] = std::ldexp(sigma[j], -exponent - of_z[j]);
    std::vector<int> exponents = scaling.columns;
    for (int& e : exponents) e += exponent;
    return GivenSide<T>(A, U, std::move(sigma), std::move(exponents));
  };
  return {scaling,
          {result.Z, scaling.columns, of_z},
          side(pair.F, result.U, result.sigma_f, scaling.f),
          side(pair.G, result.V, result.sigma_g, scaling.g)};
}

template <class T>
ScaledZ<T> scaled(const GivenZ<T>& given, int threads) {
  ScaledZ<T> result{given.Z, given.common, given.exponents};
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < result.Z.cols(); ++j)
    for (Index i = 0; i < result.Z.rows(); ++i)
      result.Z(i, j) = times_power_of_two(result.Z(i, j), given.common[i] - given.exponents[j]);
  return result;
}
template <class T>
Side<T> scaled(const GivenSide<T>& given, int threads) {
  Side<T> side{given.A, given.U, given.sigma};
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < side.A.cols(); ++j)
    for (T& x : side.A.col(j)) x = times_power_of_two(x, -given.exponents[j]);
  return side;
}
template <class T>
ScaledPair<T> scaled(const GivenPair<T>& given, int threads) {
  return {scaled(given.Z, threads), scaled(given.f, threads), scaled(given.g, threads)};
}

/// C·Z⁻¹ = Z'⁻¹·S by LU with complete pivoting of Z', whose rows are scaled, too; empty if Z' is singular.
template <class E, class T>
Matrix<E> invert(const ScaledZ<T>& z, int threads) {
  const Matrix<T>& Z = z.Z;
  const Index n = Z.cols();
  std::vector<int> exponents(n);
  std::vector<T> row(n);
  Matrix<E> scaled(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) row[j] = Z(i, j);
    const int exponent = exponents[i] = exponent_of<T>(row);
    for (Index j = 0; j < n; ++j) scaled(i, j) = extend<E>(times_power_of_two(Z(i, j), -exponent));
  }
  const CompletePivotingLU<E> lu = lu_complete(std::move(scaled), threads);
  if (lu.rank < n) return {};
  Matrix<E> X = inverse(lu, threads);
  for (Index j = 0; j < n; ++j)
    for (E& x : X.col(j)) x = times_power_of_two(x, z.common[j] - exponents[j]);
  return X;
}

// ---- Errors, computed in extended precision and rounded ----

/// F'·Z' − U·Σ'
template <class E, class T>
Matrix<T> error_with_z(const Side<T>& side, const Matrix<T>& Z, int threads) {
  const Matrix<E> AZ = product<E>(side.A, Z, threads);
  Matrix<T> error(AZ.rows(), AZ.cols());
  for (Index j = 0; j < AZ.cols(); ++j) {
    const RealOf<E> sigma(side.sigma[j]);
    for (Index i = 0; i < AZ.rows(); ++i)
      error(i, j) = round_to_double<T>(E(AZ(i, j) - extend<E>(side.U(i, j)) * sigma));
  }
  return error;
}

/// 2^−a·(F − U·Σ·X) for X = C·Z⁻¹; `common` are the exponents of S.
template <class E, class T>
Matrix<T> error_with_x(const Side<T>& side, const std::vector<int>& common, Matrix<E> X, int threads) {
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) X(i, j) *= RealOf<E>(side.sigma[i]);
  const Matrix<E> USX = product<E>(side.U, X, threads);
  Matrix<T> error(side.A.rows(), side.A.cols());
  for (Index j = 0; j < error.cols(); ++j)
    for (Index i = 0; i < error.rows(); ++i)
      error(i, j) = round_to_double<T>(E(extend<E>(times_power_of_two(side.A(i, j), common[j])) - USX(i, j)));
  return error;
}

/// UᴴU − I; the diagonal element of a zero column with σ = 0 is 0.
template <class E, class T>
Matrix<T> orthogonality_error(const Matrix<T>& U, const std::vector<double>& sigma, int threads) {
  const Matrix<E> gram = product<E>(Operand<E>(U, Op::adjoint), U, threads);
  Matrix<T> error(gram.rows(), gram.cols());
  for (Index j = 0; j < gram.cols(); ++j) {
    for (Index i = 0; i < gram.rows(); ++i) error(i, j) = round_to_double<T>(E(gram(i, j) - E(i == j ? 1.0 : 0.0)));
    if (sigma[j] == 0 && std::ranges::all_of(U.col(j), [](const T& x) { return x == T(0); })) error(j, j) = T(0);
  }
  return error;
}

/// Q of X = R·Qᴴ, R upper triangular with a diagonal that is real and ≥ 0, up to the order of its columns: from the QR
/// factorization of Xᴴ with its columns in reverse. Double precision suffices, because Q must only be unitary.
template <class T, class E>
Matrix<T> rq_unitary_factor(const Matrix<E>& X, int threads) {
  const Index n = X.cols();
  Matrix<T> reversed(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) reversed(i, j) = conjugate(round_to_double<T>(X(n - 1 - j, i)));
  const HouseholderQR<T> qr = householder_qr(std::move(reversed), threads);
  Matrix<T> Q = unitary_factor(qr, threads);
  for (Index j = 0; j < n; ++j) {
    const T r = qr.diagonal[j];
    if (r != T(0))
      for (T& x : Q.col(j)) x = pivotlab::detail::times(x, T(r / std::abs(r)));
  }
  return Q;
}

/// ‖I − QᴴQ‖₁
template <class T>
double unitarity_error_1(const Matrix<T>& Q, int threads) {
  const std::vector<double> ones(Q.cols(), 1.0);
  return norm_1(orthogonality_error<Rebind<T, DoubleDouble>>(Q, ones, threads));
}

/// A·B, rounded from double-double.
template <class T>
Matrix<T> multiply_rounded(const Matrix<T>& A, const Matrix<T>& B, int threads) {
  using E = Rebind<T, DoubleDouble>;
  const Matrix<E> AB = product<E>(A, B, threads);
  Matrix<T> result(AB.rows(), AB.cols());
  std::transform(AB.data(), AB.data() + AB.size(), result.data(), round_to_double<T, E>);
  return result;
}

template <class T>
Matrix<double> moduli(const Matrix<T>& A) {
  Matrix<double> result(A.rows(), A.cols());
  std::transform(A.data(), A.data() + A.size(), result.data(), [](const T& x) { return std::abs(x); });
  return result;
}

}  // namespace pivotlab::experiments
