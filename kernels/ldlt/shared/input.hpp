// SPDX-License-Identifier: BSD-3-Clause
// Input of a factorization: checks whose errors name the element, copy of one triangle into the storage, norms.
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"
#include "kernels/numerics/lower_tiles.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/numerics/threads.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>
#include <pivotlab/packed_triangle.hpp>
#include <sstream>
#include <string>

namespace pivotlab::ldlt_detail {

/// The lower triangle of a matrix in column-major order.
template <class T>
class FullTriangle {
 public:
  explicit FullTriangle(MatrixView<T> A) : A_(A) {}
  Index order() const { return A_.rows; }
  T* column(Index j) { return A_.data + j * A_.stride; }
  const T* column(Index j) const { return A_.data + j * A_.stride; }
  T& diagonal(Index j) { return A_(j, j); }
  const T& diagonal(Index j) const { return A_(j, j); }

 private:
  MatrixView<T> A_;
};

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

/// Up to this order one thread checks faster than several.
inline constexpr Index single_thread_order = 256;

inline int threads_for(Index order, int threads) {
  return order <= single_thread_order ? 1 : thread_count(threads);
}

template <class T>
bool is_finite(const T& x) {
  const auto is_finite = [](const RealOf<T>& part) {
    return absolute(part) <= std::numeric_limits<RealOf<T>>::max();  // false for NaN
  };
  bool finite = is_finite(real_part(x));
  if constexpr (is_complex<T>) finite = finite && is_finite(x.imag());
  return finite;
}

/// Throws InputError unless element(i, j) is finite in the rows range(j) of every column j; the error names the first
/// one, by columns, that is not.
template <class Range, class Element>
void require_finite(Index order, int threads, const Range& range, const Element& element) {
  const auto first_bad_row = [&](Index j) {
    const auto [first, end] = range(j);
    Index i = first;
    while (i < end && is_finite(element(i, j))) ++i;
    return i < end ? i : order;
  };
  Index column = order;
#pragma omp parallel for num_threads(threads_for(order, threads)) schedule(dynamic, 16) reduction(min : column)
  for (Index j = 0; j < order; ++j)
    if (j < column && first_bad_row(j) < order) column = j;
  if (column < order)
    throw InputError("matrix A: " + place(first_bad_row(column), column) +
                     " is not finite; remove NaN and Inf from the input");
}

/// Throws InputError unless both triangles agree and the diagonal of a Hermitian matrix is real.
template <bool hermitian, class T>
void require_symmetric(MatrixView<const T> A, int threads) {
  const auto worst = asymmetry(A, threads, [](const T& x) { return across<hermitian>(x); });
  if (worst.difference > RealOf<T>(0))
    throw InputError(std::string("matrix A: it is not ") + (hermitian && is_complex<T> ? "Hermitian" : "symmetric") +
                     ": " + place(worst.row, worst.column) + " and " + place(worst.column, worst.row) +
                     " differ most, by " + text_of(worst.difference) +
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

/// Copies one triangle of A into a storage after the checks that the comment of ldlt() lists.
template <bool hermitian, class T, class Storage>
void load(MatrixView<const T> A, InputTriangle triangle, Storage& storage, int threads) {
  const auto given_rows = [&](Index j) {
    return std::pair(triangle == InputTriangle::lower ? j : 0, triangle == InputTriangle::upper ? j + 1 : A.rows);
  };
  require_finite(A.rows, threads, given_rows, A);
  if (hermitian) require_real_diagonal(A);
  if (triangle == InputTriangle::whole) require_symmetric<hermitian>(A, threads);
  for_lower_tiles(A.rows, threads, [&](Index row, Index end_row, Index col, Index end_col) {
    for (Index j = col; j < end_col; ++j) {
      T* column = storage.column(j);
      for (Index i = std::max(row, j + 1); i < end_row; ++i)
        column[i] = triangle == InputTriangle::upper ? across<hermitian>(A(j, i)) : A(i, j);
    }
  });
  for (Index j = 0; j < A.cols; ++j) storage.diagonal(j) = A(j, j);
}

/// Throws the same error for a storage.
template <class Storage>
void require_finite(const Storage& A, int threads) {
  require_finite(
      A.order(), threads, [&](Index j) { return std::pair(j, A.order()); },
      [&](Index i, Index j) -> const auto& { return i == j ? A.diagonal(j) : A.column(j)[i]; });
}

/// The norms max|A| and ‖A‖∞. The second is not finite if an element is not, or if a sum overflows; the first is valid
/// if it is finite.
template <class R>
struct Norms {
  R largest{}, infinity{};

  void include(const Norms& other) {
    largest = std::max<R>(largest, other.largest);
    if (!(other.infinity <= infinity) && infinity == infinity) infinity = other.infinity;
  }
};

/// A matrix that a factorization has multiplied by 2^exponent.
template <class R>
struct Prepared {
  int exponent = 0;
  R norm{};  ///< ‖2^exponent·A‖∞, A being the given matrix; known to an elimination without a search
};

/// Returns the norms of the rows first ≤ i < end; each row is summed from left to right.
template <class T, class Storage>
Norms<RealOf<T>> norms_of_rows(const Storage& A, Index first, Index end) {
  using R = RealOf<T>;
  Norms<R> norms;
  std::vector<R> sums(end - first);
  for (Index j = 0; j < end; ++j) {
    const Index row = std::max(first, j + 1);
    if (j >= first) {
      const R size = modulus(A.diagonal(j));
      norms.largest = std::max<R>(norms.largest, size);
      sums[j - first] += size;
    }
    R* const sum = sums.data() + (row - first);
    const T* const below = A.column(j) + row;
    for (Index i = 0; i < end - row; ++i) sum[i] += modulus(below[i]);
  }
  for (Index j = first; j < end; ++j) {
    R sum = sums[j - first];
    const T* const column = A.column(j);
    for (Index i = j + 1; i < A.order(); ++i) sum += modulus(column[i]);
    sums[j - first] = sum;
    norms.largest = std::max<R>(norms.largest, largest_magnitude(column + j + 1, A.order() - j - 1));
  }
  for (const R& sum : sums) norms.include({R(0), sum});
  return norms;
}

template <class T, class Storage>
Norms<RealOf<T>> norms_of(const Storage& A, int threads) {
  constexpr Index rows = 64;
  Norms<RealOf<T>> norms;
#pragma omp parallel for num_threads(threads_for(A.order(), threads)) schedule(dynamic, 1)
  for (Index first = 0; first < A.order(); first += rows) {
    const auto own = norms_of_rows<T>(A, first, std::min(first + rows, A.order()));
#pragma omp critical(pivotlab_norms)
    norms.include(own);
  }
  return norms;
}

/// Returns the even exponent of the power of two that scales extreme elements to about 1; 0 if they are not extreme.
template <class R>
int scaling_exponent(const R& largest) {
  if (largest == R(0)) return 0;
  const int exponent = exponent_of(largest);
  return std::abs(exponent) > std::numeric_limits<R>::max_exponent / 4 ? -(exponent & ~1) : 0;
}

}  // namespace pivotlab::ldlt_detail
