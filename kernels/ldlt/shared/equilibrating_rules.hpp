// SPDX-License-Identifier: BSD-3-Clause
// Rules of the symmetric equilibration for single elements, with the same results on the host and on a device. This
// header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/numerics/power_of_two.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <type_traits>

namespace pivotlab::ldlt_detail {

/// Logarithms to the base 2 are integers in units of 1/256.
inline constexpr int fraction_bits = 8, log2_unit = 1 << fraction_bits;

enum class RowNorm { largest, euclidean };

/// Returns ⌊log₂|x|⌋ of x ≠ 0; for a complex number that of its larger part.
template <class T>
PIVOTLAB_DEVICE int exponent_of_element(const T& x) {
  if constexpr (is_complex<T>) {
    const RealOf<T> re = absolute(RealOf<T>(x.real())), im = absolute(RealOf<T>(x.imag()));
    return exponent_of_element(re < im ? im : re);
  } else if constexpr (std::is_same_v<T, double>) {
    const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
    return biased > 0 ? biased - 1023 : std::ilogb(x);
  } else {
    return exponent_of(x);
  }
}

/// Reduction of the elements of a row, in any order: the largest one.
struct LargestOfRow {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  static PIVOTLAB_DEVICE std::int64_t joined(std::int64_t x, std::int64_t y) { return x < y ? y : x; }
  static PIVOTLAB_DEVICE std::int64_t of_element(std::int64_t log2) { return log2; }
  static std::int64_t log2_of(std::int64_t gathered) { return gathered; }
};
/// Sum of squares in units of 2⁻³²; smaller squares are lost. 2^(k+f) is approximated by 2^k·(1+f), and its logarithm
/// accordingly.
struct SquaresOfRow {
  static constexpr std::int64_t none = 0;
  static PIVOTLAB_DEVICE std::int64_t joined(std::int64_t x, std::int64_t y) { return x + y; }
  static PIVOTLAB_DEVICE std::int64_t of_element(std::int64_t log2) {
    constexpr std::int64_t most_left = 20;  // no norm after the first passes is near 2^10
    const std::int64_t square = 2 * log2, whole = square >> fraction_bits;
    const std::int64_t mantissa = (log2_unit + (square & (log2_unit - 1))) << (32 - fraction_bits);
    if (whole >= 0) return mantissa << (whole < most_left ? whole : most_left);
    return whole > -63 ? mantissa >> -whole : 0;
  }
  static std::int64_t log2_of(std::int64_t gathered) {
    const int whole = std::bit_width(static_cast<std::uint64_t>(gathered)) - 1, shift = whole - fraction_bits;
    const std::int64_t mantissa = shift >= 0 ? gathered >> shift : gathered << -shift;
    return (std::int64_t{log2_unit} * (whole - 32) + mantissa - log2_unit) / 2;
  }
};

/// Returns what a rule takes of element x ≠ 0 of A in a row and a column of S·A·S with these logarithms of S.
template <class Rule, class T>
PIVOTLAB_DEVICE std::int64_t of_scaled_element(const T& x, int log2_of_row, int log2_of_column) {
  return Rule::of_element(std::int64_t{log2_unit} * exponent_of_element(x) + log2_of_row + log2_of_column);
}

/// Returns x·2^exponent; counts in `rounded` the numbers that underflow and are therefore not exact.
template <class R>
PIVOTLAB_DEVICE R scaled_exactly(const R& x, int exponent, Index& rounded) {
  if constexpr (is_complex<R>) {
    const RealOf<R> re = scaled_exactly(RealOf<R>(x.real()), exponent, rounded);
    return R(re, scaled_exactly(RealOf<R>(x.imag()), exponent, rounded));
  } else {
    R y;
    if constexpr (std::is_same_v<R, double>) {
      if (-1022 <= exponent && exponent <= 1023) {
        y = x * std::bit_cast<double>(std::uint64_t(exponent + 1023) << 52);
        if (absolute(y) >= std::numeric_limits<double>::min() || x == 0) return y;
      }
    }
    y = times_power_of_two(x, exponent);
    rounded += times_power_of_two(y, -exponent) != x;
    return y;
  }
}

}  // namespace pivotlab::ldlt_detail
