// SPDX-License-Identifier: BSD-3-Clause
// Doubles as elements of a finite field, for elimination without rounding errors. This header is plain C++, which a
// device compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cmath>
#include <cstdint>
#include <pivotlab/scalar_traits.hpp>
#include <type_traits>

namespace pivotlab::modular {

/// Numbers modulo the Mersenne prime p = 2⁶¹ − 1. As 2⁶¹ = 1, every double is one: m·2^e with e modulo 61.
struct Residue {
  static constexpr std::uint64_t p = (std::uint64_t(1) << 61) - 1;
  std::uint64_t value = 0;

  PIVOTLAB_DEVICE static Residue of(double x) {
    int exponent = 0;
    const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    const Residue modulus{static_cast<std::uint64_t>(significand < 0 ? -significand : significand) % p};
    const int shift = ((exponent - 53) % 61 + 61) % 61;
    const Residue scaled = modulus * Residue{std::uint64_t(1) << shift};
    return significand < 0 ? Residue{} - scaled : scaled;
  }
  PIVOTLAB_DEVICE friend Residue operator+(Residue a, Residue b) { return {(a.value + b.value) % p}; }
  PIVOTLAB_DEVICE friend Residue operator-(Residue a, Residue b) {
    return {a.value >= b.value ? a.value - b.value : a.value + p - b.value};
  }
  PIVOTLAB_DEVICE friend Residue operator*(Residue a, Residue b) {
    __extension__ typedef unsigned __int128 Product;
    const Product product = static_cast<Product>(a.value) * b.value;
    const std::uint64_t sum = static_cast<std::uint64_t>(product & p) + static_cast<std::uint64_t>(product >> 61);
    return {sum >= p ? sum - p : sum};
  }
  PIVOTLAB_DEVICE bool is_zero() const { return value == 0; }
  /// x^(p − 2)
  PIVOTLAB_DEVICE Residue inverse() const {
    Residue result{1}, power = *this;
    for (std::uint64_t e = p - 2; e != 0; e >>= 1, power = power * power)
      if ((e & 1) != 0) result = result * power;
    return result;
  }
};

/// a + b·i. i² = −1 has no root modulo p (p = 3 modulo 4), so that these are a field.
struct ComplexResidue {
  Residue re, im;

  template <class Complex>
  PIVOTLAB_DEVICE static ComplexResidue of(const Complex& x) {
    return {Residue::of(x.real()), Residue::of(x.imag())};
  }
  PIVOTLAB_DEVICE friend ComplexResidue operator-(ComplexResidue a, ComplexResidue b) {
    return {a.re - b.re, a.im - b.im};
  }
  PIVOTLAB_DEVICE friend ComplexResidue operator*(ComplexResidue a, ComplexResidue b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  PIVOTLAB_DEVICE bool is_zero() const { return re.is_zero() && im.is_zero(); }
  PIVOTLAB_DEVICE ComplexResidue inverse() const {
    const Residue factor = (re * re + im * im).inverse();
    return {re * factor, (Residue{} - im) * factor};
  }
};

/// The field that contains the elements of a matrix.
template <class T>
using Field = std::conditional_t<is_complex<T>, ComplexResidue, Residue>;

}  // namespace pivotlab::modular
