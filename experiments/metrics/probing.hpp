// SPDX-License-Identifier: BSD-3-Clause
// Errors of decompositions that are too large to be judged in full, estimated with a few random vectors: for a vector w
// of independent signs the expectation of ‖E·w‖² is ‖E‖_F². This takes products of a matrix with these vectors instead
// of products of matrices.
//
// Source: Hutchinson, "A stochastic estimator of the trace of the influence matrix for Laplacian smoothing splines",
// Commun. Stat. Simul. Comput. 18 (1989).
#pragma once

#include <cmath>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/matrix.hpp>
#include <random>
#include <vector>

namespace pivotlab::experiments {

/// The number of random vectors. The standard deviation of a squared norm is at most √(2/8) of it, for an error of rank
/// one.
inline constexpr int probe_count = 8;

/// The largest dimension of a Hermitian eigenproblem or a singular value decomposition that is judged in full by
/// default.
inline constexpr Index jacobi_judgement_limit = 2048;

/// n × probe_count signs, the same in every run.
template <class T>
Matrix<T> random_signs(Index n) {
  std::mt19937_64 generator(1);
  Matrix<T> W(n, probe_count);
  for (Index i = 0; i < W.size(); ++i) W.data()[i] = T((generator() >> 63) != 0 ? 1.0 : -1.0);
  return W;
}

/// Returns ‖X − D·Y‖_F/√probe_count, D = diag(d), differences in E.
template <class E, class T, class S>
double probed_norm(const Matrix<E>& X, const std::vector<S>& d, const Matrix<E>& Y) {
  Matrix<T> error(X.rows(), X.cols());
  for (Index k = 0; k < X.cols(); ++k)
    for (Index i = 0; i < X.rows(); ++i)
      error(i, k) = round_to_double<T>(E(X(i, k) - extend<E>(T(static_cast<double>(d[i]))) * Y(i, k)));
  return frobenius_norm(error) / std::sqrt(static_cast<double>(probe_count));
}

/// Returns D·W in E, D = diag(d).
template <class E, class T, class S>
Matrix<E> scaled_rows(const std::vector<S>& d, const Matrix<T>& W) {
  Matrix<E> result(W.rows(), W.cols());
  for (Index k = 0; k < W.cols(); ++k)
    for (Index i = 0; i < W.rows(); ++i) result(i, k) = extend<E>(T(static_cast<double>(d[i]))) * extend<E>(W(i, k));
  return result;
}

/// Estimates ‖(A·V − U·Λ)·D⁻¹‖_F, Λ = diag(values), D = diag(divisors), in the extended scalar E. A is m × n, V n × n,
/// U m × n.
template <class E, class T>
double probed_residual(const Matrix<T>& A, const Matrix<T>& V, const Matrix<T>& U, const std::vector<double>& values,
                       const std::vector<double>& divisors, int threads) {
  Matrix<T> W = random_signs<T>(V.cols());
  for (Index k = 0; k < W.cols(); ++k)
    for (Index i = 0; i < W.rows(); ++i) W(i, k) /= divisors[i];
  const Matrix<E> AVW = product<E>(A, product<E>(V, W, threads), threads);
  const std::vector<int> ones(A.rows(), 1);
  return probed_norm<E, T>(AVW, ones, product<E>(U, scaled_rows<E>(values, W), threads));
}

/// Estimates ‖V*·J·V − J'‖_F, J = diag(signs), J' = diag(expected), in the extended scalar E.
template <class E, class T>
double probed_orthogonality(const Matrix<T>& V, const std::vector<int>& signs, const std::vector<int>& expected,
                            int threads) {
  const Matrix<T> W = random_signs<T>(V.cols());
  Matrix<E> JVW = product<E>(V, W, threads);
  for (Index k = 0; k < JVW.cols(); ++k)
    for (Index i = 0; i < JVW.rows(); ++i)
      if (signs[i] < 0) JVW(i, k) = -JVW(i, k);
  const std::vector<int> ones(V.cols(), 1);
  return probed_norm<E, T>(product<E>({V, Op::adjoint}, JVW, threads), expected, scaled_rows<E>(ones, W));
}

}  // namespace pivotlab::experiments
