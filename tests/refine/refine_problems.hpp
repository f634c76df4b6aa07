// SPDX-License-Identifier: BSD-3-Clause
// Problems of any order with values in closed form: the matrix T = tridiag(−1, 2, −1) has eigenvalues 4·sin²(θ_k), θ_k
// = kπ/(2(n + 1)), and eigenvectors of sines; the (n + 1) × n difference D has DᵀD = T.
#pragma once

#include <cmath>
#include <numbers>
#include <pivotlab/quad.hpp>
#include <pivotlab/refine.hpp>
#include <random>
#include <vector>

namespace pivotlab::test {

/// Returns the eigenvectors of T, descending eigenvalues, in double; their elements are disturbed by `error`.
inline Matrix<double> sine_vectors(Index n, double error) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> draw(-error, error);
  std::vector<double> sine(static_cast<std::size_t>(2 * (n + 1)));
  for (std::size_t k = 0; k < sine.size(); ++k)
    sine[k] = std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n + 1)) *
              std::sqrt(2 / static_cast<double>(n + 1));
  Matrix<double> U(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) U(i, j) = sine[(i + 1) * (n - j) % (2 * (n + 1))] + draw(engine);
  return U;
}

/// Returns sin(θ) by its series, in Quad; 0 ≤ θ ≤ π/2.
inline Quad sine(const Quad& x) {
  Quad term = x, sum = x;
  for (int k = 2; k < 60; k += 2) sum += term *= -x * x / Quad(k * (k + 1));
  return sum;
}
/// Returns 2·sin(θ_{n−j}), which descends.
inline Quad twice_sine(Index n, Index j) {
  const Quad pi = Quad(3.141592653589793116) + Quad(1.2246467991473531772e-16) + Quad(-2.9947698097183396659e-33);
  return Quad(2) * sine(pi * Quad(static_cast<double>(n - j)) / Quad(static_cast<double>(2 * (n + 1))));
}

/// Returns T + shift·I.
inline Matrix<double> tridiagonal(Index n, double shift) {
  Matrix<double> A(n, n);
  for (Index j = 0; j < n; ++j) {
    A(j, j) = 2 + shift;
    if (j > 0) A(j - 1, j) = A(j, j - 1) = -1;
  }
  return A;
}
inline Matrix<double> difference(Index n) {
  Matrix<double> D(n + 1, n);
  for (Index j = 0; j < n; ++j) D(j, j) = 1, D(j + 1, j) = -1;
  return D;
}

/// Summarizes a refinement against the truth.
struct Accuracy {
  Index determined = 0;
  double largest_bound = 0;    ///< relative to its value
  double largest_excess = 0;   ///< |error|/bound
  double largest_in_ulps = 0;  ///< |error| of the values rounded to double
};

template <class T, class Truth>
Accuracy accuracy_of(const Refined<T>& refined, const Truth& truth) {
  Accuracy result;
  for (std::size_t j = 0; j < refined.values.size(); ++j) {
    const Quad true_value = truth(static_cast<Index>(j));
    const double value = refined.values[j];
    const Quad rounded_error = Quad(value) - true_value, error = rounded_error + Quad(refined.values_lo[j]);
    const double ulp = std::nextafter(std::fabs(value), HUGE_VAL) - std::fabs(value);
    result.determined += refined.determined[j];
    result.largest_bound = std::max(result.largest_bound, refined.bound[j] / std::fabs(value));
    result.largest_excess = std::max(result.largest_excess, static_cast<double>(abs(error)) / refined.bound[j]);
    result.largest_in_ulps = std::max(result.largest_in_ulps, static_cast<double>(abs(rounded_error)) / ulp);
  }
  return result;
}

/// Refines the three problems of order n whose vectors are sines, with this disturbance. Calls visit(name, truth,
/// result).
template <class Visit>
void refine_sines(Index n, double disturbance, const RefineOptions& options, const Visit& visit) {
  const Matrix<double> U = sine_vectors(n, disturbance), A = tridiagonal(n, 2), D = difference(n),
                       G = tridiagonal(n, 1);
  visit(
      "eigh", [n](Index j) { return twice_sine(n, j) * twice_sine(n, j) + Quad(2); },
      refine_eigh<double>(A.view(), U.view(), options));
  const Matrix<double> left(n + 1, n);
  visit(
      "svd", [n](Index j) { return twice_sine(n, j); }, refine_svd<double>(D.view(), left.view(), U.view(), options));
  // 2·sin(θ)/(4·sin²(θ) + 1) is largest for 2·sin(θ) = 1: values are sorted.
  std::vector<Quad> quotients;
  for (Index j = 0; j < n; ++j) quotients.push_back(twice_sine(n, j) / (twice_sine(n, j) * twice_sine(n, j) + Quad(1)));
  std::sort(quotients.begin(), quotients.end(), [](const Quad& x, const Quad& y) { return y < x; });
  visit(
      "gsvd", [&](Index j) { return quotients[j]; }, refine_gsvd<double>(D.view(), G.view(), U.view(), options));
}

}  // namespace pivotlab::test
