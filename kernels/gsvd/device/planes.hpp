// SPDX-License-Identifier: BSD-3-Clause
// Layout of a pair in device memory, and the columns of a pivot block pair.
//
// A complex matrix is split into a real and an imaginary plane (section 3.1.1). For the products, which are most of the
// work, a pivot block pair consists of R real columns: the w columns of block p, those of block q, and in the complex
// case the same columns of the imaginary plane.
#pragma once

#include "kernels/exec/number_pairs.hpp"
#include "variants/orderings/strategy_table.hpp"

#include <cstdint>

namespace pivotlab::device {

/// A matrix as planes, column-major. Rows are padded with zeros to a multiple of row_multiple.
template <class Stored>
struct PlanesOf {
  Stored* re = nullptr;
  Stored* im = nullptr;   ///< null for a real matrix
  std::int64_t rows = 0;  ///< with padding; also the leading dimension

  PIVOTLAB_DEVICE Stored* plane(int part) const { return part == 0 ? re : im; }
};
using Planes = PlanesOf<double>;

inline constexpr int row_multiple = 16;

/// The shape of a tile: k = 2w columns in `parts` planes.
template <bool is_complex, int block_width>
struct TileShape {
  static constexpr bool complex = is_complex;
  static constexpr int width = block_width;
  static constexpr int order = 2 * width;
  static constexpr int parts = complex ? 2 : 1;
  static constexpr int real_columns = parts * order;
  static constexpr int elements = parts * order * order;  ///< doubles of a k × k factor
};

/// Returns real column c of a pivot block pair, 0 ≤ c < R.
template <class Shape, class Stored>
PIVOTLAB_DEVICE inline Stored* tile_column(const PlanesOf<Stored>& Y, PivotPair pair, int c) {
  const int panel = c / Shape::width;
  const std::int64_t block = (panel & 1) != 0 ? pair.q : pair.p;
  return Y.plane(panel >> 1) + (block * Shape::width + c % Shape::width) * Y.rows;
}

/// How a tile is factored.
enum class FactorKind { cholesky, pivoted, qr };

/// Counters of the tiles at one position of the steps since they were set to zero.
struct TileCounters {
  std::uint64_t transformations, big, swaps, skipped_tiles, qr_tiles, max_inner_sweeps;

  PIVOTLAB_DEVICE void add(const TileCounters& tile) {
    transformations += tile.transformations;
    big += tile.big;
    swaps += tile.swaps;
    skipped_tiles += tile.skipped_tiles;
    qr_tiles += tile.qr_tiles;
    if (tile.max_inner_sweeps > max_inner_sweeps) max_inner_sweeps = tile.max_inner_sweeps;
  }
};

/// Calls work(TileShape) for the scalar and the width (16 or 32) of a plan.
template <class Plan, class Work>
auto with_shape(const Plan& plan, Work&& work) {
  if (plan.complex) return plan.width == 16 ? work(TileShape<true, 16>()) : work(TileShape<true, 32>());
  return plan.width == 16 ? work(TileShape<false, 16>()) : work(TileShape<false, 32>());
}

}  // namespace pivotlab::device
