// SPDX-License-Identifier: BSD-3-Clause
// Operations of one block on one column. Each thread sums its elements in ascending order; lanes are combined by XOR
// butterflies, warps in ascending order.
#pragma once

#include "kernels/gsvd/device/planes.hpp"
#include "kernels/numerics/downward_product.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

namespace pivotlab::device {

inline constexpr int column_threads = 256;
inline constexpr int column_warps = column_threads / 32;

/// Sums x over the block; every thread gets the sum. `shared` holds column_warps doubles.
template <class Context, class Array>
PIVOTLAB_DEVICE inline double sum_over_block(Context& context, const Array& shared, double x) {
  for (int mask = 16; mask > 0; mask /= 2) x += context.shuffle_xor(x, mask);
  context.sync();
  if (context.lane() == 0) shared[context.warp()] = x;
  context.sync();
  double sum = shared[0];
  for (int warp = 1; warp < column_warps; ++warp) sum += shared[warp];
  return sum;
}

/// Computes ‖y_j‖², ordinary or enhanced (Appendix A) according to the variant.
template <bool enhanced, class Context, class Array, class Stored>
PIVOTLAB_DEVICE inline double squared_column_norm(Context& context, const Array& shared, const PlanesOf<Stored>& Y,
                                                  std::int64_t j) {
  const int parts = Y.im == nullptr ? 1 : 2;
  double sum = 0, errors = 0;
  for (std::int64_t i = context.thread(); i < Y.rows; i += column_threads)
    for (int part = 0; part < parts; ++part) {
      const double x = Y.plane(part)[j * Y.rows + i];
      if constexpr (enhanced) {
        const DownwardProduct<double> product(x, x);
        sum += product.c;
        errors += product.d;
      } else {
        sum = fused(x, x, sum);
      }
    }
  sum = sum_over_block(context, shared, sum);
  if constexpr (enhanced) sum += sum_over_block(context, shared, errors);
  return sum;
}

template <class Context>
PIVOTLAB_DEVICE inline void scale_column(Context& context, const Planes& Y, std::int64_t j, double factor) {
  for (int part = 0; part < (Y.im == nullptr ? 1 : 2); ++part)
    for (std::int64_t i = context.thread(); i < Y.rows; i += column_threads) Y.plane(part)[j * Y.rows + i] *= factor;
}

}  // namespace pivotlab::device
