// The largest singular value of a matrix that is known by its products with vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <pivotlab/scalar_traits.hpp>
#include <vector>

namespace pivotlab::experiments {

namespace detail {

/// The largest eigenvalue of a positive semidefinite tridiagonal matrix, by bisection with Sturm sequences.
inline double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    high = std::max(
        high, diagonal[i] + (i > 0 ? std::abs(beside[i - 1]) : 0) + (i < beside.size() ? std::abs(beside[i]) : 0));
  double low = 0;
  const auto all_below = [&](double x) {  // T − x·I is negative definite
    double pivot = 0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (!(pivot < 0)) return false;
    }
    return true;
  };
  for (int step = 0; step < 60; ++step) {
    const double middle = low + (high - low) / 2;
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

template <class T>
T dot(const std::vector<T>& x, const std::vector<T>& y) {
  T sum(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) sum += conjugate(x[i]) * y[i];
  return sum;
}

}  // namespace detail

/// ‖A‖₂ for A with n columns, given apply(v) = AᴴA·v, by Lanczos' method with full orthogonalization. Ends when the
/// value has stayed the same to 8 digits for some steps, which for an extreme eigenvalue means six digits at least.
template <class T, class Apply>
double largest_singular_value(std::size_t n, Apply&& apply) {
  constexpr std::size_t most_steps = 200;
  constexpr int steady_steps = 5;
  constexpr double same = 1e-8;
  std::vector<std::vector<T>> basis(1, std::vector<T>(n));
  for (std::size_t i = 0; i < n; ++i)  // a fixed vector without structure: fractional parts of multiples of √2 and √3
    basis[0][i] = T(std::fmod(1.4142135623730951 * static_cast<double>(i + 1), 1.0) - 0.5 +
                    std::fmod(1.7320508075688772 * static_cast<double>(i + 1), 0.1));
  const double norm = std::sqrt(real_part(detail::dot(basis[0], basis[0])));
  for (T& x : basis[0]) x /= norm;

  std::vector<double> diagonal, beside;
  double value = 0;
  for (int steady = 0; steady < steady_steps;) {
    std::vector<T> w = apply(basis.back());
    diagonal.push_back(real_part(detail::dot(basis.back(), w)));
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<T>& v : basis) {
        const T part = detail::dot(v, w);
        for (std::size_t i = 0; i < n; ++i) w[i] -= part * v[i];
      }
    const double before = value;
    value = detail::largest_eigenvalue(diagonal, beside);
    steady = std::abs(value - before) <= same * value ? steady + 1 : 0;
    const double length = std::sqrt(real_part(detail::dot(w, w)));
    if (!(length > 1e-14 * value) || basis.size() == std::min(n, most_steps)) break;  // an invariant subspace, or NaN
    for (T& x : w) x /= length;
    beside.push_back(length);
    basis.push_back(std::move(w));
  }
  return std::sqrt(value);
}

}  // namespace pivotlab::experiments
