// SPDX-License-Identifier: BSD-3-Clause
// Solution of A·X = B from the factors, X = S·Pᵀ·U·M⁻*·D⁺·M⁻¹·Uᵀ·P·S·B; the inverse.
#pragma once

#include "kernels/ldlt/factors/factors.hpp"

#include <optional>

namespace pivotlab::ldlt_detail {

/// Computes Y := D⁺·Y; eigenvalues of D that count as zero give zeros in Y.
template <bool hermitian, class T>
void divide_by_d(const LdltFactorization<T>& f, MatrixView<T> Y) {
  const auto zero = zero_level(f);
  for_blocks(f, [&](Index k, int size) {
    if (size == 1) {
      const T d = f.diagonal[k];
      for (Index j = 0; j < Y.cols; ++j) Y(k, j) = absolute(d) > zero ? T(Y(k, j) / d) : T(0);
      return;
    }
    const Block<T> P = block_at(f, k);
    const bool counts = sizes_of<hermitian>(P).first > zero;
    for (Index j = 0; j < Y.cols; ++j) {
      const T x = Y(k, j), y = Y(k + 1, j);
      std::tie(Y(k, j), Y(k + 1, j)) = counts ? BlockInverse<T, hermitian>::solve(P, x, y) : std::pair(T(0), T(0));
    }
  });
}

/// Computes X := Pᵀ·U·M⁻*·D⁺·M⁻¹·Uᵀ·P·B for some columns.
template <bool hermitian, class T>
void divide(const LdltFactorization<T>& f, MatrixView<const T> B, MatrixView<T> X) {
  Matrix<T> Y(B.rows, B.cols);
  for (Index j = 0; j < B.cols; ++j)
    for (Index i = 0; i < B.rows; ++i) Y(i, j) = B(f.permutation[i], j);
  apply_butterfly<T>(f.butterfly, true, Y);
  substitute_unit_lower<T>(Op::none, f.M, Y);
  divide_by_d<hermitian>(f, Y.view());
  substitute_unit_lower<T>(hermitian ? Op::adjoint : Op::transpose, f.M, Y);
  apply_butterfly<T>(f.butterfly, false, Y);
  for (Index j = 0; j < B.cols; ++j)
    for (Index i = 0; i < B.rows; ++i) X(f.permutation[i], j) = Y(i, j);
}

/// Distributes few columns one by one over the threads, many columns in blocks: for few columns reading M takes most of
/// the time, for many the arithmetic.
template <class T>
Matrix<T> divide(const LdltFactorization<T>& f, MatrixView<const T> B) {
  constexpr Index few = 16, block = 64;
  Matrix<T> X(B.rows, B.cols);
  if (X.size() == 0) return X;
  const Index width = B.cols <= few ? 1 : block;
#pragma omp parallel for num_threads(threads_for(B.rows, 0)) schedule(dynamic, 1)
  for (Index j = 0; j < B.cols; j += width) {
    const Index count = std::min(width, B.cols - j);
    with_symmetry<T>(f.symmetry, [&](auto hermitian) {
      divide<hermitian.value>(f, B.cols_range(j, count), X.view().cols_range(j, count));
    });
  }
  return X;
}

/// Right-hand sides of the matrix that was factored: element (i, j) of B is multiplied by 2^(s_i + e_j). The second
/// exponent, of a column, keeps extreme right-hand sides in range.
template <class T>
class ScaledColumns {
 public:
  ScaledColumns(std::vector<int> rows, MatrixView<const T> B) : rows_(std::move(rows)), scaled_(B) {
    constexpr int most = std::numeric_limits<RealOf<T>>::max_exponent / 4;
    for (Index j = 0; j < B.cols; ++j) {
      int largest = std::numeric_limits<int>::min();
      for (Index i = 0; i < B.rows; ++i)
        if (B(i, j) != T(0)) largest = std::max(largest, exponent_of_element(B(i, j)) + row(i));
      const bool extreme = largest != std::numeric_limits<int>::min() && std::abs(largest) > most;
      columns_.push_back(!extreme ? 0 : largest > 0 ? most - largest : -most - largest);
      for (Index i = 0; i < B.rows; ++i) scaled_(i, j) = scaled(B(i, j), row(i) + columns_[j]);
    }
  }
  /// Returns s_i.
  int row(Index i) const { return rows_.empty() ? 0 : rows_[i]; }
  const Matrix<T>& scaled() const { return scaled_; }
  /// Returns the solution X of the matrix that was factored for the scaled right-hand sides, without the scaling.
  Matrix<T> unscaled(Matrix<T> X) const { return times(std::move(X), 1); }
  /// The inverse of unscaled().
  Matrix<T> scaled_solution(Matrix<T> X) const { return times(std::move(X), -1); }

 private:
  Matrix<T> times(Matrix<T> X, int sign) const {
    for (Index j = 0; j < X.cols(); ++j)
      for (Index i = 0; i < X.rows(); ++i) X(i, j) = scaled(X(i, j), sign * (row(i) - columns_[j]));
    return X;
  }
  static T scaled(const T& x, int exponent) { return exponent == 0 ? x : times_power_of_two(x, exponent); }

  std::vector<int> rows_, columns_;
  Matrix<T> scaled_;
};

/// Returns the factors of a matrix with extreme elements scaled to about 1, as f.scaling of the result states; nothing
/// if it is equilibrated or not extreme.
template <class T>
std::optional<LdltFactorization<T>> scaled_to_one(const LdltFactorization<T>& f) {
  const int exponent = f.scaling.empty() ? scaling_exponent(f.largest_element) : 0;
  if (exponent == 0) return std::nullopt;
  LdltFactorization<T> scaled = f;
  scaled.scaling.assign(f.diagonal.size(), exponent / 2);
  for (auto* part : {&scaled.diagonal, &scaled.subdiagonal})
    for (T& x : *part) x = times_power_of_two(x, exponent);
  for (auto* size : {&scaled.largest_element, &scaled.tolerance}) *size = times_power_of_two(*size, exponent);
  return scaled;
}

template <class T>
Matrix<T> apply_inverse(const LdltFactorization<T>& f, MatrixView<const T> B) {
  const ScaledColumns<T> columns(f.scaling, B);
  return columns.unscaled(divide<T>(f, columns.scaled()));
}

template <class T>
bool all_finite(MatrixView<const T> X) {
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i)
      if (!is_finite(X(i, j))) return false;
  return true;
}

/// Throws InputError unless B has the rows of the factors and is finite.
template <class T>
void require_right_hand_sides(const LdltFactorization<T>& f, MatrixView<const T> B) {
  if (B.rows != f.order())
    throw InputError("right-hand sides: they have " + std::to_string(B.rows) + " rows and A has " +
                     std::to_string(f.order()) + "; the numbers must agree");
  for (Index j = 0; j < B.cols; ++j)
    for (Index i = 0; i < B.rows; ++i)
      if (!is_finite(B(i, j)))
        throw InputError("right-hand sides: " + place(i, j) + " is not finite; remove NaN and Inf from the input");
}

template <class T>
std::string singular_text(Index rank, Index order, const RealOf<T>& tolerance) {
  return "matrix A: it is singular (rank " + std::to_string(rank) + " of " + std::to_string(order) +
         (tolerance > RealOf<T>(0) ? " at the tolerance " + text_of(tolerance) : " but for rounding errors") + ")";
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
Matrix<T> LdltFactorization<T>::solve(MatrixView<const T> B) const {
  using namespace ldlt_detail;
  require_right_hand_sides(*this, B);
  if (rank < order())
    throw InputError(singular_text<T>(rank, order(), tolerance) +
                     "; solve with refinement, which finds a solution if there is one" +
                     (tolerance > Real(0) ? ", or lower the tolerance" : ""));
  const auto scaled = scaled_to_one(*this);
  Matrix<T> X = apply_inverse(scaled ? *scaled : *this, B);
  if (!all_finite<T>(X))
    throw InputError("right-hand sides: the solution overflows; multiply them by a power of two such as 2^-500");
  return X;
}

template <class T>
Matrix<T> LdltFactorization<T>::inverse() const {
  using namespace ldlt_detail;
  Matrix<T> X = solve(Matrix<T>::identity(order()));
  with_symmetry<T>(symmetry, [&](auto hermitian) {
    for (Index j = 0; j < order(); ++j) {
      X(j, j) = on_diagonal<hermitian.value>(X(j, j));
      for (Index i = j + 1; i < order(); ++i) X(j, i) = across<hermitian.value>(X(i, j));
    }
  });
  return X;
}

}  // namespace pivotlab
