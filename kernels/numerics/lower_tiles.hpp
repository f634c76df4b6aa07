// SPDX-License-Identifier: BSD-3-Clause
// The lower triangle of a square matrix by tiles, so that an element and the one across the diagonal are both in cache:
// in a large matrix neighbouring elements of a row are a page apart.
#pragma once

#include <algorithm>
#include <kernels/numerics/real_arithmetic.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

inline constexpr Index side_of_tile = 64;

/// Calls work(first_row, end_row, first_col, end_col) for the tiles on and below the diagonal, multithreaded; a tile on
/// the diagonal is a square.
template <class Work>
void for_lower_tiles(Index n, int threads, const Work& work) {
  constexpr Index side = side_of_tile;
  const int team = n <= 2 * side ? 1 : thread_count(threads);  // one thread is faster for small n
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
  for (Index col = 0; col < n; col += side)
    for (Index row = col; row < n; row += side) work(row, std::min(row + side, n), col, std::min(col + side, n));
}

/// Computes A(j, i) := across(A(i, j)) for i > j.
template <class T, class Across>
void reflect_lower(MatrixView<T> A, int threads, const Across& across) {
  for_lower_tiles(A.rows, threads, [&](Index row, Index end_row, Index col, Index end_col) {
    for (Index i = row; i < end_row; ++i)
      for (Index j = col; j < std::min(end_col, i); ++j) A(j, i) = across(A(i, j));
  });
}

/// The largest difference of a matrix and its transpose, and its position.
template <class R>
struct Asymmetry {
  R difference{};  ///< 0 for a symmetric matrix
  Index row = 0, column = 0;

  void raise_to(const Asymmetry& other) {
    const bool earlier = other.column < column || (other.column == column && other.row < row);
    if (other.difference > difference || (other.difference == difference && earlier)) *this = other;
  }
};

/// Returns the largest |A(i, j) − across(A(j, i))| over i ≥ j; among equal ones the first by columns.
template <class T, class Across>
Asymmetry<RealOf<T>> asymmetry(MatrixView<const T> A, int threads, const Across& across) {
  using R = RealOf<T>;
  Asymmetry<R> worst;
  for_lower_tiles(A.rows, threads, [&](Index row, Index end_row, Index col, Index end_col) {
    Asymmetry<R> own;
    for (Index j = col; j < end_col; ++j)
      for (Index i = std::max(row, j); i < end_row; ++i) {
        const R difference = absolute(T(A(i, j) - across(A(j, i))));
        if (difference > own.difference) own = {difference, i, j};
      }
    if (own.difference > R(0)) {
#pragma omp critical(pivotlab_asymmetry)
      worst.raise_to(own);
    }
  });
  return worst;
}

}  // namespace pivotlab
