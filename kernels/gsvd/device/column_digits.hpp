// SPDX-License-Identifier: BSD-3-Clause
// Digits (numerics/digits.hpp) for products of [Y_p Y_q] and Ẑ in single precision.
//
// Numbers of Y are digits relative to the largest number of their column, which the kernel that computes a column
// finds. Rows of Ẑ are divided by these factors, so that a small column keeps its digits beside a large one, and its
// columns are then digits relative to their largest number.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/gsvd/device/postmultiply.hpp"
#include "kernels/numerics/digits.hpp"

namespace pivotlab::device {

/// Digits of the real R × R matrix Ẑ: [group of 8 columns][digit][32 rows][lane][2], each four rows of one column.
template <class Shape>
struct DigitLayout {
  static constexpr int groups = Shape::real_columns / 8;
  static constexpr int blocks = Shape::real_columns / 32;
  static constexpr int words = groups * digits::count * blocks * 64;

  static constexpr PIVOTLAB_DEVICE int at(int group, int digit, int block) {
    return ((group * digits::count + digit) * blocks + block) * 64;
  }
  /// Returns the inner index of number i, 0 ≤ i < 8, of a lane.
  static constexpr PIVOTLAB_DEVICE int inner_index(int lane, int block, int i) {
    return 4 * (8 * block + i) + lane % 4;
  }
};

/// The largest numbers of columns, as digits::size_of() returns them: [matrix][plane][column].
struct ColumnSizes {
  std::int32_t* size;
  std::int64_t columns;

  /// Returns those of real column c of a pivot block pair.
  template <class Shape>
  PIVOTLAB_DEVICE std::int32_t* of(int matrix, PivotPair pair, int c) const {
    const int panel = c / Shape::width;
    const std::int64_t block = (panel & 1) != 0 ? pair.q : pair.p;
    return size + (matrix * Shape::parts + (panel >> 1)) * columns + block * Shape::width + c % Shape::width;
  }
};

/// Ẑ of each tile for F, G and Z: [tile][matrix].
template <class Shape>
struct TransformationDigits {
  std::uint32_t* words;  ///< [DigitLayout::words]
  float* factors;        ///< of the columns of Y: [R]
  float* units;          ///< of the columns of the result: [R]
};

/// Owns the device memory of sweeps by digits: sizes of the columns of F, G, Z (n ints a plane), and digits, factors
/// and units of Ẑ for each tile and matrix.
template <class Executor, class Shape>
class DigitMemory {
 public:
  DigitMemory(Executor& executor, std::int64_t columns)
      : columns_(columns),
        sizes_(executor.template allocate<std::int32_t>(3 * std::size_t(Shape::parts * columns))),
        words_(executor.template allocate<std::uint32_t>(transformations() * DigitLayout<Shape>::words)),
        factors_(executor.template allocate<float>(transformations() * Shape::real_columns)),
        units_(executor.template allocate<float>(transformations() * Shape::real_columns)) {}

  void zero_sizes(Executor& executor) const { executor.fill_zero(sizes_.data(), sizes_.size()); }
  ColumnSizes sizes() const { return {sizes_.data(), columns_}; }
  TransformationDigits<Shape> digits() const { return {words_.data(), factors_.data(), units_.data()}; }

 private:
  std::size_t transformations() const { return 3 * std::size_t(columns_ / Shape::order); }

  std::int64_t columns_;
  Buffer<std::int32_t> sizes_;
  Buffer<std::uint32_t> words_;
  Buffer<float> factors_, units_;
};

/// Splits Ẑ of each tile for a range of F, G and Z, and sets the sizes of its columns to zero. Grid: one block per
/// (tile, matrix).
template <class Shape>
struct SplitTransformation {
  using From = TransformationLayout<Shape>;
  using To = DigitLayout<Shape>;
  struct Arguments {
    const PivotPair* pairs;
    const double* transformations;  ///< [tile][TransformationLayout::elements]
    const int* moved;               ///< [tile]: 0 where Ẑ is the identity
    ColumnSizes sizes;
    TransformationDigits<Shape> to;
    MatrixRange range;
  };
  static constexpr int threads = 128;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int matrices = a.range.end - a.range.first;
    const int tile = context.block() / matrices, matrix = a.range.first + context.block() % matrices;
    if (a.moved[tile] == 0) return;
    const PivotPair pair = a.pairs[tile];
    const double* Z = a.transformations + std::int64_t(tile) * From::elements;
    const std::int64_t transformation = 3 * tile + matrix;
    std::uint32_t* const words = a.to.words + transformation * To::words;
    const std::int64_t first = transformation * Shape::real_columns;
    const int lane = context.lane();
    float unit[8 * To::blocks];
#pragma unroll
    for (int i = 0; i < 8 * To::blocks; ++i)
      unit[i] = digits::unit_of(*a.sizes.template of<Shape>(matrix, pair, To::inner_index(lane, i / 8, i % 8)));
    for (int group = context.warp(); group < To::groups; group += threads / 32) {
      float z[2 * To::blocks][4];
      std::int32_t size = 0;
#pragma unroll
      for (int i = 0; i < 8 * To::blocks; ++i) {
        const int row = To::inner_index(lane, i / 8, i % 8);
        const float x = static_cast<float>(Z[From::element(row, 8 * group + lane / 4)]) * unit[i];
        z[i / 4][i % 4] = x;
        size = digits::larger(size, digits::size_of(x));
      }
      size = digits::largest<1, 2>(context, size);
      if (lane % 4 == 0) a.to.units[first + 8 * group + lane / 4] = digits::unit_of(size);
#pragma unroll
      for (int i = 0; i < 2 * To::blocks; ++i) {
        std::uint32_t of_digit[digits::count];
        digits::split(z[i], digits::factor_of(size), of_digit);
#pragma unroll
        for (int d = 0; d < digits::count; ++d) words[To::at(group, d, i / 2) + 2 * lane + i % 2] = of_digit[d];
      }
    }
    context.sync();  // all have read the sizes
    for (int c = context.thread(); c < Shape::real_columns; c += threads) {
      std::int32_t* const size = a.sizes.template of<Shape>(matrix, pair, c);
      a.to.factors[first + c] = digits::factor_of(*size);
      *size = 0;
    }
  }
};

}  // namespace pivotlab::device
