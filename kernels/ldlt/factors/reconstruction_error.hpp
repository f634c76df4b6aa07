// SPDX-License-Identifier: BSD-3-Clause
// The error of a symmetric indefinite factorization, computed in extended precision.
#pragma once

#include "kernels/numerics/balanced_product.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <pivotlab/interrupt.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// References to A and factors P·S·A·S·Pᵀ = M·D·M* of any solver; they are not copied.
template <class T>
struct GivenFactors {
  MatrixView<const T> A, M;                     ///< n × n; M unit lower triangular with zeros above
  const std::vector<T>&diagonal, &subdiagonal;  ///< of D, tridiagonal, both of length n
  const std::vector<Index>& permutation;        ///< row i of P·A·Pᵀ is row permutation[i] of A
  bool hermitian;                               ///< * is ᴴ, otherwise ᵀ
  int exponent;                                 ///< max|A| is about 2^exponent
  std::vector<int> scaling = {};                ///< S = diag(2^scaling) in the order of A's rows; empty: identity
};

/// Computes the sums of the rows of |P·A·Pᵀ − S⁻¹·M·D·M*·S⁻¹|, S in the order of P·A·Pᵀ, tile by tile of the lower
/// triangle. A tile uses only the inner indices for which M is nonzero, so a large M takes a sixth of a full product
/// and little memory. Rows of tiles are independent; their sums are added in a fixed order. E is an extended scalar.
/// Products are those of product(), or of balanced_product(), which is faster and sufficient for a bound of the norm.
template <class E, class T, bool balanced = false>
class ReconstructionError {
 public:
  ReconstructionError(const GivenFactors<T>& given, int threads, Index tile = 128)
      : f_(given),
        threads_(thread_count(threads)),
        tile_(tile),
        factored_exponent_(given.scaling.empty() ? given.exponent : 0),
        diagonal_(scaled(given.diagonal)),
        subdiagonal_(scaled(given.subdiagonal)) {}

  /// Computes M·D·M* in the scale of the factored matrix, with both triangles.
  Matrix<E> product_of_factors() const {
    Matrix<E> result(order(), order());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Index row = 0; row < order(); row += tile_) {
      const Matrix<E> MD = times_d(row, std::min(tile_, order() - row));
      for (Index col = 0; col <= row; col += tile_) {
        const Matrix<E> MDM = product_of_tile(MD.view(), col);
        for (Index j = 0; j < MDM.cols(); ++j)
          for (Index i = std::max<Index>(0, col + j - row); i < MDM.rows(); ++i) {
            result(row + i, col + j) = MDM(i, j);
            if (row + i != col + j) result(col + j, row + i) = across(MDM(i, j));
          }
      }
    }
    return result;
  }

  /// Returns the sums of the rows of |P·A·Pᵀ − S⁻¹·X·S⁻¹| in units of 2^exponent for the lower triangle of an X in the
  /// scale of the factored matrix.
  std::vector<double> sums_of_rows(const Matrix<E>& X) const {
    std::vector<double> sums(order());
    for (Index j = 0; j < order(); ++j)
      for (Index i = j; i < order(); ++i) add_error(i, j, X(i, j), sums);
    return sums;
  }

  /// Returns the sums in units of 2^exponent.
  std::vector<double> sums_of_rows() const {
    const Index count = (order() + tile_ - 1) / tile_;
    std::vector<std::vector<double>> parts(count);
    ParallelInterrupt interrupt;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Index t = count - 1; t >= 0; --t)  // longest rows first
      if (!interrupt.seen()) parts[t] = sums_of_tiles(t * tile_);
    interrupt.throw_if_seen();
    std::vector<double> sums(order());
    for (const auto& part : parts) std::transform(part.begin(), part.end(), sums.begin(), sums.begin(), std::plus{});
    return sums;
  }

 private:
  Index order() const {
    return f_.M.rows;
  }

  std::vector<T> scaled(std::vector<T> x) const {
    for (T& element : x) element = times_power_of_two(element, -factored_exponent_);
    return x;
  }
  template <class S>
  S across(const S& x) const {
    return f_.hermitian ? conjugate(x) : x;
  }

  /// Returns the contributions of the row of tiles that begins at `row` to the sums of all rows of the matrix.
  std::vector<double> sums_of_tiles(Index row) const {
    const Matrix<E> MD = times_d(row, std::min(tile_, order() - row));
    std::vector<double> sums(MD.cols());
    for (Index col = 0; col <= row; col += tile_) add_tile(MD.view(), row, col, sums);
    return sums;
  }

  /// Computes rows of M·D, as far as they are not zero.
  Matrix<E> times_d(Index row, Index rows) const {
    Matrix<E> MD(rows, row + rows);
    for (Index k = 0; k < MD.cols(); ++k)
      for (Index i = 0; i < rows; ++i) {
        const auto m = [&](Index j) { return extend<E>(f_.M(row + i, j)); };
        E sum = m(k) * extend<E>(diagonal_[k]);
        if (k > 0 && subdiagonal_[k - 1] != T(0)) sum += m(k - 1) * extend<E>(across(subdiagonal_[k - 1]));
        if (k + 1 < order() && subdiagonal_[k] != T(0)) sum += m(k + 1) * extend<E>(subdiagonal_[k]);
        MD(i, k) = sum;
      }
    return MD;
  }

  static Matrix<E> multiply(const Operand<E>& A, const Operand<E>& B) {
    if constexpr (balanced)
      return balanced_product<E>(A, B, 1);
    else
      return product<E>(A, B, 1);
  }

  Matrix<E> product_of_tile(MatrixView<const E> MD, Index col) const {
    const Index cols = std::min(tile_, order() - col), inner = col + cols;
    const Operand<E> across_m(f_.M.block(col, 0, cols, inner), f_.hermitian ? Op::adjoint : Op::transpose);
    return multiply(MD.block(0, 0, MD.rows, inner), across_m);
  }

  void add_tile(MatrixView<const E> MD, Index row, Index col, std::vector<double>& sums) const {
    const Matrix<E> MDM = product_of_tile(MD, col);
    for (Index j = 0; j < MDM.cols(); ++j)
      for (Index i = std::max<Index>(0, col + j - row); i < MD.rows; ++i) add_error(row + i, col + j, MDM(i, j), sums);
  }

  /// Adds the error of the product x at (i, j), i ≥ j, to the sums of its rows.
  void add_error(Index i, Index j, const E& x, std::vector<double>& sums) const {
    const Index at_row = f_.permutation[i], at_col = f_.permutation[j];
    const int s = f_.scaling.empty() ? 0 : f_.scaling[at_row] + f_.scaling[at_col];
    const T a = times_power_of_two(f_.A(at_row, at_col), s - factored_exponent_);
    const double scaled_error = std::abs(round_to_double<T>(E(extend<E>(a) - x)));
    const double error = std::ldexp(scaled_error, factored_exponent_ - f_.exponent - s);
    sums[i] += error;
    if (i != j) sums[j] += error;
  }

  GivenFactors<T> f_;
  int threads_;
  Index tile_;
  int factored_exponent_;  ///< S·A·S is near 1, A itself near 2^exponent
  std::vector<T> diagonal_, subdiagonal_;
};

}  // namespace pivotlab::ldlt_detail
