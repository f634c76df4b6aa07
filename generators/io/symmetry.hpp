// SPDX-License-Identifier: BSD-3-Clause
// Symmetries of matrices in files: which entries determine the others.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <bit>
#include <complex>
#include <cstdint>

namespace pivotlab::io {

/// Symmetry of a file that contains only the lower triangle (skew_symmetric: the strict one), or everything (general).
enum class Symmetry { general, symmetric, hermitian, skew_symmetric };

/// Returns −x. Negation leaves zeros positive: most matrices have +0 on both sides of the diagonal.
inline double negated(double x) {
  return x == 0 ? 0 : -x;
}

template <class T>
T mirrored(const T& x, Symmetry symmetry) {
  if constexpr (is_complex<T>) {
    if (symmetry == Symmetry::hermitian) return {x.real(), negated(x.imag())};
    if (symmetry == Symmetry::skew_symmetric) return {negated(x.real()), negated(x.imag())};
    return x;
  } else {
    return symmetry == Symmetry::skew_symmetric ? negated(x) : x;
  }
}

inline bool same_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}
inline bool same_bits(const std::complex<double>& x, const std::complex<double>& y) {
  return same_bits(x.real(), y.real()) && same_bits(x.imag(), y.imag());
}

/// Returns the first row of column j that a file with this symmetry contains.
inline Index first_row(Index j, Symmetry symmetry) {
  if (symmetry == Symmetry::general) return 0;
  return symmetry == Symmetry::skew_symmetric ? j + 1 : j;
}

/// Returns whether the lower triangle determines every bit of the matrix.
template <class T>
bool has_symmetry(MatrixView<const T> A, Symmetry symmetry) {
  if (symmetry == Symmetry::general) return true;
  if (A.rows != A.cols) return false;
  for (Index j = 0; j < A.cols; ++j) {
    if (symmetry == Symmetry::skew_symmetric && !same_bits(A(j, j), T(0))) return false;
    if constexpr (is_complex<T>)
      if (symmetry == Symmetry::hermitian && A(j, j).imag() != 0) return false;
    for (Index i = j + 1; i < A.rows; ++i)
      if (!same_bits(A(j, i), mirrored(A(i, j), symmetry))) return false;
  }
  return true;
}

/// Overwrites the strict upper triangle from the lower one.
template <class T>
void complete(MatrixView<T> A, Symmetry symmetry) {
  if (symmetry == Symmetry::general) return;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = j + 1; i < A.rows; ++i) A(j, i) = mirrored(A(i, j), symmetry);
}

}  // namespace pivotlab::io
