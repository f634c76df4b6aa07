// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: one level of the butterfly's congruence A := Uᵀ·A·U on the triangle.
#pragma once

#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/shared/butterfly_pairs.hpp"

namespace pivotlab::ldlt_device {

/// Grid: one block per column. The block of the first column of a pair has both of them, and a thread the elements that
/// two pairs of rows and columns share, every 256th one.
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

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    using namespace ldlt_detail;
    const std::int64_t j = context.block();
    const ButterflyPair columns = pair_of(a.A.order, a.level, j);
    if (columns.first != j) return;
    const Rotation<double> of_columns{a.cosines[j], a.sines[j]};
    const ButterflyElements<hermitian, StripElements> elements{{a.A}};
    for (std::int64_t i = j + context.thread(); i < a.A.order; i += threads) {
      const ButterflyPair rows = pair_of(a.A.order, a.level, i);
      if (rows.first == i) elements.rotate(rows, columns, {a.cosines[i], a.sines[i]}, of_columns);
    }
  }
};

}  // namespace pivotlab::ldlt_device
