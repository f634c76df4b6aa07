// SPDX-License-Identifier: BSD-3-Clause
// Computes A := M⁻¹·A·M and E := E·M for all pairs of blocks, in place, on tensor cores.
//
// A tile of A, pair of blocks k by pair of blocks l, becomes M_k⁻¹·tile·M_l in one step. A warp computes 16 rows of it:
// it reads the whole tile for the first product, whose accumulators are the left operand of the second product. Strips
// of 16 rows of E are read as left operands.
#pragma once

#include "kernels/eig/device/accumulate.hpp"

namespace pivotlab::eig_device {

/// Grid: one block per (pair of blocks l, a few tiles of column l or strips of E or E⁻ᵀ). A launch may leave out A or
/// the bases.
template <int b, class R = double>
struct ApplyTransformations {
  static constexpr int order = 2 * b;
  static constexpr int groups = order / 8, inner = order / 16;
  struct Arguments {
    PlanesOf<R> A;
    bool with_a;
    PlanesOf<R> bases[2];  ///< E and E⁻ᵀ, if they exist
    int base_count;
    bool first_is_inverse;  ///< E does not exist
    const Pair* pairs;
    int tiles;  ///< number of pairs of blocks
    const int* moved;
    Multipliers<b> by;
  };
  static constexpr int warps = 4, threads = 32 * warps;
  static constexpr int min_blocks = b == 8 ? 4 : b == 16 ? 3 : 1;
  static constexpr int warps_of_tile = order / 16;
  static constexpr int tiles_of_block = warps / warps_of_tile;
  static constexpr int strips_of_block = 2 * warps;
  static constexpr int shared_bytes = 8 * Multipliers<b>::elements;

  /// Numbers of blocks of one l that work on A, and on one of the bases.
  static constexpr int blocks_of_a(int tiles) { return (tiles + tiles_of_block - 1) / tiles_of_block; }
  static constexpr int blocks_of_base(int tiles) {
    return (tiles * (order / 16) + strips_of_block - 1) / strips_of_block;
  }
  static constexpr int blocks(int tiles, bool with_a, int bases) {
    return tiles * ((with_a ? blocks_of_a(tiles) : 0) + bases * blocks_of_base(tiles));
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int of_a = a.with_a ? blocks_of_a(a.tiles) : 0, of_base = blocks_of_base(a.tiles);
    const int of_column = of_a + a.base_count * of_base;
    const int l = context.block() / of_column, part = context.block() % of_column;
    const auto M = context.template shared<double>(0, Multipliers<b>::elements);
    if (part < of_a) {
      load(context, M, a.by.M, l);
      transform_tiles(context, a, part * tiles_of_block + context.warp() / warps_of_tile, l, M);
    } else if (a.moved[l] != 0) {
      const int base = (part - of_a) / of_base, first = (part - of_a) % of_base * strips_of_block;
      load(context, M, base == 0 && !a.first_is_inverse ? a.by.M : a.by.inverse_transposed, l);
      context.template wait<0>();
      context.sync();
      for (int i = context.warp(); i < strips_of_block; i += warps)
        if (16 * (first + i) < a.bases[base].order)
          transform_strip(context, a.bases[base], 16 * (first + i), a.pairs[l], M);
    }
  }

 private:
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void load(Context& context, const Array& M, const double* from, int l) {
    const double* source = from + std::int64_t(l) * Multipliers<b>::elements;
    for (int e = 2 * context.thread(); e < Multipliers<b>::elements; e += 2 * threads)
      context.copy_async(M + e, source + e);
    context.commit();
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE static void transform_tiles(Context& context, const Arguments& a, int k, int l, const Array& M) {
    const int strip = context.warp() % warps_of_tile;
    const bool active = k < a.tiles && (a.moved[k] != 0 || a.moved[l] != 0);
    const Pair rows = active ? a.pairs[k] : Pair{0, 1}, cols = a.pairs[l];
    Product y[groups];
    if (active) {
      const double* left = a.by.inverse + std::int64_t(k) * Multipliers<b>::elements + strip * LeftFragment::doubles;
#pragma unroll 1
      for (int k16 = 0; k16 < inner; ++k16) {
        LeftFragment inverse;
        inverse.load(context, left + std::int64_t(k16) * (32 * order));
#pragma unroll
        for (int g = 0; g < groups; ++g) {
          RightFragment x;
          x.load(
              context, a.A, [&](int r) { return place<b>(rows, 16 * k16 + r); },
              place<b>(cols, 8 * g + context.lane() / 4));
          y[g].add(context, inverse, x);
        }
      }
    }
    context.template wait<0>();
    context.sync();  // M is loaded, and all warps have read the tile
    if (!active) return;
    times_m(
        context, a.A, [&](int r) { return place<b>(rows, 16 * strip + r); }, cols, M,
        [&](int k16) { return as_left(y[2 * k16], y[2 * k16 + 1]); });
  }

  /// Transforms 16 rows of E.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void transform_strip(Context& context, const PlanesOf<R>& E, std::int64_t first, Pair cols,
                                              const Array& M) {
    const auto row = [&](int r) { return first + r; };
    LeftFragment x[inner];
#pragma unroll
    for (int k16 = 0; k16 < inner; ++k16)
      x[k16].load(context, E, row, [&](int c) { return place<b>(cols, 16 * k16 + c); });
    times_m(context, E, row, cols, M, [&](int k16) { return x[k16]; });
  }

  /// Computes columns `cols` of 16 rows of X := left·M.
  template <class Context, class Row, class Array, class Left>
  PIVOTLAB_DEVICE static void times_m(Context& context, const PlanesOf<R>& X, const Row& row, Pair cols, const Array& M,
                                      const Left& left) {
#pragma unroll 1
    for (int g = 0; g < groups; ++g) {
      Product z;
#pragma unroll
      for (int k16 = 0; k16 < inner; ++k16) {
        RightFragment m;
        m.load(context, M + (k16 * groups + g) * RightFragment::doubles);
        z.add(context, left(k16), m);
      }
      z.store(context, X, row, [&](int c) { return place<b>(cols, 8 * g + c); });
    }
  }
};

}  // namespace pivotlab::eig_device
