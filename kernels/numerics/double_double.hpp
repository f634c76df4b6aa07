// SPDX-License-Identifier: BSD-3-Clause
// Double-double: an unevaluated sum hi + lo of two doubles, about 106 bits, at the speed of a few vector instructions.
//
// The operations are branch-free, so loops over them vectorize. Algorithms and error bounds (u = 2⁻⁵³): Joldes, Muller
// & Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44 (2017).
// Digits are lost if hi is below 2⁻⁹⁶⁹; overflow gives NaN. This header is plain C++, which a device compiler also
// reads.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cmath>
#include <compare>
#include <complex>
#include <limits>
#include <ostream>

namespace pivotlab {
class DoubleDouble;
}

// This is before the class, because overload resolution of Boost's operators needs it.
template <>
class std::numeric_limits<pivotlab::DoubleDouble> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = false, is_bounded = true;
  static constexpr int radix = 2, digits = 106, digits10 = 31, max_digits10 = 33;
  static constexpr int min_exponent = -968, max_exponent = 1024;
  static constexpr pivotlab::DoubleDouble epsilon();
  static constexpr pivotlab::DoubleDouble min();  ///< the smallest number that certainly has all its digits
  static constexpr pivotlab::DoubleDouble denorm_min();
  static constexpr pivotlab::DoubleDouble max();
  static constexpr pivotlab::DoubleDouble lowest();
  static constexpr pivotlab::DoubleDouble infinity();
  static constexpr pivotlab::DoubleDouble quiet_NaN();
};

namespace pivotlab {

/// A number type with more digits than DoubleDouble, such as Quad.
template <class W>
concept WiderReal = std::is_class_v<W> &&(std::numeric_limits<W>::digits > 106);

class DoubleDouble {
 public:
  constexpr DoubleDouble() = default;
  PIVOTLAB_DEVICE constexpr DoubleDouble(double x) : hi_(x) {}  // NOLINT: every double is one
  template <WiderReal W>
  explicit DoubleDouble(const W& x) : hi_(static_cast<double>(x)), lo_(static_cast<double>(x - hi_)) {}

  /// Makes hi + lo, which must be normalized: hi = fl(hi + lo).
  PIVOTLAB_DEVICE static constexpr DoubleDouble from_parts(double hi, double lo) { return DoubleDouble(hi, lo); }
  /// Computes a + b without error, for any a and b (TwoSum).
  PIVOTLAB_DEVICE static DoubleDouble sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  /// Computes a + b without error, for |a| ≥ |b| or a = 0 (Fast2Sum).
  PIVOTLAB_DEVICE static DoubleDouble ordered_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
  }
  /// Computes a·b without error unless it underflows (TwoProd).
  PIVOTLAB_DEVICE static DoubleDouble product(double a, double b) {
    const double p = a * b;
    return {p, std::fma(a, b, -p)};
  }

  PIVOTLAB_DEVICE constexpr double hi() const { return hi_; }
  PIVOTLAB_DEVICE constexpr double lo() const { return lo_; }
  PIVOTLAB_DEVICE explicit constexpr operator double() const { return hi_; }
  template <WiderReal W>
  explicit operator W() const {
    return W(hi_) + W(lo_);
  }

  PIVOTLAB_DEVICE constexpr DoubleDouble operator-() const { return {-hi_, -lo_}; }
  PIVOTLAB_DEVICE constexpr DoubleDouble operator+() const { return *this; }

  /// Relative error ≤ 3u² (AccurateDWPlusDW), also under cancellation.
  PIVOTLAB_DEVICE friend DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
    const DoubleDouble s = sum(x.hi_, y.hi_), t = sum(x.lo_, y.lo_);
    const DoubleDouble v = ordered_sum(s.hi_, s.lo_ + t.hi_);
    return ordered_sum(v.hi_, t.lo_ + v.lo_);
  }
  /// Relative error ≤ 2u² (DWPlusFP).
  PIVOTLAB_DEVICE friend DoubleDouble operator+(const DoubleDouble& x, double y) {
    const DoubleDouble s = sum(x.hi_, y);
    return ordered_sum(s.hi_, x.lo_ + s.lo_);
  }
  PIVOTLAB_DEVICE friend DoubleDouble operator+(double x, const DoubleDouble& y) { return y + x; }
  PIVOTLAB_DEVICE friend DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) { return x + (-y); }
  PIVOTLAB_DEVICE friend DoubleDouble operator-(const DoubleDouble& x, double y) { return x + (-y); }
  PIVOTLAB_DEVICE friend DoubleDouble operator-(double x, const DoubleDouble& y) { return (-y) + x; }

  /// Relative error ≤ 4u² (DWTimesDW3).
  PIVOTLAB_DEVICE friend DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
    const DoubleDouble p = product(x.hi_, y.hi_);
    const double cross = std::fma(x.lo_, y.hi_, std::fma(x.hi_, y.lo_, x.lo_ * y.lo_));
    return ordered_sum(p.hi_, p.lo_ + cross);
  }
  /// Relative error ≤ 2u² (DWTimesFP3).
  PIVOTLAB_DEVICE friend DoubleDouble operator*(const DoubleDouble& x, double y) {
    const DoubleDouble p = product(x.hi_, y);
    return ordered_sum(p.hi_, std::fma(x.lo_, y, p.lo_));
  }
  PIVOTLAB_DEVICE friend DoubleDouble operator*(double x, const DoubleDouble& y) { return y * x; }

  /// Relative error ≤ 15u² (DWDivDW2).
  PIVOTLAB_DEVICE friend DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
    const double quotient = x.hi_ / y.hi_;
    const DoubleDouble r = y * quotient;
    const double remainder = (x.hi_ - r.hi_) + (x.lo_ - r.lo_);
    return ordered_sum(quotient, remainder / y.hi_);
  }

  PIVOTLAB_DEVICE DoubleDouble& operator+=(const DoubleDouble& y) { return *this = *this + y; }
  PIVOTLAB_DEVICE DoubleDouble& operator-=(const DoubleDouble& y) { return *this = *this - y; }
  PIVOTLAB_DEVICE DoubleDouble& operator*=(const DoubleDouble& y) { return *this = *this * y; }
  PIVOTLAB_DEVICE DoubleDouble& operator/=(const DoubleDouble& y) { return *this = *this / y; }

  PIVOTLAB_DEVICE friend constexpr bool operator==(const DoubleDouble& x, const DoubleDouble& y) {
    return x.hi_ == y.hi_ && x.lo_ == y.lo_;
  }
  PIVOTLAB_DEVICE friend constexpr std::partial_ordering operator<=>(const DoubleDouble& x, const DoubleDouble& y) {
    const auto order = x.hi_ <=> y.hi_;
    return std::is_eq(order) ? x.lo_ <=> y.lo_ : order;
  }

  /// Relative error ≤ 25/8 u² (SQRTDWtoDW); 0 for 0.
  PIVOTLAB_DEVICE friend DoubleDouble sqrt(const DoubleDouble& x) {
    const double root = std::sqrt(x.hi_);
    const double remainder = std::fma(-root, root, x.hi_) + x.lo_;
    return ordered_sum(root, root == 0 ? 0 : remainder / (2 * root));
  }
  PIVOTLAB_DEVICE friend constexpr DoubleDouble abs(const DoubleDouble& x) { return x.hi_ < 0 ? -x : x; }
  PIVOTLAB_DEVICE friend constexpr DoubleDouble fabs(const DoubleDouble& x) { return abs(x); }
  PIVOTLAB_DEVICE friend DoubleDouble ldexp(const DoubleDouble& x, int e) {
    return {std::ldexp(x.hi_, e), std::ldexp(x.lo_, e)};
  }
  /// Returns the exponent of the leading part, one more than that of x just below a power of two.
  PIVOTLAB_DEVICE friend int ilogb(const DoubleDouble& x) { return std::ilogb(x.hi_); }
  PIVOTLAB_DEVICE friend bool isfinite(const DoubleDouble& x) { return std::isfinite(x.hi_); }
  PIVOTLAB_DEVICE friend bool isnan(const DoubleDouble& x) { return std::isnan(x.hi_); }
  /// Prints the exact sum.
  friend std::ostream& operator<<(std::ostream& out, const DoubleDouble& x) {
    return out << x.hi_ << (x.lo_ < 0 ? " - " : " + ") << std::abs(x.lo_);
  }

 private:
  PIVOTLAB_DEVICE constexpr DoubleDouble(double hi, double lo) : hi_(hi), lo_(lo) {}

  double hi_ = 0, lo_ = 0;
};

}  // namespace pivotlab

constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::epsilon() {
  return 0x1p-105;
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::min() {
  return 0x1p-969;
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::denorm_min() {
  return 0x1p-1074;
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::max() {
  return pivotlab::DoubleDouble::from_parts(0x1.fffffffffffffp+1023, 0x1.fffffffffffffp+969);
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::lowest() {
  return -max();
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::infinity() {
  return std::numeric_limits<double>::infinity();
}
constexpr pivotlab::DoubleDouble std::numeric_limits<pivotlab::DoubleDouble>::quiet_NaN() {
  return std::numeric_limits<double>::quiet_NaN();
}
