// SPDX-License-Identifier: BSD-3-Clause
// How a triangle is spread over the shared memory of a resident grid (resident_elimination.hpp).
#pragma once

#include "kernels/exec/portable.hpp"

#include <algorithm>
#include <cstdint>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::ldlt_device {

/// The rows or columns own, own + step, … that belong to a block, of less than 2¹⁵.
class CyclicRange {
 public:
  PIVOTLAB_DEVICE CyclicRange(int own, int step)
      : own_(own), step_(step), inverse_(0x80000000u / static_cast<unsigned>(step) + 1) {}

  PIVOTLAB_DEVICE int own() const { return own_; }
  PIVOTLAB_DEVICE int at(int place) const { return own_ + place * step_; }
  /// Returns the place of the first one that is at least i; of i itself if it belongs to the block.
  PIVOTLAB_DEVICE int from(int i) const { return quotient(i - own_ + step_ - 1); }
  PIVOTLAB_DEVICE bool has(int i) const { return i - quotient(i) * step_ == own_; }

 private:
  /// Returns ⌊i/step⌋: the error of the inverse, at most step·2⁻³¹, is too small to matter.
  PIVOTLAB_DEVICE int quotient(int i) const {
    return static_cast<int>(static_cast<std::uint64_t>(static_cast<unsigned>(i)) * inverse_ >> 31);
  }

  int own_, step_;
  unsigned inverse_;
};

/// P × Q blocks for a triangle of some order, and the offsets of arrays in the shared memory of a block.
template <class T>
struct ResidentGrid {
  static constexpr int threads = 512;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int words_of_candidate = is_complex<T> ? 4 : 2;

  int order = 0, rows = 0, columns = 0;  ///< of the triangle; P, Q
  int most_rows = 0, most_columns = 0;   ///< of a block
  int elements = 0;                      ///< bound of those of a block, which are stored column by column
  int of_m = 0, of_minus_w = 0;          ///< two elements of M for each row, of −C* for each column
  int of_starts = 0, of_first_rows = 0;  ///< for each column, where row 0 would be, and the first row to be updated
  int of_candidates = 0;                 ///< two for each warp
  int of_diagonal = 0;                   ///< for each row
  int of_bound = 0;                      ///< of the search
  int shared_bytes = 0;

  /// Makes a grid of at most so many blocks, one or more.
  static ResidentGrid make(int order, int blocks) {
    ResidentGrid grid{.order = order};
    while ((grid.rows + 1) * (grid.rows + 1) <= blocks) ++grid.rows;
    grid.columns = blocks / grid.rows;
    grid.most_rows = (order + grid.rows - 1) / grid.rows;
    grid.most_columns = ((order + grid.columns - 1) / grid.columns + 3) / 4 * 4;
    for (int column = 0; column < order; column += grid.columns)
      grid.elements += std::max(0, grid.most_rows - (column + 1) / grid.rows);
    constexpr int size = static_cast<int>(sizeof(T));
    grid.elements += grid.elements % 2;  // so that all arrays but the last two begin at multiples of 16
    grid.of_m = grid.elements * size;
    grid.of_minus_w = grid.of_m + 2 * grid.most_rows * size;
    grid.of_starts = grid.of_minus_w + 2 * grid.most_columns * size;
    grid.of_first_rows = grid.of_starts + grid.most_columns * 4;
    grid.of_candidates = grid.of_first_rows + grid.most_columns * 4;
    grid.of_diagonal = grid.of_candidates + 2 * (threads / warp_size) * (16 + size);
    grid.of_bound = grid.of_diagonal + grid.most_rows * size;
    grid.shared_bytes = grid.of_bound + 8;
    return grid;
  }

  PIVOTLAB_DEVICE int blocks() const { return rows * columns; }

  /// Words of messages: two generations of candidates below the diagonal and on it, and four rows.
  PIVOTLAB_DEVICE std::int64_t mail_words() const {
    return 2 * (blocks() + rows) * words_of_candidate + std::int64_t(4) * order * parts;
  }
};

}  // namespace pivotlab::ldlt_device
