// SPDX-License-Identifier: BSD-3-Clause
// The rank of a matrix of doubles by elimination without rounding errors, modulo a prime.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab::any {

/// The largest dimension up to which ranks are decided exactly: one takes 0.2 s at this order on one core (complex: 1
/// s).
inline constexpr Index exact_rank_limit = 512;

namespace modular {

/// Numbers modulo the Mersenne prime p = 2⁶¹ − 1. As 2⁶¹ = 1, every double is one: m·2^e with e modulo 61.
struct Residue {
  static constexpr std::uint64_t p = (std::uint64_t(1) << 61) - 1;
  std::uint64_t value = 0;

  static Residue of(double x) {
    int exponent = 0;
    const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    const Residue modulus{static_cast<std::uint64_t>(std::abs(significand)) % p};
    const int shift = ((exponent - 53) % 61 + 61) % 61;
    const Residue scaled = modulus * Residue{std::uint64_t(1) << shift};
    return significand < 0 ? Residue{} - scaled : scaled;
  }
  friend Residue operator+(Residue a, Residue b) { return {(a.value + b.value) % p}; }
  friend Residue operator-(Residue a, Residue b) {
    return {a.value >= b.value ? a.value - b.value : a.value + p - b.value};
  }
  friend Residue operator*(Residue a, Residue b) {
    __extension__ typedef unsigned __int128 Product;
    const Product product = static_cast<Product>(a.value) * b.value;
    const std::uint64_t sum = static_cast<std::uint64_t>(product & p) + static_cast<std::uint64_t>(product >> 61);
    return {sum >= p ? sum - p : sum};
  }
  bool is_zero() const { return value == 0; }
  /// x^(p − 2)
  Residue inverse() const {
    Residue result{1}, power = *this;
    for (std::uint64_t e = p - 2; e != 0; e >>= 1, power = power * power)
      if ((e & 1) != 0) result = result * power;
    return result;
  }
};

/// a + b·i. i² = −1 has no root modulo p (p = 3 modulo 4), so that these are a field.
struct ComplexResidue {
  Residue re, im;

  static ComplexResidue of(const std::complex<double>& x) { return {Residue::of(x.real()), Residue::of(x.imag())}; }
  friend ComplexResidue operator-(ComplexResidue a, ComplexResidue b) { return {a.re - b.re, a.im - b.im}; }
  friend ComplexResidue operator*(ComplexResidue a, ComplexResidue b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  bool is_zero() const { return re.is_zero() && im.is_zero(); }
  ComplexResidue inverse() const {
    const Residue factor = (re * re + im * im).inverse();
    return {re * factor, (Residue{} - im) * factor};
  }
};

}  // namespace modular

/// Returns the rank of [A; B], which have the same number of columns, modulo 2⁶¹ − 1. It is never larger than the rank,
/// and smaller only if the prime divides all minors of that order: by an accident of probability 2⁻⁶⁰.
template <class T>
Index exact_rank(MatrixView<const T> A, MatrixView<const T> B = {}) {
  using Number = std::conditional_t<is_complex<T>, modular::ComplexResidue, modular::Residue>;
  std::vector<std::vector<Number>> columns;
  for (Index j = 0; j < A.cols; ++j) {
    std::vector<Number>& column = columns.emplace_back();
    for (const T& x : A.col(j)) column.push_back(Number::of(x));
    for (Index i = 0; i < B.rows; ++i) column.push_back(Number::of(B(i, j)));
  }
  const std::size_t rows = static_cast<std::size_t>(A.rows + B.rows);
  std::size_t rank = 0;  // columns before this one are eliminated, each by a row of its own
  std::vector<char> used(rows, 0);
  for (std::size_t j = 0; j < columns.size() && rank < rows; ++j) {
    const std::vector<Number>& pivots = columns[j];
    std::size_t row = 0;
    while (row < rows && (used[row] != 0 || pivots[row].is_zero())) ++row;
    if (row == rows) continue;
    used[row] = 1;
    ++rank;
    const Number inverse = pivots[row].inverse();
    for (std::size_t c = j + 1; c < columns.size(); ++c) {
      if (columns[c][row].is_zero()) continue;
      const Number factor = columns[c][row] * inverse;
      for (std::size_t i = 0; i < rows; ++i)
        if (used[i] == 0) columns[c][i] = columns[c][i] - factor * pivots[i];
    }
  }
  return static_cast<Index>(rank);
}

/// Returns whether all elements have at most 26 significant bits, as integers and fractions of few digits have, and
/// results of rounding have not.
template <class T>
bool has_short_elements(MatrixView<const T> A) {
  const auto is_short = [](double x) {
    int exponent = 0;
    const double significand = std::ldexp(std::frexp(x, &exponent), 26);
    return significand == std::trunc(significand);
  };
  for (Index j = 0; j < A.cols; ++j)
    for (const T& x : A.col(j)) {
      if constexpr (is_complex<T>) {
        if (!is_short(x.real()) || !is_short(x.imag())) return false;
      } else if (!is_short(x)) {
        return false;
      }
    }
  return true;
}

}  // namespace pivotlab::any
