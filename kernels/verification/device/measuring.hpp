// SPDX-License-Identifier: BSD-3-Clause
// Kernels that measure a GSVD: scaling, errors entry by entry, norms of columns and rows.
#pragma once

#include "kernels/extended/machine.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace pivotlab::experiments::device {

using extended::Extended, pivotlab::detail::squared_modulus, pivotlab::detail::times;

template <class T>
PIVOTLAB_DEVICE double modulus(const T& x) {
  if constexpr (is_complex<T>)
    return std::hypot(x.real(), x.imag());
  else
    return std::fabs(x);
}
// Arithmetic by parts. The operators of libstdc++'s std::complex<double> use the compiler's own complex type; nvcc
// silently generates no code for addition of it.

struct Plus {
  template <class T>
  PIVOTLAB_DEVICE T operator()(const T& x, const T& y) const {
    return sum(x, y);
  }
};

/// Returns the exponent e with 2^e ≤ largest < 2^(e+1); 0 for 0 and NaN.
PIVOTLAB_DEVICE inline int exponent_of(double largest) {
  return largest > 0 && largest <= 1.7976931348623157e308 ? std::ilogb(largest) : 0;
}

// ---- Reductions ----

template <class T>
struct LargestOfColumns {
  using Value = double;
  using Combine = Largest;
  MatrixView<const T> A;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return larger_part(at(A, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

/// Replaces result[j], the largest component of column j, by the 2-norm of the column.
template <class T>
struct NormsOfColumns {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return squared_modulus(times_power_of_two(at(A, i, j), -exponent_of(result[j])));
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const {
    result[j] = std::ldexp(std::sqrt(value), exponent_of(result[j]));
  }
};

/// Computes Σ_i weight_i·|a_ij|, without weights Σ_i |a_ij|.
template <class T>
struct WeightedColumns {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  const double* weight;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return weight ? weight[i] * modulus(at(A, i, j)) : modulus(at(A, i, j));
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

struct ReachSums {
  double sum, squares;
  struct Add {
    PIVOTLAB_DEVICE ReachSums operator()(const ReachSums& x, const ReachSums& y) const {
      return {x.sum + y.sum, x.squares + y.squares};
    }
  };
};

/// Computes |u_j|ᵀ·b_j for B·diag(scale) = |A||Z|, or ‖b_j‖ if that is 0, reduced by more than the errors of B: factors
/// are rounded by at most 2⁻¹², and sums of up to 20000 terms by at most 2⁻⁹·⁷.
template <class T>
struct Reach {
  using Value = ReachSums;
  using Combine = ReachSums::Add;
  MatrixView<const T> U;
  MatrixView<const float> B;
  const double* scale;
  double* result;
  PIVOTLAB_DEVICE ReachSums term(Index i, Index j) const {
    const double b = at(B, i, j);
    return {modulus(at(U, i, j)) * b, b * b};
  }
  PIVOTLAB_DEVICE void store(Index j, const ReachSums& value) const {
    result[j] = (1 - 0x1p-9) * scale[j] * (value.sum != 0 ? value.sum : std::sqrt(value.squares));
  }
};

/// Computes sums of squares of each row, over every `parts`-th column.
template <class E>
struct SquaresOfRows {
  MatrixView<const E> X;
  Index parts;
  double* partial;
  PIVOTLAB_DEVICE void operator()(Index i, Index part) const {
    double squares = 0;
    for (Index j = part; j < X.cols; j += parts) squares += static_cast<double>(squared_modulus(at(X, i, j)));
    partial[i + part * X.rows] = squares;
  }
};
struct NormsOfSquares {
  const double* partial;
  Index rows, parts;
  double* result;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double squares = 0;
    for (Index part = 0; part < parts; ++part) squares += partial[i + part * rows];
    result[i] = std::sqrt(squares);
  }
};

/// Returns the 2-norms of the rows.
template <class E, class Machine>
std::vector<double> row_norms(Machine& machine, const extended::DeviceMatrix<E>& X) {
  constexpr Index parts = 64;
  const Index n = X.rows();
  const auto partial = machine.template matrix<double>(n, parts);
  const Buffer<double> result = machine.executor.template allocate<double>(static_cast<std::size_t>(n));
  machine.for_each(n, parts, SquaresOfRows<E>{X, parts, partial.data()});
  machine.for_each(n, 1, NormsOfSquares{partial.data(), n, parts, result.data()});
  return machine.download(result);
}

// ---- Products with a vector ----

/// Computes x := Aᴴ·y.
template <class T>
struct AdjointTimesVector {
  using Value = T;
  using Combine = Plus;
  MatrixView<const T> A;
  const T* y;
  T* x;
  PIVOTLAB_DEVICE T term(Index i, Index j) const { return times(conjugate(at(A, i, j)), y[i]); }
  PIVOTLAB_DEVICE void store(Index j, const T& value) const { x[j] = value; }
};

// ---- Scaling ----

/// Computes A := 2^e·A.
template <class T>
struct ScaleMatrix {
  MatrixView<T> A;
  int exponent;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(A, i, j) = times_power_of_two(at(A, i, j), exponent); }
};

/// Computes A := A·diag(2^−exponents).
template <class T>
struct UnscaleColumns {
  const int* exponents;
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(A, i, j) = times_power_of_two(at(A, i, j), -exponents[j]);
  }
};

/// Computes A := diag(2^rows)·A·diag(2^−columns).
template <class T>
struct ScaleRowsUnscaleColumns {
  const int *rows, *columns;
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(A, i, j) = times_power_of_two(at(A, i, j), rows[i] - columns[j]);
  }
};

/// Computes A := A·diag(2^exponents).
template <class T>
struct ScaleColumns {
  const int* exponents;
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(A, i, j) = times_power_of_two(at(A, i, j), exponents[j]);
  }
};

// ---- The inverse of Z ----

template <class T>
struct ExponentsOfRows {
  MatrixView<const T> A;
  int* result;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double largest = 0;
    for (Index j = 0; j < A.cols; ++j) largest = Largest()(largest, larger_part(at(A, i, j)));
    result[i] = exponent_of(largest);
  }
};

/// Divides the rows of A by powers of two.
template <class T>
struct ScaledRows {
  MatrixView<const T> A;
  const int* exponents;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = times_power_of_two(at(A, i, j), -exponents[i]);
  }
};

template <class T>
struct Assign {
  MatrixView<const T> from;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = at(from, i, j); }
};

/// Computes A := −A.
template <class T>
struct Negate {
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(A, i, j) = times_real(at(A, i, j), -1.0); }
};

/// Computes A := A + B.
template <class T>
struct Add {
  MatrixView<const T> B;
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(A, i, j) = sum(at(A, i, j), at(B, i, j)); }
};

/// Computes A + B in extended precision.
template <class T>
struct ExtendedSum {
  MatrixView<const T> A, B;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = extend<Extended<T>>(at(A, i, j)) + extend<Extended<T>>(at(B, i, j));
  }
};

// ---- Errors ----

/// Computes A·Z − U·Σ, rounded.
template <class T>
struct ErrorWithZ {
  MatrixView<const Extended<T>> AZ;
  MatrixView<const T> U;
  const double* sigma;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = round_to_double<T>(at(AZ, i, j) - extend<Extended<T>>(at(U, i, j)) * DoubleDouble(sigma[j]));
  }
};

/// Computes UᴴU − I, rounded, from the upper triangle of UᴴU; sigma may be null.
template <class T>
struct GramError {
  MatrixView<const Extended<T>> gram;
  const double* sigma;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const Extended<T> x = i <= j ? at(gram, i, j) : conjugate(at(gram, j, i));
    const bool left_out = i == j && sigma && sigma[j] == 0 && x == Extended<T>(0.0);  // σ = 0 and a zero column
    at(result, i, j) = left_out ? T(0.0) : round_to_double<T>(x - Extended<T>(i == j ? 1.0 : 0.0));
  }
};

template <class T>
struct ScaleRows {
  MatrixView<const Extended<T>> X;
  const double* sigma;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = at(X, i, j) * DoubleDouble(sigma[i]); }
};

/// Computes A − B, rounded.
template <class T>
struct Difference {
  MatrixView<const T> A;
  MatrixView<const Extended<T>> B;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = round_to_double<T>(extend<Extended<T>>(at(A, i, j)) - at(B, i, j));
  }
};

// ---- Rough products of moduli, whose factors are between 0 and √2 ----

/// Rounds to 11 bits, which tensor cores multiply as they are.
PIVOTLAB_DEVICE inline float rounded_to_11_bits(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return std::bit_cast<float>((bits + 0x1000) & ~std::uint32_t(0x1fff));
}

/// Computes |a_ik|/largest_k.
template <class T>
struct RelativeModuli {
  MatrixView<const T> A;
  const double* largest;
  MatrixView<float> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index k) const {
    at(result, i, k) = largest[k] > 0 ? rounded_to_11_bits(modulus(at(A, i, k)) / largest[k]) : 0;
  }
};

/// Computes largest_k·|z_kj|/sum_j.
template <class T>
struct SharesOfColumns {
  MatrixView<const T> Z;
  const double *largest, *sum;
  MatrixView<float> result;
  PIVOTLAB_DEVICE void operator()(Index k, Index j) const {
    at(result, k, j) = sum[j] > 0 ? rounded_to_11_bits(largest[k] * modulus(at(Z, k, j)) / sum[j]) : 0;
  }
};

}  // namespace pivotlab::experiments::device
