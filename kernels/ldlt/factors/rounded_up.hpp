// SPDX-License-Identifier: BSD-3-Clause
// Upper bounds in floating point: a computed sum is increased by more than its rounding errors.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::ldlt_detail {

inline constexpr double unit = unit_roundoff<double>();

/// Returns an upper bound of the exact value of an expression of numbers ≥ 0 that was computed as x by sums, products,
/// quotients and moduli. No operand may go through more than `operations` < 2³⁰ of them, and none may underflow. (1 +
/// δ)ⁿ with |δ| ≤ u is at least 1 − nu, and 1/(1 − nu) is below 1 + 2nu.
inline double rounded_up(double x, Index operations) {
  return x * (1 + 4 * unit * static_cast<double>(operations + 1));
}

/// Returns a lower bound where rounded_up() returns an upper one.
inline double rounded_down(double x, Index operations) {
  return x * (1 - 4 * unit * static_cast<double>(operations + 1));
}

/// Returns γ: a sum of k products and one more number has an error of at most γ times the sum of their moduli, in any
/// order and with or without FMAs: γ_m = m·u/(1 − m·u) with m = k + 1 roundings (Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd ed., Lemma 8.4). A complex product is two real ones in each part, and √2·γ_2m bounds the
/// modulus.
template <class T>
double summation_error(Index products) {
  const double roundings = static_cast<double>(products + 1);
  return (is_complex<T> ? 2.83 : 1.) * unit * rounded_up(roundings, products + 4);
}

}  // namespace pivotlab::ldlt_detail
