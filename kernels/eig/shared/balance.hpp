// SPDX-License-Identifier: BSD-3-Clause
// Input of a decomposition: checks whose errors name the element, scaling and balancing by powers of two, which round
// nothing.
//
// A is first scaled to the upper end of the range of numbers, balanced there, and then scaled so that its largest part
// is in [1, 2). So elements of very different sizes count in the balancing before the smallest of them underflow.
#pragma once

#include "kernels/eig/shared/diagonal.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <pivotlab/error.hpp>
#include <pivotlab/matrix.hpp>
#include <string>
#include <vector>

namespace pivotlab::eig_detail {

template <class T>
void require_square_and_finite(MatrixView<const T> A) {
  using R = RealOf<T>;
  if (A.rows != A.cols)
    throw InputError("matrix A: it is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                     "; it must be square");
  const auto is_finite = [](const R& part) {
    return absolute(part) <= std::numeric_limits<R>::max();  // false for NaN
  };
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) {
      bool finite = is_finite(real_part(A(i, j)));
      if constexpr (is_complex<T>) finite = finite && is_finite(A(i, j).imag());
      if (!finite)
        throw InputError("matrix A: element (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
                         ") is not finite; remove NaN and Inf from the input");
    }
}

/// Relation of the given A and A' of the iteration: A' = 2^exponent·D⁻¹·A·D, D = diag 2^d_j.
struct Balance {
  int exponent = 0;
  std::vector<int> d;  ///< empty for D = I
};

template <class R>
R largest_part(MatrixView<const std::complex<R>> A) {
  R largest(0);
  for (Index j = 0; j < A.cols; ++j)
    for (const auto& x : A.col(j)) largest = std::max(largest, std::max(absolute(R(x.real())), absolute(R(x.imag()))));
  return largest;
}

/// Computes A := 2^exponent·A, even if that power of two is not representable.
template <class R>
void scale(MatrixView<std::complex<R>> A, int exponent) {
  using std::ldexp;
  for (int step; exponent != 0; exponent -= step) {
    step = std::clamp(exponent, -1000, 1000);
    const R factor = ldexp(R(1), step);
    for (Index j = 0; j < A.cols; ++j)
      for (auto& x : A.col(j)) x = std::complex<R>(R(x.real() * factor), R(x.imag() * factor));
  }
}

template <class R>
bool is_upper_triangular(MatrixView<const std::complex<R>> A) {
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = j + 1; i < A.rows; ++i)
      if (A(i, j) != std::complex<R>(0)) return false;
  return true;
}

/// Computes A := D⁻¹·A·D by up to ten diagonal transformations. Returns the exponents of D.
template <class R>
std::vector<int> balance(MatrixView<std::complex<R>> A) {
  using std::ldexp;
  const auto n = static_cast<std::size_t>(A.cols);
  std::vector<int> d(n), step(n);
  std::vector<R> columns(n), rows(n), factor(n), inverse(n);
  for (int pass = 0; pass < 10; ++pass) {
    std::ranges::fill(columns, R(0));
    std::ranges::fill(rows, R(0));
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i) {
        if (i == j) continue;
        const R size = magnitude_1(A(i, j));
        columns[j] += size, rows[i] += size;
      }
    for (std::size_t j = 0; j < n; ++j) {
      step[j] = balancing_exponent(columns[j], rows[j]);
      d[j] += step[j];
      factor[j] = ldexp(R(1), step[j]), inverse[j] = ldexp(R(1), -step[j]);
    }
    if (std::ranges::count(step, 0) == A.cols) break;
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i) {
        const R both = factor[j] * inverse[i];
        A(i, j) = std::complex<R>(R(A(i, j).real() * both), R(A(i, j).imag() * both));
      }
  }
  return d;
}

/// Scales A, and balances it if requested and A is not yet triangular.
template <class R>
Balance prepare(MatrixView<std::complex<R>> A, bool balancing) {
  Balance result;
  const R before = largest_part<R>(A);
  if (before == R(0)) return result;
  if (balancing && !is_upper_triangular<R>(A)) {
    constexpr int room = 20;  // for sums of elements
    result.exponent = std::numeric_limits<R>::max_exponent - room - exponent_of(before);
    scale(A, result.exponent);
    result.d = balance(A);
    if (std::ranges::count(result.d, 0) == A.cols) result.d.clear();
  }
  const int down = -exponent_of(largest_part<R>(A));
  scale(A, down);
  result.exponent += down;
  return result;
}

/// Applies a balance that has been computed elsewhere: A := 2^exponent·D⁻¹·A·D.
template <class R>
void apply_balance(const Balance& balance, MatrixView<std::complex<R>> A) {
  scale(A, balance.exponent);
  if (balance.d.empty()) return;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) A(i, j) = times_power_of_two(A(i, j), balance.d[j] - balance.d[i]);
}

}  // namespace pivotlab::eig_detail
