// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: one level of the butterfly's congruence A := Uᵀ·A·U on the triangle.
#pragma once

#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/shared/butterfly_pairs.hpp"

namespace pivotlab::ldlt_device {

/// Grid: one block per four columns; every fourth thread has the same one. The threads of the first column of a pair
/// have both of them, and a thread the elements that two pairs of rows and columns share, of every 64th row. Elements
/// above the diagonal are read across it: four neighbours of a column for one row of the pair.
template <class T, bool hermitian>
struct MixRows {
  struct Arguments {
    Strips<T> A;
    const double *cosines, *sines;  ///< [row], of this level
    int level;
  };
  struct StripElements {
    Strips<T> A;
    PIVOTLAB_DEVICE T& operator()(std::int64_t i, std::int64_t j) const { return A.at(i, j); }
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr int columns_of_block = 4, rows_at_once = threads / columns_of_block;

  static std::int64_t blocks(std::int64_t order) { return (order + columns_of_block - 1) / columns_of_block; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    using namespace ldlt_detail;
    const std::int64_t first = std::int64_t(context.block()) * columns_of_block;
    const std::int64_t j = first + context.thread() % columns_of_block;
    if (j >= a.A.order) return;
    const ButterflyPair columns = pair_of(a.A.order, a.level, j);
    if (columns.first != j) return;
    const Rotation<double> of_columns{a.cosines[j], a.sines[j]};
    const ButterflyElements<hermitian, StripElements> elements{{a.A}};
    for (std::int64_t i = first + context.thread() / columns_of_block; i < a.A.order; i += rows_at_once) {
      const ButterflyPair rows = pair_of(a.A.order, a.level, i);
      if (i >= j && rows.first == i) elements.rotate(rows, columns, {a.cosines[i], a.sines[i]}, of_columns);
    }
  }
};

}  // namespace pivotlab::ldlt_device
