// What comes in: checks with the place of what is wrong, one triangle into the storage, norms.
#pragma once

#include "kernels/ldlt/reduced_matrix.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>
#include <sstream>
#include <string>

namespace pivotlab::ldlt_detail {

inline std::string place(Index i, Index j) {
  return "element (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ")";
}

template <class R>
std::string text_of(const R& x) {
  std::ostringstream text;
  text.precision(3);
  text << static_cast<double>(x);
  return text.str();
}

template <class T>
void require_square(MatrixView<const T> A) {
  if (A.rows != A.cols)
    throw InputError("matrix A: it is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                     "; it must be square");
}

template <class T>
void require_finite(const T& x, Index i, Index j) {
  const auto is_finite = [](const RealOf<T>& part) {
    return absolute(part) <= std::numeric_limits<RealOf<T>>::max();  // false for NaN
  };
  bool finite = is_finite(real_part(x));
  if constexpr (is_complex<T>) finite = finite && is_finite(x.imag());
  if (!finite) throw InputError("matrix A: " + place(i, j) + " is not finite; remove NaN and Inf from the input");
}

/// Both triangles agree, and the diagonal of a Hermitian matrix is real.
template <bool hermitian, class T>
void require_symmetric(MatrixView<const T> A) {
  using R = RealOf<T>;
  R worst(0), largest(0);
  Index row = 0, column = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = j + 1; i < A.rows; ++i) {
      const R difference = absolute(T(A(i, j) - across<hermitian>(A(j, i))));
      largest = std::max<R>(largest, absolute(A(i, j)));
      if (difference > worst) worst = difference, row = i, column = j;
    }
  if (worst > R(0))
    throw InputError(std::string("matrix A: it is not ") + (hermitian && is_complex<T> ? "Hermitian" : "symmetric") +
                     ": " + place(row, column) + " and " + place(column, row) + " differ most, by " + text_of(worst) +
                     "; correct it, or choose one triangle (lower or upper)");
}

template <class T>
void require_real_diagonal(const T& x, Index i) {
  if constexpr (is_complex<T>)
    if (x.imag() != RealOf<T>(0))
      throw InputError("matrix A: " + place(i, i) + " has the imaginary part " + text_of(x.imag()) +
                       "; the diagonal of a Hermitian matrix is real (or choose symmetric)");
}

template <class T>
void require_real_diagonal(MatrixView<const T> A) {
  for (Index i = 0; i < A.rows; ++i) require_real_diagonal(A(i, i), i);
}

/// One triangle of A into a storage, with the checks of section "Throws" of ldlt().
template <bool hermitian, class T, class Storage>
void load(MatrixView<const T> A, InputTriangle triangle, Storage& storage) {
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i)
      if (triangle == InputTriangle::whole || (triangle == InputTriangle::lower ? i >= j : i <= j))
        require_finite(A(i, j), i, j);
  if (hermitian) require_real_diagonal(A);
  if (triangle == InputTriangle::whole) require_symmetric<hermitian>(A);
  for (Index j = 0; j < A.cols; ++j) {
    storage.diagonal(j) = A(j, j);
    T* column = storage.column(j);
    for (Index i = j + 1; i < A.rows; ++i)
      column[i] = triangle == InputTriangle::upper ? across<hermitian>(A(j, i)) : A(i, j);
  }
}

template <bool hermitian, class T>
void check(const PackedTriangle<T>& A) {
  for (Index j = 0; j < A.order(); ++j) {
    require_finite(A.diagonal(j), j, j);
    if (hermitian) require_real_diagonal(A.diagonal(j), j);
    for (Index i = j + 1; i < A.order(); ++i) require_finite(A.column(j)[i], i, j);
  }
}

/// max|A| and ‖A‖∞.
template <class R>
struct Norms {
  R largest{}, infinity{};
};

template <class T, class Storage>
Norms<RealOf<T>> norms_of(const Storage& A) {
  using R = RealOf<T>;
  Norms<R> norms;
  std::vector<R> sums(static_cast<std::size_t>(A.order()));
  const auto add = [&](const R& size, Index row) {
    norms.largest = std::max<R>(norms.largest, size);
    sums[static_cast<std::size_t>(row)] += size;
  };
  for (Index j = 0; j < A.order(); ++j) {
    add(modulus(A.diagonal(j)), j);
    for (Index i = j + 1; i < A.order(); ++i) {
      const R size = modulus(A.column(j)[i]);
      add(size, i);
      add(size, j);
    }
  }
  for (const R& sum : sums) norms.infinity = std::max<R>(norms.infinity, sum);
  return norms;
}

/// The power of two that brings extreme elements to the vicinity of 1; 0 for all others.
template <class R>
int scaling_exponent(const R& largest) {
  if (largest == R(0)) return 0;
  const int exponent = exponent_of(largest);
  return std::abs(exponent) > std::numeric_limits<R>::max_exponent / 4 ? -exponent : 0;
}

template <class T, class Storage>
void scale(Storage& A, int exponent) {
  if (exponent == 0) return;
  for (Index j = 0; j < A.order(); ++j) {
    A.diagonal(j) = times_power_of_two(A.diagonal(j), exponent);
    for (Index i = j + 1; i < A.order(); ++i) A.column(j)[i] = times_power_of_two(A.column(j)[i], exponent);
  }
}

}  // namespace pivotlab::ldlt_detail
