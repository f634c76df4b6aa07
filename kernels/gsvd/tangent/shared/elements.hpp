// SPDX-License-Identifier: BSD-3-Clause
// Own operations of the tangent path, as functions of an element (i, j) and as sums over a column. A machine applies
// them to all elements or columns: in loops on the host, as kernels on a GPU.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/elements.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::tangent {

/// |x|, without squares of numbers that are not near 1.
template <class T>
PIVOTLAB_DEVICE inline double magnitude(const T& x) {
  if constexpr (is_complex<T>) {
    const double a = std::fabs(x.real()), b = std::fabs(x.imag());
    const double large = a < b ? b : a, small = a < b ? a : b;
    if (!(large > 0)) return large + small;
    const double ratio = small / large;
    return large * std::sqrt(1 + ratio * ratio);
  } else {
    return std::fabs(x);
  }
}

template <class T>
using Single = Rebind<T, float>;

template <class T>
PIVOTLAB_DEVICE inline Single<T> rounded(const T& x) {
  if constexpr (is_complex<T>)
    return Single<T>(static_cast<float>(x.real()), static_cast<float>(x.imag()));
  else
    return static_cast<float>(x);
}

// ---- Elements ----

/// to(i, j) = from(rows[i] − row_offset, cols[j])·2^(row_shift[i] + col_shift[j] + shift)·row_factor[i]·col_factor[j]
/// / col_divisor[j]. A null pointer leaves its part out; a row that `from` has not is zero, and so is a column with
/// divisor 0.
template <class T>
struct Arrange {
  MatrixView<const T> from;
  MatrixView<T> to;
  const int* rows = nullptr;
  const int* cols = nullptr;
  const int* row_shift = nullptr;
  const int* col_shift = nullptr;
  const double* row_factor = nullptr;
  const double* col_factor = nullptr;
  const double* col_divisor = nullptr;
  int row_offset = 0;
  int shift = 0;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const Index row = (rows ? Index(rows[i]) : i) - row_offset;
    T x(0);
    if (row >= 0 && row < from.rows && !(col_divisor && col_divisor[j] == 0)) {
      x = at(from, row, cols ? Index(cols[j]) : j);
      const int exponent = shift + (row_shift ? row_shift[i] : 0) + (col_shift ? col_shift[j] : 0);
      if (exponent != 0) x = times_power_of_two(x, exponent);
      if (row_factor) x = times_real(x, row_factor[i]);
      if (col_factor) x = times_real(x, col_factor[j]);
      if (col_divisor) x = divided_by_real(x, col_divisor[j]);
    }
    at(to, i, j) = x;
  }
};

/// The upper triangle of a square part, zeros below.
template <class T>
struct UpperTriangle {
  MatrixView<const T> from;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = i <= j ? at(from, i, j) : T(0); }
};

/// The adjoint of the upper triangle, a lower triangle with zeros above.
template <class T>
struct AdjointOfUpper {
  MatrixView<const T> from;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = i >= j ? conjugate(at(from, j, i)) : T(0); }
};

template <class T>
struct Adjoint {
  MatrixView<const T> from;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = conjugate(at(from, j, i)); }
};

/// The part below the diagonal, ones on it and zeros above.
template <class T>
struct UnitLowerTrapezoid {
  MatrixView<const T> from;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(to, i, j) = i > j ? at(from, i, j) : T(i == j ? 1.0 : 0.0);
  }
};

/// Takes the part above the diagonal from another matrix, keeps the diagonal, and sets zeros below.
template <class T>
struct CompleteTriangle {
  MatrixView<const T> above;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i != j) at(to, i, j) = i < j ? at(above, i, j) : T(0);
  }
};

/// to(i) = |A(i, i)| for a matrix of one column.
template <class T>
struct DiagonalMagnitude {
  MatrixView<const T> A;
  double* to;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const { to[i] = magnitude(at(A, i, i)); }
};

/// partial(i, k) = the largest part of row i in columns k, k + stride, …, each times a power of two.
template <class T>
struct PartialRowLargest {
  MatrixView<const T> A;
  const int* col_shift;
  MatrixView<double> partial;
  PIVOTLAB_DEVICE void operator()(Index i, Index k) const {
    double most = 0;
    for (Index j = k; j < A.cols; j += partial.cols) {
      const double part = larger_part(at(A, i, j));
      most = larger_or_nan(most, col_shift ? std::ldexp(part, col_shift[j]) : part);
    }
    at(partial, i, k) = most;
  }
};

/// to[i] = the largest element of row i.
struct RowLargest {
  MatrixView<const double> partial;
  double* to;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double most = 0;
    for (Index k = 0; k < partial.cols; ++k) most = larger_or_nan(most, at(partial, i, k));
    to[i] = most;
  }
};

/// to(i, j) = from(i, j) in single precision
template <class T>
struct Rounded {
  MatrixView<const T> from;
  MatrixView<Single<T>> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = rounded(at(from, i, j)); }
};

/// to(i, j) = A(i, j) + B(i, j)
template <class T>
struct AddRounded {
  MatrixView<const T> A;
  MatrixView<const Single<T>> B;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T a = at(A, i, j);
    const Single<T> b = at(B, i, j);
    if constexpr (is_complex<T>)
      at(to, i, j) = T(a.real() + double(b.real()), a.imag() + double(b.imag()));
    else
      at(to, i, j) = a + double(b);
  }
};

/// (I − C)/2 in full, of the lower triangle of a Hermitian C: a Newton–Schulz step adds V·(I − VᴴV)/2 to V.
template <class T>
struct NewtonSchulzCorrection {
  MatrixView<const T> C;
  MatrixView<Single<T>> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T c = i >= j ? at(C, i, j) : conjugate(at(C, j, i));
    at(to, i, j) = rounded(i == j ? T(0.5 - 0.5 * real_part(c)) : times_real(c, -0.5));
  }
};

/// Pairs with an angle from `strong` on are too strongly coupled for a Newton step. An interval of columns that are
/// diagonalized together takes in pairs from `coupled` on, because many such pairs across its ends would hold up the
/// iteration. Rounding makes cosines up to `negligible`.
inline constexpr double strong_angle = 0.3, coupled_angle = 0.03, negligible_cosine = 4.5e-16;

/// E, anti-Hermitian: of every pair i < j of columns of norms d the angle of the rotation that makes them orthogonal,
/// with the phase of their cosine (section 2, step 7b). C has the cosines a_iᴴa_j/(d_i·d_j) in its lower triangle.
/// Cosines up to the tolerance count only where the angle is small: that costs nothing and saves a step.
template <class T>
struct Angles {
  MatrixView<const T> C;
  const double* d;
  double tolerance;
  MatrixView<T> E;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const Index first = i < j ? i : j, second = i < j ? j : i;
    T e(0);
    if (i != j) {
      const T c = at(C, second, first);
      const double size = magnitude(c);
      if (size > negligible_cosine) {
        const double ratio = d[second] / d[first];
        const double zeta = (ratio - 1 / ratio) / (2 * size);
        const double tangent = std::copysign(1.0, zeta) / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta));
        const double angle = std::atan(tangent);
        if (size > tolerance || std::fabs(angle) <= 1e-3) {
          // e_ij = angle·c_ij/|c_ij| for i < j, c_ij the conjugate of what C holds below; e_ji = −conj(e_ij)
          e = divided_by_real(times_real(c, angle), size);
          e = i < j ? conjugate(e) : times_real(e, -1);
        }
      }
    }
    at(E, i, j) = e;
  }
};

/// Statistics of the cosines and angles of one column with the others.
struct PairStatistics {
  double largest_cosine = 0, largest_angle = 0, sum = 0;
  std::int64_t pairs = 0, strong = 0;  ///< pairs with later columns
  std::int64_t last = -1;              ///< the last column that this one is coupled to
};

/// Computes the statistics of column j from C (below the diagonal) and E (all rows).
template <class T>
struct ColumnStatistics {
  using Value = PairStatistics;
  struct Combine {
    PIVOTLAB_DEVICE Value operator()(const Value& x, const Value& y) const {
      Value z;
      z.largest_cosine = larger_or_nan(x.largest_cosine, y.largest_cosine);
      z.largest_angle = larger_or_nan(x.largest_angle, y.largest_angle);
      z.sum = x.sum + y.sum;
      z.pairs = x.pairs + y.pairs;
      z.strong = x.strong + y.strong;
      z.last = x.last < y.last ? y.last : x.last;
      return z;
    }
  };

  MatrixView<const T> C, E;
  double tolerance;
  PairStatistics* to;

  PIVOTLAB_DEVICE Value term(Index i, Index j) const {
    Value value;
    if (i == j) return value;
    const double angle = magnitude(at(E, i, j));
    value.sum = angle;
    value.largest_angle = angle;
    if (i > j) {
      value.largest_cosine = magnitude(at(C, i, j));
      value.pairs = value.largest_cosine > tolerance ? 1 : 0;
      value.strong = angle >= strong_angle ? 1 : 0;
      if (angle >= coupled_angle) value.last = i;
    }
    return value;
  }
  PIVOTLAB_DEVICE void store(Index j, const Value& value) const { to[j] = value; }
};

/// to[j] = 1 if a cosine of column j with another column is above the tolerance, else 0; C as for Angles.
template <class T>
struct CoupledColumns {
  using Value = int;
  struct Combine {
    PIVOTLAB_DEVICE int operator()(int x, int y) const { return x | y; }
  };
  MatrixView<const T> C;
  double tolerance;
  int* to;
  PIVOTLAB_DEVICE int term(Index i, Index j) const {
    return i != j && magnitude(i > j ? at(C, i, j) : at(C, j, i)) > tolerance ? 1 : 0;
  }
  PIVOTLAB_DEVICE void store(Index j, int coupled) const { to[j] = coupled; }
};

/// I + factor·E.
template <class T>
struct IdentityPlus {
  MatrixView<const T> E;
  double factor;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(to, i, j) = i == j ? T(1) : times_real(at(E, i, j), factor);
  }
};

/// I + E − EᴴE/2 = I + E + E²/2 of an anti-Hermitian E; C has the lower triangle of EᴴE.
template <class T>
struct SecondOrderExponential {
  MatrixView<const T> E, C;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T c = i >= j ? at(C, i, j) : conjugate(at(C, j, i));
    const T e = at(E, i, j), half = times_real(c, 0.5);
    at(to, i, j) = i == j ? T(1 - real_part(half)) : difference(e, half);
  }
};

/// Column cols[j] of `to` is column j of `from`.
template <class T>
struct PlaceColumns {
  MatrixView<const T> from;
  MatrixView<T> to;
  const int* cols;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, Index(cols[j])) = at(from, i, j); }
};

/// Numbers in [−1, 1) that look random, by a hash of their place: the finalizer of SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014).
template <class T>
struct RandomNumbers {
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    std::uint64_t x = (static_cast<std::uint64_t>(j) << 32 | static_cast<std::uint64_t>(i + 1)) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    at(to, i, j) = T(static_cast<double>(x >> 11) * 0x1p-52 - 1);
  }
};

/// Swaps columns s and swaps[s] for s = 0, …, count − 1, in this order; to be applied to all rows and one column.
template <class T>
struct SwapColumns {
  MatrixView<T> A;
  const int* swaps;
  int count;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    for (int s = 0; s < count; ++s) {
      const T x = at(A, i, s);
      at(A, i, s) = at(A, i, swaps[s]);
      at(A, i, swaps[s]) = x;
    }
  }
};

/// |A − B|, and at least 2⁻⁵⁵·|A|: rounding errors may cancel by chance.
template <class T>
struct AbsoluteDifference {
  MatrixView<const T> A, B;
  PIVOTLAB_DEVICE double operator()(Index i, Index j) const {
    const double apart = magnitude(difference(at(A, i, j), at(B, i, j))), least = 0x1p-55 * magnitude(at(A, i, j));
    return apart < least ? least : apart;
  }
};

/// to(i, j) = the difference divided by divisor[j]
template <class T>
struct RelativeDifference {
  AbsoluteDifference<T> difference;
  const double* divisor;
  MatrixView<float> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(to, i, j) = divisor[j] == 0 ? 0.0f : static_cast<float>(difference(i, j) / divisor[j]);
  }
};

/// to(i, j) = the share of i in Σ_i weights[i]·|Z(i, j)| = sums[j]
template <class T>
struct Shares {
  MatrixView<const T> Z;
  const double *weights, *sums;
  MatrixView<float> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(to, i, j) = sums[j] == 0 ? 0.0f : static_cast<float>(weights[i] * magnitude(at(Z, i, j)) / sums[j]);
  }
};

template <class T>
struct Absolute {
  MatrixView<const T> A;
  MatrixView<double> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = magnitude(at(A, i, j)); }
};

/// A(i, j) −= U(i, j)·sigma[j]
template <class T>
struct SubtractScaled {
  MatrixView<const T> U;
  const double* sigma;
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(A, i, j) = difference(at(A, i, j), times_real(at(U, i, j), sigma[j]));
  }
};

// ---- Sums over columns ----

/// scale[j] = a power of two that brings the largest part of column j next to 1.
template <class T>
struct ColumnScale {
  using Value = double;
  using Combine = Largest;
  MatrixView<const T> A;
  double* scale;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return larger_part(at(A, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double most) const {
    constexpr int limit = 1000;
    int exponent = 0;
    if (most > 0 && most <= std::numeric_limits<double>::max()) exponent = -std::ilogb(most);
    scale[j] = std::ldexp(1.0, exponent > limit ? limit : exponent < -limit ? -limit : exponent);
  }
};

/// norms[j] = ‖column j‖₂, by squares of the scaled elements.
template <class T>
struct ColumnNorm {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  const double* scale;
  double* norms;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    const T x = times_real(at(A, i, j), scale[j]);
    if constexpr (is_complex<T>)
      return x.real() * x.real() + x.imag() * x.imag();
    else
      return x * x;
  }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { norms[j] = std::sqrt(sum) / scale[j]; }
};

/// to[j] = Σ_i weights[i]·|Z(i, j)|
template <class T>
struct WeightedNorm {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> Z;
  const double* weights;
  double* to;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return weights[i] * magnitude(at(Z, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { to[j] = sum; }
};

/// to[j] = the largest difference in column j
template <class T>
struct LargestDifference {
  using Value = double;
  using Combine = Largest;
  AbsoluteDifference<T> difference;
  double* to;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return difference(i, j); }
  PIVOTLAB_DEVICE void store(Index j, double most) const { to[j] = most; }
};

/// to[j] += factor[j]·Σ_i |U(i, j)|·Y(i, j)/divisor[j]; infinite for a divisor 0.
template <class T>
struct WeightedColumnSum {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> U;
  MatrixView<const float> Y;
  const double *factor, *divisor;
  double* to;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return magnitude(at(U, i, j)) * static_cast<double>(at(Y, i, j));
  }
  PIVOTLAB_DEVICE void store(Index j, double sum) const {
    to[j] += divisor[j] == 0 ? std::numeric_limits<double>::infinity() : factor[j] * sum / divisor[j];
  }
};

}  // namespace pivotlab::tangent
