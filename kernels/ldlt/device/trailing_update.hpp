// Rook and partial pivoting: a complete panel's columns of M into the triangle, and what remains of the triangle minus
// their products, A ← A − M·C*, on tensor cores.
//
// A block of threads takes tiles of 128 × 64 elements (64 × 64 complex ones) in turn. The panel's rows that belong to
// the tile's rows and columns go into shared memory; the tile itself is only in registers, as what the products are
// added to. The columns of the tile are the rows of the fragments, so that a lane holds two neighbours in memory.
#pragma once

#include "kernels/ldlt/device/panel.hpp"

#include <cmath>

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct UpdateTrailing {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;  ///< as exchanged
    PanelGeneration from, to;
    Found* largest;  ///< [block], of the new triangle
  };
  static constexpr int planes = PanelColumns<T>::planes;
  static constexpr int parts = PanelColumns<T>::parts;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 2;
  static constexpr int tile_strips = is_complex<T> ? 1 : 2;
  static constexpr int tile_rows = tile_strips * strip_rows, tile_columns = strip_rows;
  static constexpr int m_pitch = tile_rows + 4, w_pitch = tile_columns + 4;  ///< no conflicts of banks
  static constexpr int w_at = planes * m_pitch * 8;
  static constexpr int shared_bytes = w_at + planes * w_pitch * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Progress now = *a.from.progress;
    if (context.block() == 0) hand_on(context, a, now);
    if (now.phase != Phase::full) return;
    store_m(context, a, now);
    const std::int64_t first_strip = now.k / strip_rows;
    const Tiles tiles(first_strip, now.k == a.A.order ? 0 : a.A.strips() - first_strip);
    double largest = 0;
    for (std::int64_t t = context.block(); t < tiles.count(); t += context.blocks())
      update(context, a, now.k, tiles.locate(t), largest);
    context.sync();
    const Found of_block =
        best_of_block(context, Found{is_complex<T> ? square_root(largest) : largest, Found::none().at});
    if (context.thread() == 0) a.largest[context.block()] = of_block;
  }

  static std::int64_t most_tiles(std::int64_t strips) { return Tiles(0, strips).count(); }

 private:
  struct Tile {
    std::int64_t strip, column;  ///< the first strip; the column counts 64
  };

  /// The lower triangle of the last `strips` strips, row by row of tiles.
  class Tiles {
   public:
    PIVOTLAB_DEVICE Tiles(std::int64_t first_strip, std::int64_t strips) : first_(first_strip), strips_(strips) {}
    PIVOTLAB_DEVICE std::int64_t count() const { return before((strips_ + tile_strips - 1) / tile_strips); }
    PIVOTLAB_DEVICE Tile locate(std::int64_t tile) const {
      auto row = static_cast<std::int64_t>(std::sqrt(2.0 * static_cast<double>(tile) / tile_strips));
      while (before(row + 1) <= tile) ++row;
      while (before(row) > tile) --row;
      return {first_ + tile_strips * row, first_ + tile - before(row)};
    }

   private:
    PIVOTLAB_DEVICE static std::int64_t before(std::int64_t rows) { return tile_strips * (rows * (rows + 1) / 2); }
    std::int64_t first_, strips_;
  };

  /// The next panel begins where this one ended.
  template <class Context>
  PIVOTLAB_DEVICE static void hand_on(Context& context, const Arguments& a, const Progress& now) {
    const int t = context.thread();
    const bool ends = now.phase == Phase::full;
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

  /// The part of a tile that a warp has: 32 rows × 32 columns, of complex numbers 32 × 16.
  static constexpr int warps_down = tile_rows / 32;
  static constexpr int groups_of_rows = 4, groups_of_columns = is_complex<T> ? 1 : 2;
  struct Part {
    double x[groups_of_columns][groups_of_rows][parts][4];
  };

  template <class Context>
  PIVOTLAB_DEVICE static void update(Context& context, const Arguments& a, std::int64_t k, const Tile& tile,
                                     double& largest) {
    const auto m = context.template shared<double>(0, planes * m_pitch);
    const auto w = context.template shared<double>(w_at, planes * w_pitch);
    context.sync();
    copy<tile_rows>(context, a.panel.m, tile.strip * strip_rows, m);
    copy<tile_columns>(context, a.panel.minus_w, tile.column * strip_rows, w);
    context.commit();

    const int down = context.warp() % warps_down, across = context.warp() / warps_down;
    const std::int64_t strip = tile.strip + down / 2;
    const int row = down % 2 * 32 + 2 * (context.lane() % 4);  // in the strip, of the first of two elements
    const int column = across * 16 * groups_of_columns + context.lane() / 4;
    const bool exists = strip < a.A.strips() && tile.column <= strip;
    T* const memory = a.A.column(strip, tile.column * strip_rows + column) + row;
    Part part = {};
    if (exists) load(context, memory, part);
    context.template wait<0>();
    context.sync();
    multiply(context, m + down * 32, w + across * 16 * groups_of_columns, part);
    if (exists) store(context, memory, strip * strip_rows + row, tile.column * strip_rows + column, k, part, largest);
  }

  /// All planes of some rows of the panel.
  template <int rows, class Context, class Array>
  PIVOTLAB_DEVICE static void copy(Context& context, const PanelColumns<T>& from, std::int64_t first, const Array& to) {
    for (int e = 2 * context.thread(); e < planes * rows; e += 2 * threads) {
      const int plane = e / rows, row = e % rows;
      context.copy_async(to + (plane * (rows + 4) + row), from.elements + plane * from.stride + first + row);
    }
  }

  template <class Context>
  PIVOTLAB_DEVICE static void load(Context& context, const T* memory, Part& part) {
    for_pairs([&](int c, int r, int h) {
      const auto* from = reinterpret_cast<const double*>(memory + (16 * c + 8 * h) * strip_rows + 8 * r);
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

  /// Columns left of k are not the reduced matrix's. Notes the largest element (of complex ones its squared modulus).
  template <class Context>
  PIVOTLAB_DEVICE static void store(Context& context, T* memory, std::int64_t row, std::int64_t column, std::int64_t k,
                                    const Part& part, double& largest) {
    for_pairs([&](int c, int r, int h) {
      const std::int64_t j = column + 16 * c + 8 * h, i = row + 8 * r;
      if (j < k) return;
      auto* to = reinterpret_cast<double*>(memory + (16 * c + 8 * h) * strip_rows + 8 * r);
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
          const double imaginary = hermitian && i + e == j ? 0 : part.x[c][r][1][2 * h + e];
          size = fused(size, size, imaginary * imaginary);
        }
        if (i + e >= j && size > largest) largest = size;
      }
    });
  }

  /// visit(group of columns, group of rows, half): two neighbouring rows of one column.
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

  template <class Context, class Array>
  PIVOTLAB_DEVICE static void multiply(Context& context, const Array& m, const Array& w, Part& part) {
    const int across = context.lane() / 4, along = context.lane() % 4;
#pragma unroll 1
    for (int k = 0; k < planes; k += depth) {
      double b[groups_of_rows][depth / 4];
#pragma unroll
      for (int r = 0; r < groups_of_rows; ++r)
#pragma unroll
        for (int i = 0; i < depth / 4; ++i) b[r][i] = m[(k + along + 4 * i) * m_pitch + 8 * r + across];
#pragma unroll
      for (int c = 0; c < groups_of_columns; ++c) {
        // Planes are real and imaginary parts in turn: (w, −w′) for the real part of m·w, (w′, w) for the other one.
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
