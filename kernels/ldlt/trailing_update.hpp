// The reduced matrix after a panel, and its largest element: A − M·C*, by tiles of the lower triangle.
#pragma once

#include "kernels/ldlt/arithmetic.hpp"
#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_detail {

template <class T, bool hermitian>
class TrailingUpdate {
 public:
  using R = RealOf<T>;

  TrailingUpdate(MatrixView<const T> m, MatrixView<const T> c, MatrixView<T> A) : m_(m), c_(c), A_(A) {}

  /// Returns max|A|. Threads take tiles; a tile has the same bits whoever takes it.
  R run(int threads) const {
    std::vector<std::pair<Index, Index>> tiles;
    for (Index j = 0; j < A_.cols; j += tile)
      for (Index i = j; i < A_.rows; i += tile) tiles.emplace_back(i, j);
    R largest(0);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(max : largest)
    for (const auto& [i, j] : tiles)
      largest = std::max<R>(largest, i == j ? update_diagonal(i) : update(i, j, height(i), height(j)));
    return largest;
  }

 private:
  static constexpr Index tile = 256;  // M's and C's rows of it and the tile itself fit the second level of cache
  static constexpr Index block = 64;  // of a tile on the diagonal, half of whose blocks there are not needed

  Index height(Index first) const {
    return std::min(tile, A_.rows - first);
  }

  R update(Index i, Index j, Index rows, Index cols) const {
    const MatrixView<T> part = A_.block(i, j, rows, cols);
    as_eigen(part).noalias() -= product(i, j, rows, cols);
    R largest(0);
    for (Index c = 0; c < cols; ++c) largest = std::max<R>(largest, largest_magnitude(&part(0, c), rows));
    return largest;
  }

  R update_diagonal(Index first) const {
    const Index end = first + height(first);
    R largest(0);
    EigenMatrix<T> square;
    for (Index j = first; j < end; j += block) {
      const Index cols = std::min(block, end - j);
      square.noalias() = product(j, j, cols, cols);
      for (Index c = 0; c < cols; ++c) {
        T* column = &A_(j, j + c);
        for (Index r = c; r < cols; ++r) column[r] -= square(r, c);
        column[c] = on_diagonal<hermitian>(column[c]);
        largest = std::max<R>(largest, largest_magnitude(column + c, cols - c));
      }
      if (j + cols < end) largest = std::max<R>(largest, update(j + cols, j, end - j - cols, cols));
    }
    return largest;
  }

  auto product(Index i, Index j, Index rows, Index cols) const {
    const auto m = as_eigen(m_.block(i, 0, rows, m_.cols));
    const auto c = as_eigen(c_.block(j, 0, cols, c_.cols));
    if constexpr (hermitian)
      return m * c.adjoint();
    else
      return m * c.transpose();
  }

  MatrixView<const T> m_, c_;
  MatrixView<T> A_;
};

}  // namespace pivotlab::ldlt_detail
