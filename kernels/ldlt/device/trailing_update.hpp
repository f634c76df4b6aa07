// SPDX-License-Identifier: BSD-3-Clause
// All but complete pivoting: stores a complete panel's columns of M in the triangle, and subtracts their products from
// the rest of the triangle, A ← A − M·C*, on tensor cores. Without a search a panel has two chunks of columns, and
// after the first one only the next columns are updated.
//
// A block of threads takes a contiguous range of tiles of 128 × 64 elements (64 × 64 complex ones) along the strips.
// Shared memory holds the panel's rows that belong to the tile's rows, loaded once for all tiles of the same rows, and
// a ring of four slices of 16 planes of those that belong to its columns. The tile itself is only in registers, as
// accumulators of the products. The columns of the tile are the rows of the fragments, so that a lane holds two
// neighbours in memory.
//
// A second set of registers has the tile before, and then the next one: with every slice a lane stores some elements of
// the former and loads those of the latter to the same registers. So transfers are spread over all products; many at
// once would keep the products waiting for shared memory. The barriers are before every second slice, the odd ones, so
// that warps pass from one tile to the next at different times.
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
    Found* largest;          ///< [block], of the new triangle; null where only the next
                             ///< columns are updated
    bool stores_rows_below;  ///< of M; false where UnsearchedPanel has stored them
  };
  static constexpr int planes = PanelColumns<T>::planes;  ///< of a chunk
  static constexpr int parts = PanelColumns<T>::parts;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;  ///< two tiles are in registers
  static constexpr int tile_strips = is_complex<T> ? 1 : 2;
  static constexpr int tile_rows = tile_strips * strip_rows, tile_columns = strip_rows;
  static constexpr int m_pitch = tile_rows + 4,
                       w_pitch = tile_columns + 4;  ///< avoids bank conflicts
  static constexpr int slice_planes = 16, slices = chunks * planes / slice_planes, ring = 4;
  static constexpr int slice_bytes = slice_planes * w_pitch * 8;
  static constexpr int w_at = chunks * planes * m_pitch * 8;
  static constexpr int shared_bytes = w_at + ring * slice_bytes;

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
    std::int64_t strip,
        column;  ///< the first strip; `column` counts groups of 64
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
    if (t < PanelColumns<T>::most) a.to.front[t] = ends ? static_cast<std::int32_t>(now.k) + t : a.from.front[t];
    if (t > 0) return;
    Progress next = now;
    if (ends) {
      next.begin = now.k;
      next.phase = now.k == a.A.order ? Phase::done : Phase::begin;
    }
    *a.to.progress = next;
  }

  /// Stores the panel's rows of M to the triangle, and the rows below them where these are to be stored.
  template <class Context>
  PIVOTLAB_DEVICE static void store_m(Context& context, const Arguments& a, const Progress& now) {
    if (a.stores_rows_below) return store_all_rows_of_m(context, a, now);
    for (int t = context.block(); t < now.columns(); t += context.blocks())
      for (std::int64_t i = now.begin + t + 1 + context.thread(); i < now.k; i += threads)
        a.A.at(i, now.begin + t) = a.panel.m.get(t, i);
  }
  template <class Context>
  PIVOTLAB_DEVICE static void store_all_rows_of_m(Context& context, const Arguments& a, const Progress& now) {
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
    T* memory = nullptr;  ///< of the lane's first element
    int below = 0;        ///< its row minus its column
    int left = 0;         ///< number of columns from its own one on that do not belong
                          ///< to the reduced matrix
    bool exists = false;

    PIVOTLAB_DEVICE Place() {}
    template <class Context>
    PIVOTLAB_DEVICE Place(const Context& context, const Strips<T>& A, const Tile& tile, std::int64_t k) {
      const int down = context.warp() % warps_down, across = context.warp() / warps_down;
      const std::int64_t strip = tile.strip + down / 2;
      const int in_strip = down % 2 * 32 + 2 * (context.lane() % 4);
      const std::int64_t column = tile.column * strip_rows + across * 16 * groups_of_columns + context.lane() / 4;
      exists = strip < A.strips() && tile.column <= strip;
      memory = A.column(strip, column) + in_strip;
      below = static_cast<int>(strip * strip_rows + in_strip - column);
      left = static_cast<int>(k - column);
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
    Place before, place;
    Part part = {}, other = {};
    if (begin < end) {
      place = Place(context, a.A, tile, now.k);
      for (int slice = 0; slice < slices; ++slice) transfer(context, slice, before, place, part, largest);
      share_m(context, a, tile);
      share_w(context, a, tile, 0);
      context.commit();
      share_w(context, a, tile, 1);
      share_w(context, a, tile, 2);
      context.commit();
    }
    store_m(context, a, now);
    context.template wait<1>();
    context.sync();
    for (std::int64_t t = begin; t < end; ++t) {
      const bool last = t + 1 == end;
      const Tile next = tiles.next(tile);
      const Place coming = last ? Place() : Place(context, a.A, next, now.k);
#pragma unroll
      for (int slice = 0; slice < slices; ++slice) {
        if (slice % 2 == 1) {
          context.template wait<0>();
          context.sync();
#pragma unroll
          for (int ahead = slice + 2; ahead < slice + 4; ++ahead)
            if (ahead < slices)
              share_w(context, a, tile, ahead);
            else if (!last)
              share_w(context, a, next, ahead - slices);
          context.commit();
        }
        transfer(context, slice, before, coming, other, largest);
        multiply(context, slice, part);
      }
      if (!last && next.strip != tile.strip) {
        context.sync();
        share_m(context, a, next);
        context.commit();
        context.template wait<0>();
        context.sync();
      }
      const Part updated = part;
      part = other;
      other = updated;
      before = place;
      place = coming;
      tile = next;
    }
    for (int slice = 0; slice < slices; ++slice) transfer(context, slice, before, Place(), other, largest);
    return absolute(largest);
  }

  template <class Context>
  PIVOTLAB_DEVICE static auto shared_m(Context& context) {
    return context.template shared<double>(0, chunks * planes * m_pitch);
  }
  template <class Context>
  PIVOTLAB_DEVICE static auto shared_w(Context& context, int slice) {
    return context.template shared<double>(w_at + slice % ring * slice_bytes, slice_planes * w_pitch);
  }
  /// Starts to copy the panel's rows that belong to a tile's rows, or a slice of those that belong to its columns.
  template <class Context>
  PIVOTLAB_DEVICE static void share_m(Context& context, const Arguments& a, const Tile& tile) {
    copy<tile_rows, chunks * planes>(context, a.panel.m, tile.strip * strip_rows, 0, shared_m(context));
  }
  template <class Context>
  PIVOTLAB_DEVICE static void share_w(Context& context, const Arguments& a, const Tile& tile, int slice) {
    copy<tile_columns, slice_planes>(context, a.panel.minus_w, tile.column * strip_rows, slice * slice_planes,
                                     shared_w(context, slice));
  }

  /// Copies `count` planes of some rows of the panel.
  template <int rows, int count, class Context, class Array>
  PIVOTLAB_DEVICE static void copy(Context& context, const PanelColumns<T>& from, std::int64_t first_row,
                                   int first_plane, const Array& to) {
    constexpr int planes_at_once = 2 * threads / rows;
    static_assert(2 * threads % rows == 0 && count % planes_at_once == 0);
    const int row = 2 * context.thread() % rows, plane = 2 * context.thread() / rows;
    const double* source = from.elements + (first_plane + plane) * from.stride + first_row + row;
    const auto target = to + (plane * (rows + 4) + row);
#pragma unroll 2
    for (int p = 0; p < count; p += planes_at_once, source += planes_at_once * from.stride)
      context.copy_async(target + p * (rows + 4), source);
  }

  /// Stores a lane's share of elements of a tile, and loads that of another one to the same registers.
  template <class Context>
  PIVOTLAB_DEVICE static void transfer(Context& context, int slice, const Place& from, const Place& to, Part& part,
                                       double& largest) {
    // The last slices leave loads time to arrive; in one of four slices too much would come at once.
    constexpr int pairs = 2 * groups_of_columns * groups_of_rows, used = chunks == 1 ? slices / 2 : slices * 3 / 4;
    constexpr int share = (pairs + used - 1) / used;
#pragma unroll
    for (int pair = slice * share; pair < (slice + 1) * share && pair < pairs; ++pair) {
      const int r = pair % groups_of_rows, h = pair / groups_of_rows % 2, c = pair / groups_of_rows / 2;
      if (from.exists) store(context, from, part.x[c][r], h, 16 * c + 8 * h, 8 * r, largest);
      load(context, to, part.x[c][r], h, 16 * c + 8 * h, 8 * r);
    }
  }

  /// Loads two neighbouring rows of one column, this far right of and below the lane's first element.
  template <class Context>
  PIVOTLAB_DEVICE static void load(Context& context, const Place& place, double (&x)[parts][4], int half, int right,
                                   int below) {
    DoublePair first{0, 0}, second{0, 0};
    if (place.exists) {
      const auto* from = reinterpret_cast<const double*>(place.memory + right * strip_rows + below);
      first = context.load2(from);
      if constexpr (is_complex<T>) second = context.load2(from + 2);
    }
    if constexpr (is_complex<T>) {
      x[0][2 * half] = first.x;
      x[1][2 * half] = first.y;
      x[0][2 * half + 1] = second.x;
      x[1][2 * half + 1] = second.y;
    } else {
      x[0][2 * half] = first.x;
      x[0][2 * half + 1] = first.y;
    }
  }

  /// Stores them and updates the largest element, which keeps its sign. Columns left of k do not belong to the reduced
  /// matrix.
  template <class Context>
  PIVOTLAB_DEVICE static void store(Context& context, const Place& place, const double (&x)[parts][4], int half,
                                    int right, int below, double& largest) {
    if (right < place.left) return;
    auto* to = reinterpret_cast<double*>(place.memory + right * strip_rows + below);
    if constexpr (is_complex<T>) {
      context.store2(to, x[0][2 * half], x[1][2 * half]);
      context.store2(to + 2, x[0][2 * half + 1], x[1][2 * half + 1]);
    } else {
      context.store2(to, x[0][2 * half], x[0][2 * half + 1]);
    }
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const int from_diagonal = place.below + below + e - right;
      double size = x[0][2 * half + e];
      if constexpr (is_complex<T>) {
        const double imaginary = hermitian && from_diagonal == 0 ? 0 : x[1][2 * half + e];
        size = fused(size, size, imaginary * imaginary);
      }
      if (from_diagonal >= 0 && absolute(size) > absolute(largest)) largest = size;
    }
  }

  static constexpr int depth = 8;  ///< of a product of fragments

  template <class Context>
  PIVOTLAB_DEVICE static void multiply(Context& context, int slice, Part& part) {
    const auto m = shared_m(context) + (slice * slice_planes * m_pitch + context.warp() % warps_down * 32);
    const auto w = shared_w(context, slice) + context.warp() / warps_down * 16 * groups_of_columns;
    const int across = context.lane() / 4, along = context.lane() % 4;
#pragma unroll
    for (int k = 0; k < slice_planes; k += depth) {
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
