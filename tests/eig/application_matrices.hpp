// SPDX-License-Identifier: BSD-3-Clause
// Small matrices from applications and collections on which sweeps alone stagnate or leave large residuals.
#pragma once

#include "matrices.hpp"

#include <cmath>

namespace pivotlab::test {

template <class Element>
Matrix<Complex> matrix_of(Index n, const Element& element) {
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = element(i, j);
  return A;
}

/// Redheffer's matrix of divisibility: the eigenvalue 1 in Jordan blocks of several orders.
inline TestMatrix redheffer(Index n) {
  return {"Redheffer", matrix_of(n, [](Index i, Index j) { return j == 0 || (j + 1) % (i + 1) == 0 ? 1 : 0; })};
}

/// A Fredholm operator of the first kind with a discontinuous solution (Hansen's Regularization Tools, wing):
/// eigenvalues fall to rounding.
inline TestMatrix wing(Index n) {
  const double h = 1.0 / double(n);
  return {"wing", matrix_of(n, [&](Index i, Index j) {
            const double s = (double(i) + 0.5) * h, t = (double(j) + 0.5) * h;
            return h * t * std::exp(-s * t * t);
          })};
}

/// The tridiagonal matrix of LeSP: eigenvalues near −2k − 3, sensitive.
inline TestMatrix lesp(Index n) {
  return {"lesp", matrix_of(n, [](Index i, Index j) {
            const auto k = double(i + 2);
            return i == j ? -(2 * k + 1) : j == i + 1 ? k : i == j + 1 ? 1 / k : 0;
          })};
}

/// The inverse of the Hilbert matrix, scaled to be an involution, from integers: eigenvalues ±1, elements to 1e14.
inline TestMatrix involution(Index n) {
  Matrix<Complex> A = matrix_of(n, [](Index i, Index j) { return 1 / double(i + j + 1); });
  auto d = double(-n);
  for (Index i = 0; i < n; ++i) A(i, 0) *= d;
  for (Index i = 1; i < n; ++i) {
    d = -double((n + i) * (n - i)) * d / double(i * i);
    for (Index j = 0; j < n; ++j) A(i, j) *= d;
  }
  return {"involution", A};
}

/// Eigenvalues 0, 1, …, n − 1, of conditions to 1e14 at n = 20 (Bondesson & Traat).
inline TestMatrix sampling(Index n) {
  Matrix<Complex> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (i != j) A(i, j) = double(i + 1) / double(i - j), A(j, j) += A(i, j);
  return {"sampling", A};
}

/// Chow's matrix, lower Hessenberg, Toeplitz: the balanced one has small residuals in its Schur form, A has not.
inline TestMatrix chow(Index n) {
  return {"Chow", matrix_of(n, [](Index i, Index j) { return j <= i + 1 ? 1 : 0; })};
}

/// u·vᵀ of small integers; of even seeds nilpotent.
inline TestMatrix rank_one(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<double> u, v;
  double squares = 0, product = 0;
  for (Index i = 0; i < n; ++i) {
    u.push_back(double(generator() % 7) - 3), v.push_back(double(generator() % 7) - 3);
    squares += u.back() * u.back(), product += u.back() * v.back();
  }
  if (seed % 2 == 0)
    for (Index i = 0; i < n; ++i) v[i] = squares * v[i] - product * u[i];  // exact, orthogonal to u
  return {"rank one", matrix_of(n, [&](Index i, Index j) { return u[i] * v[j]; })};
}

}  // namespace pivotlab::test
