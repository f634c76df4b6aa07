// SPDX-License-Identifier: BSD-3-Clause
// Computes the reduced matrix after a panel, A − M·C*, and its largest element, by tiles of the lower triangle.
//
// A complex product is a real one of twice the rows and depth, which is much faster in Eigen: with m = x + iy and c* =
// u + iv, and real and imaginary parts as rows one below the other,
//
//   m·c*  =  [x −y; y x] · [u; v].
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"
#include "kernels/numerics/dense.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Nanoseconds of work on one core from which on threads that sleep are worth waking, which takes half as long.
inline constexpr double worth_waking = 100000;

/// T is double or std::complex<double>.
template <class T, bool hermitian>
class TrailingUpdate {
 public:
  /// M and C have the rows of A. Threads take columns and tiles; the bits of a tile do not depend on the thread.
  TrailingUpdate(MatrixView<const T> m, MatrixView<const T> c, MatrixView<T> A, int threads)
      : A_(A), threads_(nanoseconds(A.rows, m.cols) < worth_waking ? 1 : threads) {
    if constexpr (is_complex<T>)
      split(m, c);
    else
      m_ = m, w_ = c;
  }

  /// Returns max|A|.
  double run() const {
    std::vector<std::pair<Index, Index>> tiles;
    for (Index j = 0; j < A_.cols; j += tile)
      for (Index i = j; i < A_.rows; i += tile) tiles.emplace_back(i, j);
    double largest = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads_) reduction(max : largest) if (tiles.size() > 1)
    for (const auto& [i, j] : tiles)
      largest = std::max(largest, i == j ? update_diagonal(i) : update(i, j, height(i), height(j)));
    return largest;
  }

 private:
  static constexpr Index parts = is_complex<T> ? 2 : 1;
  static constexpr Index tile = 256;  // the tile and its rows of M and C fit the L2 cache
  static constexpr Index block = 64;  // block of a tile on the diagonal, where half of the blocks are not needed

  /// The products at the rate of one core, about 20 multiplications and additions a nanosecond.
  static double nanoseconds(Index rows, Index depth) {
    return 0.025 * static_cast<double>(parts * rows * rows) * static_cast<double>(parts * depth);
  }

  void split(MatrixView<const T> m, MatrixView<const T> c) {
    split_m_ = Matrix<double>(parts * m.rows, parts * m.cols);
    split_w_ = Matrix<double>(c.rows, parts * c.cols);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (Index t = 0; t < m.cols; ++t)
      for (Index i = 0; i < m.rows; ++i) {
        const T x = m(i, t), w = across<hermitian>(c(i, t));
        split_m_(2 * i, 2 * t) = split_m_(2 * i + 1, 2 * t + 1) = real_part(x);
        split_m_(2 * i + 1, 2 * t) = imaginary_part(x);
        split_m_(2 * i, 2 * t + 1) = -imaginary_part(x);
        split_w_(i, 2 * t) = real_part(w);
        split_w_(i, 2 * t + 1) = imaginary_part(w);
      }
    m_ = split_m_.view();
    w_ = split_w_.view();
  }
  static double imaginary_part(const T& x) {
    if constexpr (is_complex<T>)
      return x.imag();
    else
      return 0;
  }

  Index height(Index first) const {
    return std::min(tile, A_.rows - first);
  }

  double update(Index i, Index j, Index rows, Index cols) const {
    const MatrixView<T> part = A_.block(i, j, rows, cols);
    subtract_product(in_parts(part), left(i, rows), right(j, cols));
    double largest = 0;
    for (Index c = 0; c < cols; ++c) largest = std::max(largest, largest_magnitude(&part(0, c), rows));
    return largest;
  }

  double update_diagonal(Index first) const {
    const Index end = first + height(first);
    double largest = 0;
    Matrix<T> square(block, block);
    for (Index j = first; j < end; j += block) {
      const Index cols = std::min(block, end - j);
      multiply(in_parts(square.view().block(0, 0, cols, cols)), left(j, cols), right(j, cols));
      for (Index c = 0; c < cols; ++c) {
        T* column = &A_(j, j + c);
        for (Index r = c; r < cols; ++r) column[r] -= square(r, c);
        column[c] = on_diagonal<hermitian>(column[c]);
        largest = std::max(largest, largest_magnitude(column + c, cols - c));
      }
      if (j + cols < end) largest = std::max(largest, update(j + cols, j, end - j - cols, cols));
    }
    return largest;
  }

  static MatrixView<double> in_parts(MatrixView<T> A) {
    return {reinterpret_cast<double*>(A.data), parts * A.rows, A.cols, parts * A.stride};
  }
  MatrixView<const double> left(Index first, Index rows) const {
    return m_.block(parts * first, 0, parts * rows, m_.cols);
  }
  Factor<double> right(Index first, Index cols) const {
    return transpose(w_.block(first, 0, cols, w_.cols));
  }

  MatrixView<T> A_;
  int threads_;
  Matrix<double> split_m_, split_w_;  ///< split parts of complex matrices
  MatrixView<const double> m_, w_;
};

}  // namespace pivotlab::ldlt_detail
