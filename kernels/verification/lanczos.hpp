// SPDX-License-Identifier: BSD-3-Clause
// The largest singular value of a matrix that is given by its products with vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <pivotlab/scalar_traits.hpp>
#include <utility>
#include <vector>

namespace pivotlab::experiments {

namespace detail {

/// Computes the largest eigenvalue of a positive semidefinite tridiagonal matrix to 12 digits, by bisection with Sturm
/// sequences. It is at least `low`, that of the matrix without its last row and column.
inline double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside, double low) {
  double high = std::max(low, diagonal.back()) + (beside.empty() ? 0 : std::abs(beside.back()));
  const auto all_below = [&](double x) {  // T − x·I is negative definite
    double pivot = 0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (!(pivot < 0)) return false;
    }
    return true;
  };
  while (high - low > 1e-12 * high) {
    const double middle = low + (high - low) / 2;
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

// Arithmetic by parts and with several sums, so that the compiler vectorizes it. std::complex's own product tests for
// infinities, which takes longer than the product.

template <class T>
const double* components(const std::vector<T>& x) {
  return reinterpret_cast<const double*>(x.data());
}

/// Returns xᴴ·y.
template <class T>
T dot(const std::vector<T>& x, const std::vector<T>& y) {
  constexpr std::size_t parts = is_complex<T> ? 2 : 1, lanes = 8;
  const std::size_t count = parts * x.size();
  const double *a = components(x), *b = components(y);
  double straight[lanes] = {}, crossed[lanes] = {};  // Σ a_i·b_i; complex: Σ a_i·(the other part of b_i)
  for (std::size_t i = 0; i < count; ++i) {
    straight[i % lanes] += a[i] * b[i];
    if constexpr (is_complex<T>) crossed[i % lanes] += a[i] * b[i ^ 1];
  }
  double real = 0, imag = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    real += straight[l];
    imag += l % 2 == 0 ? crossed[l] : -crossed[l];
  }
  if constexpr (is_complex<T>)
    return T(real, imag);
  else
    return real;
}

/// Subtracts a·x from y.
template <class T>
void subtract(const T& a, const std::vector<T>& x, std::vector<T>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (is_complex<T>)
      y[i] -= T(a.real() * x[i].real() - a.imag() * x[i].imag(), a.real() * x[i].imag() + a.imag() * x[i].real());
    else
      y[i] -= a * x[i];
  }
}

}  // namespace detail

/// Computes ‖A‖₂ for A with n columns, given apply(v) = AᴴA·v, by Lanczos' method. Ends when the value has not changed
/// to 8 digits for some steps, which for an extreme eigenvalue gives at least six digits. Vectors are made orthogonal
/// to the two before only: what is lost of the others' orthogonality repeats eigenvalues that have converged (Paige,
/// 1980).
template <class T, class Apply>
double largest_singular_value(std::size_t n, Apply&& apply) {
  constexpr std::size_t most_steps = 200;
  constexpr int steady_steps = 5;
  constexpr double same = 1e-8;
  std::vector<T> last, v(n);
  for (std::size_t i = 0; i < n; ++i)  // a fixed unstructured vector: fractional parts of multiples of √2 and √3
    v[i] = T(std::fmod(1.4142135623730951 * static_cast<double>(i + 1), 1.0) - 0.5 +
             std::fmod(1.7320508075688772 * static_cast<double>(i + 1), 0.1));
  const double norm = std::sqrt(real_part(detail::dot(v, v)));
  for (T& x : v) x /= norm;

  std::vector<double> diagonal, beside;
  double value = 0;
  for (int steady = 0; steady < steady_steps;) {
    std::vector<T> w = apply(v);
    if (!last.empty()) detail::subtract(T(beside.back()), last, w);
    diagonal.push_back(real_part(detail::dot(v, w)));
    detail::subtract(T(diagonal.back()), v, w);
    detail::subtract(detail::dot(v, w), v, w);
    const double before = value;
    value = detail::largest_eigenvalue(diagonal, beside, before);
    steady = std::abs(value - before) <= same * value ? steady + 1 : 0;
    const double length = std::sqrt(real_part(detail::dot(w, w)));
    if (!(length > 1e-14 * value) || diagonal.size() == most_steps) break;  // an invariant subspace, or NaN
    for (T& x : w) x /= length;
    beside.push_back(length);
    last = std::exchange(v, std::move(w));
  }
  return std::sqrt(value);
}

}  // namespace pivotlab::experiments
