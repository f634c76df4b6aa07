// SPDX-License-Identifier: BSD-3-Clause
// Elementwise steps of the refinement, as functions that a machine calls for each element or reduces over columns.
// S, M and K are forms of approximate vectors, n × n and Hermitian: S and M shall become diagonal, and K, which is M or
// S + M, the identity.
#pragma once

#include "kernels/extended/machine.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <cmath>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::refine {

using extended::Extended;

// Arithmetic by parts, as nvcc needs it.

template <class X>
PIVOTLAB_DEVICE double size_of(const X& x) {
  if constexpr (is_complex<X>)
    return std::hypot(static_cast<double>(x.real()), static_cast<double>(x.imag()));
  else
    return std::fabs(static_cast<double>(x));
}
// ---- Conversions and sums ----

/// Computes sizes of elements, of which none but those of zeros are below 2⁻⁵⁰⁰, so that products of them are no zeros.
template <class X>
struct Sizes {
  MatrixView<const X> A;
  MatrixView<double> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const double x = size_of(at(A, i, j));
    at(result, i, j) = x == 0 ? 0.0 : std::fmax(x, 0x1p-500);
  }
};
template <class X>
struct Add {
  MatrixView<const X> A, B;
  MatrixView<X> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = sum(at(A, i, j), at(B, i, j)); }
};
/// Replaces S by (S + Sᴴ)/2, and its bounds of errors likewise.
template <class E>
struct Symmetrize {
  MatrixView<E> S;
  MatrixView<double> error;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i > j) return;
    const E mean = times_real(sum(at(S, i, j), conjugate(at(S, j, i))), RealOf<E>(0.5));
    at(S, i, j) = mean, at(S, j, i) = conjugate(mean);
    at(error, i, j) = at(error, j, i) = (at(error, i, j) + at(error, j, i)) / 2;
  }
};
template <class E>
struct Diagonal {
  MatrixView<const E> S;
  MatrixView<DoubleDouble> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const { at(result, i, 0) = real_part(at(S, i, i)); }
};

// ---- Errors ----

/// Computes 2-norms of columns; sums of squares are in range, since columns are scaled.
template <class X>
struct ColumnNorms {
  using Value = double;
  using Combine = Sum;
  MatrixView<const X> A;
  MatrixView<double> result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    const double x = size_of(at(A, i, j));
    return x * x;
  }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { at(result, j, 0) = std::sqrt(sum) * (1 + 0x1p-20); }
};

/// Adds the errors of YᴴY that come from errors δ of Y: |δᵢᴴyⱼ + yᵢᴴδⱼ + δᵢᴴδⱼ|, by norms of columns.
struct AddErrorsOfFactor {
  MatrixView<const double> norm, delta;
  MatrixView<double> error;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const double p = at(norm, i, 0), q = at(norm, j, 0), d = at(delta, i, 0), e = at(delta, j, 0);
    at(error, i, j) += (d * q + p * e + d * e) * (1 + 0x1p-20);
  }
};

/// Computes the sums over a column j of wᵢ·(|S_ij|, i ≠ j, + error_ij)·wⱼ, which bound what S with unit diagonal lacks.
/// A zero counts as zero whatever its weight.
template <class E>
struct WeightedColumns {
  using Value = double;
  using Combine = Sum;
  MatrixView<const E> S;
  MatrixView<const double> error, weight;
  MatrixView<double> result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    const double x = at(error, i, j) + (i == j ? 0.0 : size_of(at(S, i, j)));
    return x == 0 ? 0.0 : x * at(weight, i, 0) * at(weight, j, 0);
  }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { at(result, j, 0) = sum * (1 + 0x1p-20); }
};

// ---- Corrections ----

/// Computes X·E's factor E, with which XE makes S and M diagonal up to the square of E (Ogita & Aishima 2018, (3.4) and
/// its form for pencils): for i ≠ j
///
///   E_ij = (m_j·s_ij − s_j·m_ij)/(s_j·m_i − s_i·m_j),
///
/// and −k_ij/(2·k_i), which only makes K diagonal, where both numerators are rounding errors or i and j belong to one
/// cluster. A quotient that is too large for the theory is 0 and a link between i and j, from which clusters follow.
template <class T>
struct Correct {
  using E = Extended<T>;
  static constexpr double most = 0x1p-10;  ///< of |E_ij|
  MatrixView<const E> S, M, K;
  MatrixView<const double> error_s, error_m;
  MatrixView<const int> cluster;  ///< n × 1
  MatrixView<T> result;
  MatrixView<unsigned char> linked;

  PIVOTLAB_DEVICE DoubleDouble diagonal(const MatrixView<const E>& A, Index i) const { return real_part(at(A, i, i)); }
  PIVOTLAB_DEVICE E numerator(Index i, Index j) const {
    return sum(times_real(at(S, i, j), diagonal(M, j)), times_real(at(M, i, j), -diagonal(S, j)));
  }
  PIVOTLAB_DEVICE double noise(Index i, Index j) const {
    return at(error_s, i, j) * size_of(diagonal(M, j)) + at(error_m, i, j) * size_of(diagonal(S, j));
  }
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(linked, i, j) = 0, at(result, i, j) = T(0.0);
    if (i == j) return;
    const E above = numerator(i, j);
    const double size = size_of(above), transposed = size_of(numerator(j, i));
    if (at(cluster, i, 0) == at(cluster, j, 0) || (size <= noise(i, j) && transposed <= noise(j, i))) {
      at(result, i, j) = round_to_double<T>(times_real(at(K, i, j), DoubleDouble(-0.5 / diagonal(K, i).hi())));
      return;
    }
    const double below = (diagonal(S, j) * diagonal(M, i) + -(diagonal(S, i) * diagonal(M, j))).hi();
    if (std::fmax(size, transposed) <= most * std::fabs(below))
      at(result, i, j) = round_to_double<T>(times_real(above, DoubleDouble(1 / below)));
    else
      at(linked, i, j) = 1;
  }
};

template <class X>
struct LargestSizes {
  using Value = double;
  using Combine = Largest;
  MatrixView<const X> A;
  MatrixView<double> result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return size_of(at(A, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double value) const { at(result, j, 0) = value; }
};

/// Computes (X + XE)·diag(factor).
template <class T>
struct Move {
  MatrixView<const Extended<T>> X;
  MatrixView<const T> XE;
  MatrixView<const double> factor;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    using E = Extended<T>;
    at(result, i, j) = times_real(sum(at(X, i, j), extend<E>(at(XE, i, j))), DoubleDouble(at(factor, j, 0)));
  }
};

/// Rounds the columns list[0], list[1], … of X times their factors, times 2^exponent.
template <class T>
struct Finish {
  MatrixView<const Extended<T>> X;
  MatrixView<const Index> list;
  MatrixView<const DoubleDouble> factor;  ///< n × 1, of the columns of X
  int exponent;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const Index from = at(list, j, 0);
    at(result, i, j) =
        times_power_of_two(round_to_double<T>(times_real(at(X, i, from), at(factor, from, 0))), exponent);
  }
};

/// Copies the columns list[0], list[1], … of `from` to consecutive ones, or back.
template <class X>
struct Gather {
  MatrixView<const X> from;
  MatrixView<const Index> list;
  MatrixView<X> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = at(from, i, at(list, j, 0)); }
};
template <class X>
struct Scatter {
  MatrixView<const X> from;
  MatrixView<const Index> list;
  MatrixView<X> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, at(list, j, 0)) = at(from, i, j); }
};

}  // namespace pivotlab::refine
