// SPDX-License-Identifier: BSD-3-Clause
// Products of whole complex matrices on tensor cores.
#pragma once

#include "kernels/eig/device/fragments.hpp"

namespace pivotlab::eig_device {

/// A product of 16 rows and 32 columns, computed by one warp.
struct StripProduct {
  static constexpr int groups = 4;
  Product sums[groups];

  /// Adds A(rows row…, columns inner… of 16)·B(rows inner…, columns col… of 32), or subtracts it.
  template <bool subtract = false, class Context>
  PIVOTLAB_DEVICE void add(Context& context, const Planes& A, const Planes& B, std::int64_t row, std::int64_t inner,
                           std::int64_t col) {
    LeftFragment a;
    a.load(
        context, A, [&](int r) { return row + r; }, [&](int c) { return inner + c; });
    if constexpr (subtract)
#pragma unroll
      for (int i = 0; i < 8; ++i) a.re[i] = -a.re[i], a.im[i] = -a.im[i];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      RightFragment b;
      b.load(
          context, B, [&](int r) { return inner + r; }, col + 8 * g + context.lane() / 4);
      sums[g].add(context, a, b);
    }
  }
  template <class Context>
  PIVOTLAB_DEVICE void load(Context& context, const Planes& X, std::int64_t row, std::int64_t col) {
#pragma unroll
    for (int g = 0; g < groups; ++g)
      sums[g].load(
          context, X, [&](int r) { return row + r; }, [&](int c) { return col + 8 * g + c; });
  }
  template <class Context>
  PIVOTLAB_DEVICE void store(Context& context, const Planes& X, std::int64_t row, std::int64_t col) const {
#pragma unroll
    for (int g = 0; g < groups; ++g)
      sums[g].store(
          context, X, [&](int r) { return row + r; }, [&](int c) { return col + 8 * g + c; });
  }
};

/// Computes Y := X + A·B, or X − A·B; X is zero if its planes are null, and may be Y. Grid: one block per 64 rows of 64
/// columns, one warp per 16 rows of 32.
template <bool subtract>
struct MultiplyPlanes {
  struct Arguments {
    Planes A, B, X, Y;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr std::int64_t side = 64;
  static constexpr int blocks(std::int64_t order) {
    const std::int64_t tiles = (order + side - 1) / side;
    return static_cast<int>(tiles * tiles);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t order = a.Y.order, tiles = (order + side - 1) / side;
    const std::int64_t row = context.block() % tiles * side + context.warp() % 4 * 16;
    const std::int64_t col = context.block() / tiles * side + context.warp() / 4 * 32;
    if (row >= order || col >= order) return;
    StripProduct y;
    if (a.X.re != nullptr) y.load(context, a.X, row, col);
    for (std::int64_t k = 0; k < order; k += 16) y.template add<subtract>(context, a.A, a.B, row, k, col);
    y.store(context, a.Y, row, col);
  }
};

}  // namespace pivotlab::eig_device
