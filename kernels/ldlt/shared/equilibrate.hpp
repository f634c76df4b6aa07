// SPDX-License-Identifier: BSD-3-Clause
// Symmetric equilibration by powers of two: A becomes S·A·S with S = diag(2^s), a congruence, which keeps the inertia.
//
//   while a row's largest exponent is beyond ±4:  s_i −= ½·log₂ max_j |2^(s_i+s_j)·a_ij|     (Ruiz, ∞-norm)
//   ten times, or until all are near 1:           s_i −= ½·log₂ ‖2^(s_i+s_j)·a_ij over j‖₂   (the same in the 2-norm)
//
// Source: D. Ruiz, RAL-TR-2001-034; P. A. Knight, D. Ruiz, B. Uçar, SIAM J. Matrix Anal. Appl. 35 (2014). Only
// exponents of elements are used and all sums are sums of integers, so that bits do not depend on threads.
// docs/reference/inertia.md compares with Bunch's equilibration and LAPACK's xSYEQUB.
#pragma once

#include "kernels/ldlt/shared/input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <pivotlab/packed_triangle.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Logarithms to the base 2 are integers in units of 1/256.
inline constexpr int fraction_bits = 8, log2_unit = 1 << fraction_bits;

enum class RowNorm { largest, euclidean };

/// norm(which, logarithms) returns log₂ of the selected norm of every row of S·A·S, S being given by its logarithms; 0
/// for a zero row.
using RowNorms = std::function<std::vector<int>(RowNorm, const std::vector<int>& logarithms)>;

/// Computes the exponents s for a matrix that is given by the norms of its rows.
std::vector<int> equilibrating_exponents(Index order, const RowNorms& norms);

/// Returns ⌊log₂|x|⌋ of x ≠ 0; for a complex number that of its larger part.
template <class T>
int exponent_of_element(const T& x) {
  if constexpr (is_complex<T>) {
    const RealOf<T> re = absolute(RealOf<T>(x.real())), im = absolute(RealOf<T>(x.imag()));
    return exponent_of_element(re < im ? im : re);
  } else if constexpr (std::is_same_v<T, double>) {
    const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
    return biased > 0 ? biased - 1023 : exponent_of(x);
  } else {
    return exponent_of(x);
  }
}

/// Reduction of the elements of a row, in any order: the largest one.
struct LargestOfRow {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  static std::int64_t joined(std::int64_t x, std::int64_t y) { return std::max(x, y); }
  static std::int64_t of_element(std::int64_t log2) { return log2; }
  static std::int64_t log2_of(std::int64_t gathered) { return gathered; }
};
/// Sum of squares in units of 2⁻³²; smaller squares are lost. 2^(k+f) is approximated by 2^k·(1+f), and its logarithm
/// accordingly.
struct SquaresOfRow {
  static constexpr std::int64_t none = 0;
  static std::int64_t joined(std::int64_t x, std::int64_t y) { return x + y; }
  static std::int64_t of_element(std::int64_t log2) {
    constexpr std::int64_t most_left = 20;  // no norm after the first passes is near 2^10
    const std::int64_t square = 2 * log2, whole = square >> fraction_bits;
    const std::int64_t mantissa = (log2_unit + (square & (log2_unit - 1))) << (32 - fraction_bits);
    if (whole >= 0) return mantissa << std::min(whole, most_left);
    return whole > -63 ? mantissa >> -whole : 0;
  }
  static std::int64_t log2_of(std::int64_t gathered) {
    const int whole = std::bit_width(static_cast<std::uint64_t>(gathered)) - 1, shift = whole - fraction_bits;
    const std::int64_t mantissa = shift >= 0 ? gathered >> shift : gathered << -shift;
    return (std::int64_t{log2_unit} * (whole - 32) + mantissa - log2_unit) / 2;
  }
};

/// Applies a rule to every row of S·A·S, given by the triangle A.
template <class Rule, class T, class Storage>
std::vector<int> row_norms(const Storage& A, const std::vector<int>& logarithms, int threads) {
  const Index n = A.order();
  std::vector<std::int64_t> gathered(logarithms.size(), Rule::none);
#pragma omp parallel num_threads(threads_for(n, threads))
  {
    std::vector<std::int64_t> own(logarithms.size(), Rule::none);
    const auto add = [&](const T& x, Index i, Index j) {
      if (x == T(0)) return;
      const auto log2 =
          Rule::of_element(std::int64_t{log2_unit} * exponent_of_element(x) + logarithms[i] + logarithms[j]);
      own[i] = Rule::joined(own[i], log2);
      if (i != j) own[j] = Rule::joined(own[j], log2);
    };
#pragma omp for schedule(dynamic, 16)
    for (Index j = 0; j < n; ++j) {
      add(A.diagonal(j), j, j);
      const T* column = A.column(j);
      for (Index i = j + 1; i < n; ++i) add(column[i], i, j);
    }
#pragma omp critical(pivotlab_row_norms)
    std::ranges::transform(gathered, own, gathered.begin(), Rule::joined);
  }
  std::vector<int> norms(gathered.size());
  std::ranges::transform(gathered, norms.begin(), [](std::int64_t of_row) {
    return of_row == Rule::none ? 0 : static_cast<int>(Rule::log2_of(of_row));
  });
  return norms;
}

/// Computes the exponents s that equilibrate a triangle: a PackedTriangle<T>, or a FullTriangle<T> of a dense matrix.
template <class T, class Storage>
std::vector<int> equilibrating_exponents(const Storage& A, int threads = 0) {
  return equilibrating_exponents(A.order(), [&](RowNorm norm, const std::vector<int>& logarithms) {
    return norm == RowNorm::largest ? row_norms<LargestOfRow, T>(A, logarithms, threads)
                                    : row_norms<SquaresOfRow, T>(A, logarithms, threads);
  });
}

/// Returns x·2^exponent; counts in `rounded` the numbers that underflow and are therefore not exact.
template <class R>
R scaled_exactly(const R& x, int exponent, Index& rounded) {
  R y;
  if constexpr (std::is_same_v<R, double>) {
    if (-1022 <= exponent && exponent <= 1023) {
      y = x * std::bit_cast<double>(std::uint64_t(exponent + 1023) << 52);
      if (std::abs(y) >= std::numeric_limits<double>::min() || x == 0) return y;
    }
  }
  y = times_power_of_two(x, exponent);
  rounded += times_power_of_two(y, -exponent) != x;
  return y;
}
template <class R>
std::complex<R> scaled_exactly(const std::complex<R>& x, int exponent, Index& rounded) {
  return {scaled_exactly(x.real(), exponent, rounded), scaled_exactly(x.imag(), exponent, rounded)};
}

/// Returns a bound on ‖E‖₂ for a Hermitian or symmetric E in which `rounded` parts of elements on and below the
/// diagonal are nonzero, each the rounding error of an underflow.
template <class R>
R bound_of_underflow(Index rounded) {
  return R(2 * rounded) * std::numeric_limits<R>::denorm_min();  // ≥ ‖E‖_F
}

/// Replaces a triangle A by S·A·S, which is rounded where elements underflow. Returns a bound on the 2-norm of the
/// rounding errors.
template <class T, class Storage>
RealOf<T> scale_symmetrically(Storage& A, const std::vector<int>& exponents, int threads = 0) {
  const Index n = A.order();
  Index rounded = 0;
#pragma omp parallel for num_threads(threads_for(n, threads)) schedule(dynamic, 16) reduction(+ : rounded)
  for (Index j = 0; j < n; ++j) {
    A.diagonal(j) = scaled_exactly(A.diagonal(j), 2 * exponents[j], rounded);
    T* column = A.column(j);
    for (Index i = j + 1; i < n; ++i) column[i] = scaled_exactly(column[i], exponents[i] + exponents[j], rounded);
  }
  return bound_of_underflow<RealOf<T>>(rounded);
}

/// Scales a dense A or any part of it: row i by 2^exponents[i], column j by 2^exponents[j].
template <class T>
RealOf<T> scale_symmetrically(MatrixView<T> A, const std::vector<int>& exponents, int threads = 0) {
  Index rounded = 0;
#pragma omp parallel for num_threads(threads_for(A.rows, threads)) schedule(static) reduction(+ : rounded)
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) A(i, j) = scaled_exactly(A(i, j), exponents[i] + exponents[j], rounded);
  return bound_of_underflow<RealOf<T>>(rounded);
}

}  // namespace pivotlab::ldlt_detail
