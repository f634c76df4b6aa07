// SPDX-License-Identifier: BSD-3-Clause
// Matrices for the tests of the eigendecomposition, and checks of results.
#pragma once

#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/elementary.hpp"
#include "kernels/numerics/lu_complete.hpp"

#include <pivotlab/eig.hpp>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

namespace pivotlab::test {

using Complex = std::complex<double>;
using QuadComplex = std::complex<Quad>;

inline Matrix<Complex> gaussian(Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<Complex> A(n, n);
  for (Index i = 0; i < A.size(); ++i) {
    const double re = normal(generator), im = normal(generator);
    A.data()[i] = {re, im};
  }
  return A;
}

template <class S, class T>
Matrix<S> converted(const Matrix<T>& A) {
  Matrix<S> B(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) {
    if constexpr (is_complex<T>)
      B.data()[i] = S(static_cast<RealOf<S>>(A.data()[i].real()), static_cast<RealOf<S>>(A.data()[i].imag()));
    else
      B.data()[i] = S(static_cast<RealOf<S>>(A.data()[i]));
  }
  return B;
}

template <class T>
Matrix<T> adjoint_of(const Matrix<T>& A) {
  Matrix<T> B(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(j, i) = conjugate(A(i, j));
  return B;
}

template <class T>
Matrix<T> times(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) C(i, j) = multiply_add(A(i, k), B(k, j), C(i, j));
  return C;
}

template <class T>
Matrix<T> diagonal_matrix(const std::vector<T>& d) {
  Matrix<T> D(std::ssize(d), std::ssize(d));
  for (Index i = 0; i < D.rows(); ++i) D(i, i) = d[static_cast<std::size_t>(i)];
  return D;
}

/// Returns orthonormal columns from a Gaussian matrix by modified Gram–Schmidt, twice, in quad.
inline Matrix<QuadComplex> random_unitary(Index n, unsigned seed) {
  auto Q = converted<QuadComplex>(gaussian(n, seed));
  for (Index j = 0; j < n; ++j) {
    for (int twice = 0; twice < 2; ++twice)
      for (Index k = 0; k < j; ++k) {
        QuadComplex dot(0);
        for (Index i = 0; i < n; ++i) dot = multiply_add(QuadComplex(conjugate(Q(i, k))), Q(i, j), dot);
        for (Index i = 0; i < n; ++i) Q(i, j) = multiply_add(QuadComplex(-dot), Q(i, k), Q(i, j));
      }
    Quad squares(0);
    for (Index i = 0; i < n; ++i) squares += squared_magnitude(Q(i, j));
    for (Index i = 0; i < n; ++i) Q(i, j) = divided_by_real(Q(i, j), Quad(sqrt(squares)));
  }
  return Q;
}

inline std::vector<QuadComplex> random_spectrum(Index n, unsigned seed) {
  const auto column = converted<QuadComplex>(gaussian(n, seed));
  return {column.data(), column.data() + n};
}

/// A matrix, rounded to double, and the eigenvalues before the rounding, if they are known.
struct TestMatrix {
  const char* name;
  Matrix<Complex> A;
  std::vector<QuadComplex> truth = {};
};

inline TestMatrix normal_matrix(const char* name, const std::vector<QuadComplex>& spectrum, unsigned seed) {
  const auto Q = random_unitary(std::ssize(spectrum), seed);
  return {name, converted<Complex>(times(times(Q, diagonal_matrix(spectrum)), adjoint_of(Q))), spectrum};
}

inline TestMatrix hermitian(Index n, unsigned seed) {
  const Matrix<Complex> G = gaussian(n, seed);
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = (G(i, j) + std::conj(G(j, i))) / 2.0;
  return {"Hermitian", A};
}

/// S·Λ·S⁻¹ with the singular values of S from 1 to 1/κ.
inline TestMatrix with_condition(const char* name, Index n, double kappa, unsigned seed) {
  const auto spectrum = random_spectrum(n, seed + 7);
  const auto U = random_unitary(n, seed), W = random_unitary(n, seed + 1);
  std::vector<QuadComplex> sigma, inverse;
  for (Index i = 0; i < n; ++i) {
    const Quad s = pow(Quad(kappa), Quad(-i) / Quad(n - 1));
    sigma.emplace_back(s), inverse.emplace_back(Quad(1 / s));
  }
  const auto S = times(times(U, diagonal_matrix(sigma)), W);
  const auto S_inverse = times(times(adjoint_of(W), diagonal_matrix(inverse)), adjoint_of(U));
  return {name, converted<Complex>(times(times(S, diagonal_matrix(spectrum)), S_inverse)), spectrum};
}

inline TestMatrix companion(Index n, unsigned seed) {
  const Matrix<Complex> c = gaussian(n, seed);
  Matrix<Complex> A(n, n);
  for (Index i = 1; i < n; ++i) A(i, i - 1) = 1;
  for (Index j = 0; j < n; ++j) A(0, j) = -c(j, 0);
  return {"companion", A};
}

inline TestMatrix grcar(Index n) {
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = i == j + 1 ? -1 : (i <= j && j <= i + 3 ? 1 : 0);
  return {"Grcar", A};
}

/// A Jordan block of the eigenvalue 1 and Gaussian noise.
inline TestMatrix noisy_jordan(Index n, double noise, unsigned seed) {
  Matrix<Complex> A = gaussian(n, seed);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = A(i, j) * noise + (i == j || i + 1 == j ? 1.0 : 0.0);
  return {"Jordan + noise", A};
}

/// Q·J·Qᴴ with one Jordan block of the eigenvalue 1.
inline TestMatrix defective(Index n, unsigned seed) {
  const auto Q = random_unitary(n, seed);
  Matrix<QuadComplex> J(n, n);
  for (Index i = 0; i < n; ++i) {
    J(i, i) = QuadComplex(1);
    if (i + 1 < n) J(i, i + 1) = QuadComplex(1);
  }
  return {"defective", converted<Complex>(times(times(Q, J), adjoint_of(Q))),
          std::vector<QuadComplex>(static_cast<std::size_t>(n), QuadComplex(1))};
}

inline TestMatrix cyclic_shift(Index n) {
  Matrix<Complex> A(n, n);
  std::vector<QuadComplex> truth;
  for (Index i = 0; i < n; ++i) {
    A(i, (i + 1) % n) = 1;
    const Quad angle = 2 * pi() * Quad(i) / Quad(n);
    truth.emplace_back(Quad(cos(angle)), Quad(sin(angle)));
  }
  return {"cyclic shift", A, truth};
}

/// D⁻¹·G·D of a Gaussian G, D from 1 to 10^decades.
inline TestMatrix badly_scaled(Index n, double decades, unsigned seed) {
  Matrix<Complex> A = gaussian(n, seed);
  const auto d = [&](Index i) { return decades * static_cast<double>(i) / static_cast<double>(n - 1); };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) *= std::pow(10.0, d(j) - d(i));
  return {"badly scaled", A};
}

}  // namespace pivotlab::test
