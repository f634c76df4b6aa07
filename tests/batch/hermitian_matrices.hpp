// SPDX-License-Identifier: BSD-3-Clause
// Hermitian matrices of all kinds.
#pragma once

#include "tests/jacobi/matrices.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace pivotlab::test {

template <class T>
Matrix<T> random_hermitian(Index n, std::mt19937_64& generator) {
  return hermitian(random_matrix<T>(n, n, generator));
}

/// Dense, indefinite with a zero diagonal, of rank n/2, graded, zero, extreme.
template <class T>
std::vector<Matrix<T>> some_hermitian(Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<Matrix<T>> all;
  for (int kind = 0; kind < 6; ++kind) {
    Matrix<T> A = random_hermitian<T>(n, generator);
    if (kind == 2) {
      const Matrix<T> B = random_matrix<T>(n, (n + 1) / 2, generator);
      A = Matrix<T>(n, n);
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
          for (Index l = 0; l < B.cols(); ++l)
            A(i, j) += detail::times<T>(B(i, l), conjugate(B(j, l))) * (l % 2 == 0 ? 1.0 : -1.0);
      A = hermitian(std::move(A));
    }
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        if (kind == 1 && i == j) A(i, j) = T(0);
        if (kind == 3) A(i, j) *= std::pow(10.0, -8.0 * double(i + j) / double(n));
        if (kind == 4) A(i, j) = T(0);
        if (kind == 5) A(i, j) *= 0x1p-900;
      }
    all.push_back(std::move(A));
  }
  return all;
}

}  // namespace pivotlab::test
