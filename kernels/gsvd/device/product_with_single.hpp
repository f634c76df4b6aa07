// SPDX-License-Identifier: BSD-3-Clause
// Y := X·diag(scale)·Z with Z in single precision, on tensor cores in double precision.
//
// A warp has 32 rows of 64 columns of Y in registers, and takes X from device memory as the left operand, 16 columns
// ahead. The block's 64 columns of Z come through shared memory, 32 rows at a time, in columns of 36 floats, so that
// the lanes of a fragment read different banks. A complex product is a real one with [Re X, Im X].
#pragma once

#include "kernels/gsvd/device/planes.hpp"

namespace pivotlab::device {

/// Grid: one block per 256 rows of 64 columns of a plane.
template <bool complex>
struct MultiplyBySingle {
  struct Arguments {
    Planes X;
    const double* scale;  ///< [column of X]
    PlanesOf<float> Z;
    Planes Y;
    std::int64_t columns;  ///< of X, Z and Y: a multiple of 32
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int parts = complex ? 2 : 1;
  static constexpr int strips = 2;                         ///< of 16 rows, of a warp
  static constexpr int rows = 16 * strips * threads / 32;  ///< of a block
  static constexpr int width = 64, groups = width / 8;     ///< columns of a block
  static constexpr int depth = 32, pitch = depth + 4;      ///< rows of Z in shared memory
  static constexpr int stage_bytes = width * pitch * 4 + depth * 8;
  static constexpr int shared_bytes = 2 * stage_bytes;

  static int blocks(std::int64_t rows_of_y, std::int64_t columns) {
    return static_cast<int>(ceiling(rows_of_y, rows) * ceiling(columns, width) * parts);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t row_blocks = ceiling(a.X.rows, rows);
    const std::int64_t first_row = context.block() % row_blocks * rows + context.warp() * strips * 16;
    const int of_plane = static_cast<int>(context.block() / row_blocks);
    const int part = of_plane % parts;
    const std::int64_t first_column = of_plane / parts * std::int64_t(width);
    const int lane = context.lane();

    const auto stage = [&](std::int64_t step) { return static_cast<int>(step % 2) * stage_bytes; };
    const std::int64_t steps_of_part = a.columns / depth, steps = parts * steps_of_part;
    const auto copy = [&](std::int64_t step) {
      if (step < steps) {
        const std::int64_t first = step % steps_of_part * depth;
        const float* z = a.Z.plane(part == step / steps_of_part ? 0 : 1) + first;
        const auto to = context.template shared<float>(stage(step), width * pitch);
        for (int e = context.thread(); e < width * depth / 4; e += threads) {
          const std::int64_t column = first_column + e / (depth / 4);
          if (column < a.columns)
            context.copy_async(to + (e / (depth / 4) * pitch + e % (depth / 4) * 4),
                               z + column * a.Z.rows + e % (depth / 4) * 4);
        }
        const auto scale = context.template shared<double>(stage(step) + width * pitch * 4, depth);
        if (context.thread() < depth / 2)
          context.copy_async(scale + 2 * context.thread(), a.scale + first + 2 * context.thread());
      }
      context.commit();
    };
    // Rows of a fragment's lane are neighbours in memory. Warps without rows read the last ones, and store nothing.
    const auto load = [&](double(&x)[strips][8], std::int64_t column) {
      const double* from = a.X.plane(static_cast<int>(column / a.columns)) + (column % a.columns + lane % 4) * a.X.rows;
#pragma unroll
      for (int s = 0; s < strips; ++s) {
        const std::int64_t row = first_row + 16 * s < a.X.rows ? first_row + 16 * s : a.X.rows - 16;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const DoublePair two = context.load2(from + row + lane / 4 * 2 + 4 * i * a.X.rows);
          x[s][2 * i] = two.x;
          x[s][2 * i + 1] = two.y;
        }
      }
    };

    double y[strips][groups][4] = {};
    double x[strips][8], next[strips][8] = {};
    copy(0);
    load(next, 0);
#pragma unroll 1
    for (std::int64_t step = 0; step < steps; ++step) {
      copy(step + 1);
      context.template wait<1>();
      context.sync();
      const auto z = context.template shared<float>(stage(step), width * pitch);
      const auto scale = context.template shared<double>(stage(step) + width * pitch * 4, depth);
      const bool negative = part == 0 && step >= steps_of_part;  // i² = −1
#pragma unroll
      for (int inner = 0; inner < depth; inner += 16) {
#pragma unroll
        for (int s = 0; s < strips; ++s)
#pragma unroll
          for (int i = 0; i < 8; ++i) x[s][i] = next[s][i];
        if (const std::int64_t ahead = step * depth + inner + 16; ahead < steps * depth) load(next, ahead);
        double factor[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const double of_row = scale[inner + 4 * i + lane % 4];
          factor[i] = negative ? -of_row : of_row;
        }
#pragma unroll
        for (int g = 0; g < groups; ++g) {
          double b[4];
#pragma unroll
          for (int i = 0; i < 4; ++i)
            b[i] = static_cast<double>(z[(8 * g + lane / 4) * pitch + inner + 4 * i + lane % 4]) * factor[i];
#pragma unroll
          for (int s = 0; s < strips; ++s) context.mma(y[s][g], x[s], b);
        }
      }
      context.sync();
    }
#pragma unroll
    for (int s = 0; s < strips; ++s) {
      const std::int64_t row = first_row + 16 * s + lane / 4 * 2;
#pragma unroll
      for (int g = 0; g < groups; ++g)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const std::int64_t column = first_column + 8 * g + lane % 4 * 2 + i;
          if (row < a.Y.rows && column < a.columns)
            context.store2(a.Y.plane(part) + column * a.Y.rows + row, y[s][g][i], y[s][g][2 + i]);
        }
    }
  }

 private:
  static constexpr PIVOTLAB_DEVICE std::int64_t ceiling(std::int64_t x, std::int64_t unit) {
    return (x + unit - 1) / unit;
  }
};

}  // namespace pivotlab::device
