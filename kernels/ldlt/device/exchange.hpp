// SPDX-License-Identifier: BSD-3-Clause
// The interchanges of rows and columns for a pivot.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cstdint>

namespace pivotlab::ldlt_device {

/// The interchanges k ↔ pivot₀ and, for a 2×2 pivot, then k + 1 ↔ pivot₁, as one permutation. `row` has the affected
/// rows at four places: k, k + 1, pivot₀, pivot₁.
struct Exchange {
  static constexpr int rows = 4;
  static constexpr int first = 0, second = 1, pivot = 2;  ///< places; the pivots' are 2 and 3

  std::int64_t row[rows];
  int size;            ///< of the pivot
  int moved;           ///< number of moved rows of the next reduced matrix
  int to[2], from[2];  ///< their places after and before

  PIVOTLAB_DEVICE Exchange(std::int64_t k, int order, std::int64_t pivot_0, std::int64_t pivot_1)
      : row{k, order == 2 ? k + 1 : k, pivot_0, order == 2 ? pivot_1 : pivot_0}, size(order) {
    // If pivot₀ = k + 1, the first interchange has moved row k to k + 1 before the second one.
    const bool takes_first = size == 2 && pivot_0 == k + 1;
    const bool first_moves = !takes_first && k != pivot_0;
    const bool second_moves = size == 2 && (takes_first ? k : k + 1) != pivot_1;
    moved = first_moves + second_moves;
    to[0] = first_moves ? pivot : pivot + 1;
    from[0] = first;
    if (!first_moves && !takes_first) from[0] = second;
    to[1] = pivot + 1;
    from[1] = second;
  }

  /// Returns whether no row moves.
  PIVOTLAB_DEVICE bool trivial() const { return row[first] == row[pivot] && row[second] == row[pivot + 1]; }
  PIVOTLAB_DEVICE bool touches(std::int64_t i) const {
    return i == row[0] || i == row[1] || i == row[2] || i == row[3];
  }
};

}  // namespace pivotlab::ldlt_device
