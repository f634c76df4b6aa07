// SPDX-License-Identifier: BSD-3-Clause
// Pairs of random matrices with graded rows and columns.
#pragma once

#include "tests/gsvd/problems.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace pivotlab::test {

template <class T>
struct NamedPair {
  std::string name;
  TestPair<T> pair;
};

using Diagonal = std::vector<double>;

/// diag(rows)·A·diag(cols); an empty diagonal is the identity.
template <class T>
Matrix<T> graded(Matrix<T> A, const Diagonal& rows, const Diagonal& cols) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      A(i, j) *= (rows.empty() ? 1.0 : rows[static_cast<std::size_t>(i)]) *
                 (cols.empty() ? 1.0 : cols[static_cast<std::size_t>(j)]);
  return A;
}

/// Eleven pairs of two random matrices B and C of order n ≥ 2, with diagonals D from 10⁻ᵍ to 10ᵍ, D' and D" in other
/// orders: the kinds of section 3 of the specification.
template <class T>
std::vector<NamedPair<T>> graded_pairs(Index n, double g, unsigned seed) {
  std::mt19937_64 generator(seed);
  Diagonal D, one;
  for (Index i = 0; i < n; ++i) D.push_back(std::pow(10.0, -g + 2 * g * static_cast<double>(i) / (n - 1)));
  Diagonal P = D, Q = D;
  std::shuffle(P.begin(), P.end(), generator);
  std::shuffle(Q.begin(), Q.end(), generator);
  const auto [B, C] = random_pair<T>(n, n, n, seed);
  const auto pair = [&](const Diagonal& f_rows, const Diagonal& f_cols, const Diagonal& g_rows,
                        const Diagonal& g_cols) {
    return TestPair<T>{graded(B, f_rows, f_cols), graded(C, g_rows, g_cols)};
  };
  return {{"(BD, C)", pair(one, D, one, one)},   {"(BD', C)", pair(one, P, one, one)},
          {"(DB, C)", pair(D, one, one, one)},   {"(B, CD)", pair(one, one, one, D)},
          {"(B, DC)", pair(one, one, D, one)},   {"(BD, CD')", pair(one, D, one, P)},
          {"(DB, DC)", pair(D, one, D, one)},    {"(D'B, D\"C)", pair(P, one, Q, one)},
          {"(D'BD\", C)", pair(P, Q, one, one)}, {"(D'BD, CD\")", pair(P, D, one, Q)},
          {"(BD', D\"C)", pair(one, P, Q, one)}};
}

}  // namespace pivotlab::test
