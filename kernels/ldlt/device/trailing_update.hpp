// SPDX-License-Identifier: BSD-3-Clause
// All but complete pivoting: stores a complete panel's columns of M in the triangle, and subtracts their products from
// the rest of the triangle, A ← A − M·C*, on tensor cores. Without a search a panel has two chunks of columns, and
// after the first one only the next columns are updated.
//
// A block of threads takes a contiguous range of tiles of 128 × 64 elements (64 × 64 complex ones) along the strips.
// Shared memory holds the panel's rows that belong to the tile's rows and columns; the former are loaded once for all
// tiles of the same rows. The tile itself is only in registers, as accumulators of the products. The next tile is
// loaded while a tile is multiplied. The columns of the tile are the rows of the fragments, so that a lane holds two
// neighbours in memory.
#pragma once

#include "kernels/ldlt/device/panel.hpp"

#include <cmath>

namespace pivotlab::ldlt_device {

template <class T, bool hermitian, int chunks = 1>
struct UpdateTrailing {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;  ///< after the interchanges
    PanelGeneration from, to;
    Found* largest;  ///< [block], of the new triangle; null where only the next columns are updated
  };
  static constexpr int planes = PanelColumns<T>::planes;  ///< of a chunk
  static constexpr int parts = PanelColumns<T>::parts;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;  ///< the next tile is also in registers, which doubles their number
  static constexpr int tile_strips = is_complex<T> ? 1 : 2;
  static constexpr int tile_rows = tile_strips * strip_rows, tile_columns = strip_rows;
  static constexpr int m_pitch = tile_rows + 4, w_pitch = tile_columns + 4;  ///< avoids bank conflicts
  static constexpr int w_at = chunks * planes * m_pitch * 8;
  static constexpr int shared_bytes = w_at + 2 * planes * w_pitch * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Progress now = *a.from.progress;
    const bool next_columns = a.largest == nullptr;
    if (context.block() == 0) hand_on(context, a, now, now.phase == Phase::full && !next_columns);
    if (now.phase != (next_columns ? Phase::half : Phase::full)) return;
    const std::int64_t first_strip = now.k / strip_rows;
    const Tiles tiles(first_strip, now.k == a.A.order ? 0 : a.A.strips() - first_strip, next_columns);
    const double largest = update(context, a, now, tiles);
    if (next_columns) return;
    context.sync();
    const Found of_block =
        best_of_block(context, Found{is_complex<T> ? square_root(largest) : largest, Found::none().at});
    if (context.thread() == 0) a.largest[context.block()] = of_block;
  }

  static std::int64_t most_tiles(std::int64_t strips, bool next_columns = false) {
    return Tiles(0, strips, next_columns).count();
  }

 private:
  struct Tile {
    std::int64_t strip, column;  ///< the first strip; `column` counts groups of 64
  };

  /// The lower triangle of the last `strips` strips, row by row of tiles, or its first column of tiles.
  class Tiles {
   public:
    PIVOTLAB_DEVICE Tiles(std::int64_t first_strip, std::int64_t strips, bool first_column)
        : first_(first_strip), strips_(strips), first_column_(first_column) {}
    PIVOTLAB_DEVICE std::int64_t count() const {
      const std::int64_t rows = (strips_ + tile_strips - 1) / tile_strips;
      return first_column_ ? rows : before(rows);
    }
    PIVOTLAB_DEVICE Tile locate(std::int64_t tile) const {
      if (first_column_) return {first_ + tile_strips * tile, first_};
      auto row = static_cast<std::int64_t>(std::sqrt(2.0 * static_cast<double>(tile) / tile_strips));
      while (before(row + 1) <= tile) ++row;
      while (before(row) > tile) --row;
      return {first_ + tile_strips * row, first_ + tile - before(row)};
    }
    PIVOTLAB_DEVICE Tile next(const Tile& tile) const {
      if (!first_column_ && tile.column + 1 < tile.strip + tile_strips) return {tile.strip, tile.column + 1};
      return {tile.strip + tile_strips, first_};
    }

   private:
    PIVOTLAB_DEVICE static std::int64_t before(std::int64_t rows) { return tile_strips * (rows * (rows + 1) / 2); }
    std::int64_t first_, strips_;
    bool first_column_;
  };

  /// Sets the state with which the next panel begins.
  template <class Context>
  PIVOTLAB_DEVICE static void hand_on(Context& context, const Arguments& a, const Progress& now, bool ends) {
    const int t = context.thread();
    if (t < PanelColumns<T>::count) a.to.front[t] = ends ? static_cast<std::int32_t>(now.k) + t : a.from.front[t];
    if (t > 0) return;
    Progress next = now;
    if (ends) {
      next.begin = now.k;
      next.phase = now.k == a.A.order ? Phase::done : Phase::begin;
    }
    *a.to.progress = next;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void store_m(Context& context, const Arguments& a, const Progress& now) {
    for (std::int64_t strip = now.begin / strip_rows + context.block(); strip < a.A.strips();
         strip += context.blocks()) {
      const std::int64_t i = strip * strip_rows + context.thread() % strip_rows;
      for (int t = context.thread() / strip_rows; t < now.columns(); t += threads / strip_rows)
        if (i > now.begin + t && i < a.A.order) a.A.at(i, now.begin + t) = a.panel.m.get(t, i);
    }
  }

  /// The part of a tile that a warp holds: 32 rows × 32 columns, complex 32 × 16.
  static constexpr int warps_down = tile_rows / 32;
  static constexpr int groups_of_rows = 4, groups_of_columns = is_complex<T> ? 1 : 2;
  struct Part {
    double x[groups_of_columns][groups_of_rows][parts][4];
  };

  /// The position of a warp's part of a tile.
  struct Place {
    T* memory;  ///< of the lane's first element
    std::int64_t row, column;
    bool exists;

    template <class Context>
    PIVOTLAB_DEVICE Place(const Context& context, const Strips<T>& A, const Tile& tile) {
      const int down = context.warp() % warps_down, across = context.warp() / warps_down;
      const std::int64_t strip = tile.strip + down / 2;
      const int in_strip = down % 2 * 32 + 2 * (context.lane() % 4);
      row = strip * strip_rows + in_strip;
      column = tile.column * strip_rows + across * 16 * groups_of_columns + context.lane() / 4;
      exists = strip < A.strips() && tile.column <= strip;
      memory = A.column(strip, column) + in_strip;
    }
  };

  /// Stores M and updates the block's tiles; returns the largest element of these (of complex ones its squared
  /// modulus).
  template <class Context>
  PIVOTLAB_DEVICE static double update(Context& context, const Arguments& a, const Progress& now, const Tiles& tiles) {
    const std::int64_t begin = tiles.count() * context.block() / context.blocks();
    const std::int64_t end = tiles.count() * (context.block() + 1) / context.blocks();
    double largest = 0;
    Tile tile = tiles.locate(begin);
    Part part = {};
    int buffer = 0;
    if (begin < end) {
      load(context, a, tile, part);
      share_m(context, a, tile);
      share_w(context, a, tile, 0, buffer);
    }
    store_m(context, a, now);
    for (std::int64_t t = begin; t < end; ++t) {
      const Tile next = tiles.next(tile);
      Part coming = {};
      for (int chunk = 0; chunk < chunks; ++chunk) {
        context.template wait<0>();
        context.sync();
        if (chunk == 0 && t + 1 < end) load(context, a, next, coming);
        if (chunk + 1 < chunks)
          share_w(context, a, tile, chunk + 1, 1 - buffer);
        else if (t + 1 < end)
          share_w(context, a, next, 0, 1 - buffer);
        multiply(context, chunk, buffer, part);
        buffer = 1 - buffer;
      }
      if (tile.column * strip_rows < now.k || tile.column >= tile.strip)
        store<true>(context, a, tile, now.k, part, largest);
      else
        store<false>(context, a, tile, now.k, part, largest);
      if (t + 1 < end && next.strip != tile.strip) {
        context.sync();
        share_m(context, a, next);
      }
      tile = next;
      part = coming;
    }
    return largest;
  }

  template <class Context>
  PIVOTLAB_DEVICE static auto shared_m(Context& context) {
    return context.template shared<double>(0, chunks * planes * m_pitch);
  }
  template <class Context>
  PIVOTLAB_DEVICE static auto shared_w(Context& context, int buffer) {
    return context.template shared<double>(w_at + buffer * planes * w_pitch * 8, planes * w_pitch);
  }
  /// Starts to copy the panel's rows that belong to a tile's rows or columns.
  template <class Context>
  PIVOTLAB_DEVICE static void share_m(Context& context, const Arguments& a, const Tile& tile) {
    copy<tile_rows, chunks>(context, a.panel.m, tile.strip * strip_rows, 0, shared_m(context));
    context.commit();
  }
  template <class Context>
  PIVOTLAB_DEVICE static void share_w(Context& context, const Arguments& a, const Tile& tile, int chunk, int buffer) {
    copy<tile_columns, 1>(context, a.panel.minus_w, tile.column * strip_rows, chunk, shared_w(context, buffer));
    context.commit();
  }

  /// Copies all planes of some rows of the panel, of `count` chunks from one on.
  template <int rows, int count, class Context, class Array>
  PIVOTLAB_DEVICE static void copy(Context& context, const PanelColumns<T>& from, std::int64_t first, int chunk,
                                   const Array& to) {
    static_assert(planes * rows % (2 * threads) == 0);
#pragma unroll
    for (int of_first = 0; of_first < count * planes * rows; of_first += 2 * threads) {
      const int e = of_first + 2 * context.thread(), plane = e / rows, row = e % rows;
      context.copy_async(to + (plane * (rows + 4) + row),
                         from.elements + (chunk * planes + plane) * from.stride + first + row);
    }
  }

  template <class Context>
  PIVOTLAB_DEVICE static void load(Context& context, const Arguments& a, const Tile& tile, Part& part) {
    const Place place(context, a.A, tile);
    if (!place.exists) return;
    for_pairs([&](int c, int r, int h) {
      const auto* from = reinterpret_cast<const double*>(place.memory + (16 * c + 8 * h) * strip_rows + 8 * r);
      const DoublePair first = context.load2(from);
      if constexpr (is_complex<T>) {
        const DoublePair second = context.load2(from + 2);
        part.x[c][r][0][2 * h] = first.x;
        part.x[c][r][1][2 * h] = first.y;
        part.x[c][r][0][2 * h + 1] = second.x;
        part.x[c][r][1][2 * h + 1] = second.y;
      } else {
        part.x[c][r][0][2 * h] = first.x;
        part.x[c][r][0][2 * h + 1] = first.y;
      }
    });
  }

  /// Stores a tile and updates the largest element. Columns left of k, in tiles at the edge, do not belong to the
  /// reduced matrix.
  template <bool edge, class Context>
  PIVOTLAB_DEVICE static void store(Context& context, const Arguments& a, const Tile& tile, std::int64_t k,
                                    const Part& part, double& largest) {
    const Place place(context, a.A, tile);
    if (!place.exists) return;
    for_pairs([&](int c, int r, int h) {
      const std::int64_t j = place.column + 16 * c + 8 * h, i = place.row + 8 * r;
      if (edge && j < k) return;
      auto* to = reinterpret_cast<double*>(place.memory + (16 * c + 8 * h) * strip_rows + 8 * r);
      if constexpr (is_complex<T>) {
        context.store2(to, part.x[c][r][0][2 * h], part.x[c][r][1][2 * h]);
        context.store2(to + 2, part.x[c][r][0][2 * h + 1], part.x[c][r][1][2 * h + 1]);
      } else {
        context.store2(to, part.x[c][r][0][2 * h], part.x[c][r][0][2 * h + 1]);
      }
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        double size = absolute(part.x[c][r][0][2 * h + e]);
        if constexpr (is_complex<T>) {
          const double imaginary = edge && hermitian && i + e == j ? 0 : part.x[c][r][1][2 * h + e];
          size = fused(size, size, imaginary * imaginary);
        }
        if ((!edge || i + e >= j) && size > largest) largest = size;
      }
    });
  }

  /// Calls visit(group of columns, group of rows, half) for two neighbouring rows of one column.
  template <class Visit>
  PIVOTLAB_DEVICE static void for_pairs(const Visit& visit) {
#pragma unroll
    for (int c = 0; c < groups_of_columns; ++c)
#pragma unroll
      for (int r = 0; r < groups_of_rows; ++r)
#pragma unroll
        for (int h = 0; h < 2; ++h) visit(c, r, h);
  }

  static constexpr int depth = 8;  ///< of a product of fragments

  template <class Context>
  PIVOTLAB_DEVICE static void multiply(Context& context, int chunk, int buffer, Part& part) {
    const auto m = shared_m(context) + (chunk * planes * m_pitch + context.warp() % warps_down * 32);
    const auto w = shared_w(context, buffer) + context.warp() / warps_down * 16 * groups_of_columns;
    const int across = context.lane() / 4, along = context.lane() % 4;
#pragma unroll 2
    for (int k = 0; k < planes; k += depth) {
      double b[groups_of_rows][depth / 4];
#pragma unroll
      for (int r = 0; r < groups_of_rows; ++r)
#pragma unroll
        for (int i = 0; i < depth / 4; ++i) b[r][i] = m[(k + along + 4 * i) * m_pitch + 8 * r + across];
#pragma unroll
      for (int c = 0; c < groups_of_columns; ++c) {
        // Planes are alternately real and imaginary parts: (w, −w′) for the real part of m·w, (w′, w) for the imaginary
        // part.
        double a[parts][depth / 2];
#pragma unroll
        for (int i = 0; i < depth / 2; ++i) {
          const int plane = k + along + i / 2 * 4, column = 16 * c + across + i % 2 * 8;
          const double own = w[plane * w_pitch + column];
          if constexpr (is_complex<T>) {
            a[0][i] = along % 2 == 0 ? own : -own;
            a[1][i] = w[(plane ^ 1) * w_pitch + column];
          } else {
            a[0][i] = own;
          }
        }
#pragma unroll
        for (int r = 0; r < groups_of_rows; ++r)
#pragma unroll
          for (int p = 0; p < parts; ++p) context.mma(part.x[c][r][p], a[p], b[r]);
      }
    }
  }
};

}  // namespace pivotlab::ldlt_device
