// SPDX-License-Identifier: BSD-3-Clause
// Hermitian matrices for the tests of the hyperbolic SVD and the eigensolver, and the truth about them.
#pragma once

#include "kernels/numerics/householder.hpp"

#include <pivotlab/eigh.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace pivotlab::test {

template <class T>
T random_entry(std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  if constexpr (is_complex<T>) {
    const double re = normal(generator);
    return T(re, normal(generator));
  } else {
    return T(normal(generator));
  }
}

template <class T>
Matrix<T> random_matrix(Index m, Index n, std::mt19937_64& generator) {
  Matrix<T> A(m, n);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = random_entry<T>(generator);
  return A;
}

/// n orthonormal columns of length m.
template <class T>
Matrix<T> orthonormal(Index m, Index n, std::mt19937_64& generator) {
  return unitary_factor(householder_qr(random_matrix<T>(m, n, generator), 1), 1);
}

template <class T>
Matrix<T> multiplied(bool adjoint, const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(adjoint ? A.cols() : A.rows(), B.cols());
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i)
      for (Index l = 0; l < B.rows(); ++l) C(i, j) += detail::times<T>(adjoint ? conjugate(A(l, i)) : A(i, l), B(l, j));
  return C;
}

/// Makes A exactly Hermitian, and scales rows and columns by d.
template <class T>
Matrix<T> hermitian(Matrix<T> A, const std::vector<double>& d = {}) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i) {
      T x = (A(i, j) + conjugate(A(j, i))) * T(0.5);
      if (!d.empty()) x *= T(d[i] * d[j]);
      A(i, j) = i == j ? T(real_part(x)) : x;
      A(j, i) = conjugate(A(i, j));
    }
  return A;
}

template <class T>
Matrix<T> with_eigenvalues(const std::vector<double>& lambda, std::mt19937_64& generator,
                           const std::vector<double>& d = {}) {
  const auto n = static_cast<Index>(lambda.size());
  const Matrix<T> Q = orthonormal<T>(n, n, generator);
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      for (Index l = 0; l < n; ++l) A(i, j) += Q(i, l) * T(lambda[l]) * conjugate(Q(j, l));
  return hermitian(std::move(A), d);
}

/// 1, …, 10^−decades.
inline std::vector<double> decades(Index n, double decades) {
  std::vector<double> d;
  for (Index i = 0; i < n; ++i)
    d.push_back(std::pow(10.0, -decades * static_cast<double>(i) / std::max<double>(n - 1, 1)));
  return d;
}

inline std::vector<double> shuffled(std::vector<double> d, std::mt19937_64& generator) {
  std::ranges::shuffle(d, generator);
  return d;
}

/// Eigenvalues of alternating sign with moduli in [0.1, 1].
inline std::vector<double> alternating(Index n) {
  std::vector<double> lambda = decades(n, 1);
  for (Index i = 1; i < n; i += 2) lambda[i] = -lambda[i];
  return lambda;
}

/// Well-conditioned indefinite R in D·R·D, D = 1…10^−grading permuted.
template <class T>
Matrix<T> graded(Index n, double grading, unsigned seed) {
  std::mt19937_64 generator(seed);
  const auto d = shuffled(decades(n, grading), generator);
  return with_eigenvalues<T>(shuffled(alternating(n), generator), generator, d);
}

/// D·[H B*; B −K]·D with definite H and K of condition up to 10.
template <class T>
Matrix<T> quasi_definite(Index n, double grading, unsigned seed) {
  std::mt19937_64 generator(seed);
  const Index k = 2 * n / 3;
  std::uniform_real_distribution<double> between(1, 10);
  const auto definite = [&](Index order) {
    std::vector<double> lambda;
    for (Index i = 0; i < order; ++i) lambda.push_back(between(generator));
    return with_eigenvalues<T>(lambda, generator);
  };
  const Matrix<T> H = definite(k), K = definite(n - k), B = random_matrix<T>(n - k, k, generator);
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      A(i, j) = i < k && j < k     ? H(i, j)
                : i >= k && j >= k ? -K(i - k, j - k)
                : i >= k           ? B(i - k, j)
                                   : conjugate(B(j - k, i));
  return hermitian(std::move(A), shuffled(decades(n, grading), generator));
}

/// [H B*; B 0], H diagonal from 10^(grading/2) to 10^−(grading/2).
inline Matrix<double> saddle_point(Index n, double grading, unsigned seed) {
  std::mt19937_64 generator(seed);
  const Index k = 2 * n / 3;
  const auto h = shuffled(decades(k, grading), generator);
  Matrix<double> A(n, n);
  for (Index i = 0; i < k; ++i) A(i, i) = h[i] * std::pow(10.0, grading / 2);
  for (Index j = 0; j < k; ++j)
    for (Index i = k; i < n; ++i) A(i, j) = A(j, i) = random_entry<double>(generator);
  return A;
}

/// The Hilbert matrix with rows of alternating sign on the diagonal.
inline Matrix<double> signed_hilbert(Index n) {
  Matrix<double> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = (i == j && i % 2 == 1 ? -1.0 : 1.0) / static_cast<double>(i + j + 1);
  return A;
}

template <class R, class T>
Matrix<Rebind<T, R>> converted(const Matrix<T>& A) {
  Matrix<Rebind<T, R>> B(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) {
    if constexpr (is_complex<T>)
      B.data()[i] = {R(A.data()[i].real()), R(A.data()[i].imag())};
    else
      B.data()[i] = R(A.data()[i]);
  }
  return B;
}

/// A dense m × n matrix whose σ are about 1…1/kappa.
template <class T>
Matrix<T> dense(Index m, Index n, double kappa, unsigned seed) {
  std::mt19937_64 generator(seed);
  const Matrix<T> U = orthonormal<T>(m, n, generator), V = orthonormal<T>(n, n, generator);
  const auto sigma = decades(n, std::log10(kappa));
  Matrix<T> G(m, n);
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l < n; ++l)
      for (Index i = 0; i < m; ++i) G(i, j) += detail::times<T>(U(i, l) * sigma[l], conjugate(V(j, l)));
  return G;
}

/// The eigenvalues of the stored A, in descending order, from the same templates with at least 64 bits.
template <class T>
std::vector<Quad> true_eigenvalues(const Matrix<T>& A) {
  EighOptions options{.vectors = false, .threads = 1};
  options.variant.sweeps.form = JacobiForm::PT;
  std::vector<Quad> result;
  if (A.rows() <= 32)
    result = eigh<Rebind<T, Quad>>(converted<Quad>(A), options).eigenvalues;
  else
    for (const long double x : eigh<Rebind<T, long double>>(converted<long double>(A), options).eigenvalues)
      result.emplace_back(x);
  return result;
}

/// |λ − true λ| / |true λ| of every eigenvalue.
template <class R>
std::vector<double> relative_errors(const std::vector<R>& lambda, const std::vector<Quad>& truth) {
  std::vector<double> errors;
  for (std::size_t j = 0; j < truth.size(); ++j) {
    const Quad difference = Quad(lambda[j]) - truth[j];
    errors.push_back(difference == Quad(0) ? 0.0 : std::abs(static_cast<double>(difference / truth[j])));
  }
  return errors;
}

inline double largest(const std::vector<double>& x) {
  return x.empty() ? 0 : *std::ranges::max_element(x);
}

}  // namespace pivotlab::test
