// SPDX-License-Identifier: BSD-3-Clause
// Quad: IEEE binary128, with the arithmetic of the compiler's run-time library.
#pragma once

#include <compare>
#include <concepts>
#include <iosfwd>
#include <limits>
#include <type_traits>

namespace pivotlab {

/// IEEE binary128: 113-bit significand, results rounded to nearest. Test problems are made and results are judged in
/// it. The default value is zero. Every built-in number converts to Quad without rounding; a conversion from Quad is
/// explicit and rounds once.
class Quad {
 public:
  __extension__ typedef __float128 Native;

  constexpr Quad() = default;
  constexpr Quad(Native x) : value_(x) {}  // NOLINT: it is the same number
  template <class N>
  requires std::is_arithmetic_v<N>
  constexpr Quad(N x) : value_(x) {}  // NOLINT: every built-in number is one

  template <class N>
  requires std::is_arithmetic_v<N>
  explicit constexpr operator N() const { return static_cast<N>(value_); }
  constexpr Native native() const { return value_; }

  constexpr Quad operator-() const { return -value_; }
  constexpr Quad operator+() const { return value_; }
  constexpr Quad& operator+=(const Quad& y) { return value_ += y.value_, *this; }
  constexpr Quad& operator-=(const Quad& y) { return value_ -= y.value_, *this; }
  constexpr Quad& operator*=(const Quad& y) { return value_ *= y.value_, *this; }
  constexpr Quad& operator/=(const Quad& y) { return value_ /= y.value_, *this; }
  friend constexpr Quad operator+(const Quad& x, const Quad& y) { return x.value_ + y.value_; }
  friend constexpr Quad operator-(const Quad& x, const Quad& y) { return x.value_ - y.value_; }
  friend constexpr Quad operator*(const Quad& x, const Quad& y) { return x.value_ * y.value_; }
  friend constexpr Quad operator/(const Quad& x, const Quad& y) { return x.value_ / y.value_; }
  friend constexpr bool operator==(const Quad& x, const Quad& y) { return x.value_ == y.value_; }
  friend constexpr std::partial_ordering operator<=>(const Quad& x, const Quad& y) {
    return x.value_ < y.value_    ? std::partial_ordering::less
           : x.value_ > y.value_  ? std::partial_ordering::greater
           : x.value_ == y.value_ ? std::partial_ordering::equivalent
                                  : std::partial_ordering::unordered;
  }

 private:
  Native value_ = 0;
};

inline bool isnan(const Quad& x) {
  return __builtin_isnan(x.native());
}
inline bool isfinite(const Quad& x) {
  return __builtin_isfinite(x.native());
}
inline bool isinf(const Quad& x) {
  return !isnan(x) && !isfinite(x);
}
inline bool signbit(const Quad& x) {
  return __builtin_signbit(x.native());
}
inline Quad abs(const Quad& x) {
  return signbit(x) ? -x : x;
}
inline Quad fabs(const Quad& x) {
  return abs(x);
}

Quad sqrt(const Quad& x);           ///< rounded to nearest
Quad ldexp(const Quad& x, int e);   ///< x·2ᵉ
Quad frexp(const Quad& x, int* e);  ///< x·2⁻ᵉ with modulus in [1/2, 1); 0 for 0
int ilogb(const Quad& x);           ///< ⌊log₂|x|⌋ of a finite x ≠ 0

/// Writes as many decimal digits as the stream's precision.
std::ostream& operator<<(std::ostream& out, const Quad& x);

}  // namespace pivotlab

template <>
class std::numeric_limits<pivotlab::Quad> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int radix = 2, digits = 113, digits10 = 33, max_digits10 = 36;
  static constexpr int min_exponent = -16381, max_exponent = 16384;
  static constexpr pivotlab::Quad epsilon() { return 0x1p-112; }
  static constexpr pivotlab::Quad min() { return 0x1p-16382L; }  // long double has the same exponents
  static constexpr pivotlab::Quad max() {
    const pivotlab::Quad top = 0x1p16383L;
    return top + top * (1 - epsilon());
  }
  static constexpr pivotlab::Quad lowest() { return -max(); }
  static constexpr pivotlab::Quad denorm_min() { return min() * epsilon(); }
  static constexpr pivotlab::Quad infinity() { return __builtin_inf(); }
  static constexpr pivotlab::Quad quiet_NaN() { return __builtin_nan(""); }
};
