// SPDX-License-Identifier: BSD-3-Clause
// Norms in double without intermediate overflow or underflow, and scaling by powers of two.
#pragma once

#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <span>
#include <vector>

namespace pivotlab::experiments {

template <class T>
std::vector<T> scaled(std::vector<T> x, int exponent) {
  for (T& element : x) element = times_power_of_two(element, exponent);
  return x;
}

/// Returns x_i·2^exponents_i.
inline std::vector<double> scaled(std::vector<double> x, const std::vector<int>& exponents) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = times_power_of_two(x[i], exponents[i]);
  return x;
}

/// Computes largest := max(largest, x); NaN remains.
inline void raise_to(double& largest, double x) {
  if (!(x <= largest) && !std::isnan(largest)) largest = x;
}

/// Returns the largest |Re| or |Im|; NaN if there is one.
template <class T>
double largest_component(std::span<const T> x) {
  // Moduli are ordered as their bits, NaN above all, and a compiler compares several integers at once.
  const auto* numbers = reinterpret_cast<const double*>(x.data());
  constexpr auto but_sign = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < x.size_bytes() / sizeof(double); ++i)
    largest = std::max(largest, std::bit_cast<std::int64_t>(numbers[i]) & but_sign);
  return std::bit_cast<double>(largest);
}

/// Returns the exponent e with 2^e ≤ largest_component < 2^(e+1); 0 for a zero vector.
template <class T>
int exponent_of(std::span<const T> x) {
  const double largest = largest_component(x);
  return largest > 0 ? std::ilogb(largest) : 0;
}

/// Returns the largest exponent of a component of diag(2^rows)·x; nothing for a zero vector.
template <class T>
std::optional<int> exponent_of(std::span<const T> x, const std::vector<int>& rows) {
  constexpr int none = std::numeric_limits<int>::min();
  int top = none;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double largest = std::max(std::abs(std::real(x[i])), std::abs(std::imag(x[i])));
    const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52);
    const int exponent = biased > 0    ? biased - 1023
                         : largest > 0 ? std::ilogb(largest)
                                       : none;  // of a subnormal number
    if (exponent != none) top = std::max(top, exponent + rows[i]);
  }
  return top == none ? std::nullopt : std::optional(top);
}

/// Returns ‖x‖₂.
template <class T>
double norm(std::span<const T> x) {
  const int exponent = exponent_of(x);
  double squares = 0;
  for (const T& element : x) squares += std::norm(times_power_of_two(element, -exponent));
  return std::ldexp(std::sqrt(squares), exponent);
}

template <class T>
std::span<const T> elements(const Matrix<T>& A) {
  return {A.data(), static_cast<std::size_t>(A.size())};
}

template <class T>
double frobenius_norm(const Matrix<T>& A) {
  return norm(elements(A));
}

template <class T>
std::vector<double> column_norms(const Matrix<T>& A) {
  std::vector<double> norms;
  for (Index j = 0; j < A.cols(); ++j) norms.push_back(norm<T>(A.col(j)));
  return norms;
}

/// Returns sums of moduli.
template <class T>
std::vector<double> column_sums(const Matrix<T>& A) {
  std::vector<double> sums;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0;
    for (const T& x : A.col(j)) sum += std::abs(x);
    sums.push_back(sum);
  }
  return sums;
}

/// Returns the largest column sum of moduli.
template <class T>
double norm_1(const Matrix<T>& A) {
  return largest_component<double>(column_sums(A));
}

}  // namespace pivotlab::experiments
