// SPDX-License-Identifier: BSD-3-Clause
// The inner level: the pointwise algorithm on the factors of a pivot block pair, in shared memory (section 3.3).
//
// Eight lanes share a pivot pair (lane_columns.hpp). They form the pivot matrices, decide and transform; a barrier
// separates the steps of the inner strategy.
#pragma once

#include "kernels/gsvd/device/factor.hpp"
#include "kernels/gsvd/device/lane_columns.hpp"

namespace pivotlab::device {

template <class Shape>
PIVOTLAB_DEVICE inline void transform(LaneColumn<Shape>& x, LaneColumn<Shape>& y, const PairTransformation<double>& z) {
#pragma unroll
  for (int i = 0; i < LaneColumn<Shape>::rows; ++i) {
    const double a = x.x[0][i], b = y.x[0][i];
    if constexpr (!Shape::complex) {
      x.x[0][i] = fused(b, z.z21_re, a * z.z11);
      y.x[0][i] = fused(a, z.z12_re, b * z.z22);
    } else {
      const double ai = x.x[1][i], bi = y.x[1][i];
      x.x[0][i] = fused(b, z.z21_re, fused(-bi, z.z21_im, a * z.z11));
      x.x[1][i] = fused(b, z.z21_im, fused(bi, z.z21_re, ai * z.z11));
      y.x[0][i] = fused(a, z.z12_re, fused(-ai, z.z12_im, b * z.z22));
      y.x[1][i] = fused(a, z.z12_im, fused(ai, z.z12_re, bi * z.z22));
    }
  }
}

/// Diagonalizes tiles by inner sweeps. Grid: one block per tile.
template <class Shape, bool enhanced>
struct DiagonalizeTile {
  static constexpr int k = Shape::order;
  using Column = LaneColumn<Shape>;
  using Layout = TransformationLayout<Shape>;

  struct Arguments {
    Factors factors;
    int tiles;
    const PivotPair* inner_strategy;  ///< [steps][k/2]
    int steps, max_sweeps;
    bool prescaled, sorting;
    bool count_lost;  ///< lost tiles were factored by QR
    bool skip_lost;   ///< or have no factor
    PairRules<double> rules;
    double safe_independence;  ///< below this, norms are recomputed in every step
    double* transformations;   ///< [tile][Layout::elements], for PostMultiply
    int* moved;                ///< [tile]
    TileCounters* counters;    ///< [tile], added to
  };
  static constexpr int threads = k / 2 * pair_lanes;
  static constexpr int min_blocks = Shape::complex ? 1 : 2;  // complex tiles of order 64 fill the shared memory
  static constexpr int counters_at = 3 * Shape::elements * 8;
  static constexpr int shared_bytes = counters_at + 3 * (k / 2) * 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int tile = context.block(), thread = context.thread();
    if (a.skip_lost)
      if (const int lost = a.factors.lost[tile] + a.factors.lost[a.tiles + tile]; lost != 0) {
        if (thread == 0) a.moved[tile] = 0, a.counters[tile].qr_tiles += lost;
        return;
      }
    auto F = context.template shared<double>(0, Shape::elements);
    auto G = context.template shared<double>(8 * Shape::elements, Shape::elements);
    auto Z = context.template shared<double>(16 * Shape::elements, Shape::elements);
    const double* factor_f = a.factors.element + std::int64_t(tile) * Shape::elements;
    const double* factor_g = a.factors.element + std::int64_t(a.tiles + tile) * Shape::elements;
    for (int e = 2 * thread; e < Shape::elements; e += 2 * threads) {
      context.copy_async(F + e, factor_f + e);
      context.copy_async(G + e, factor_g + e);
    }
    context.commit();
    set_identity<Shape, threads>(context, Z);
    context.template wait<0>();
    context.sync();

    const bool prescaled = a.prescaled && a.factors.independence[a.tiles + tile] > a.safe_independence;
    if (prescaled) prescale(context, F, G, Z);

    Counts total;
    int sweeps = 0, active = 1;
    PivotPair pair = pivot_pair(a, 0, thread);
    while (active != 0 && sweeps < a.max_sweeps) {
      const unsigned before = total.transformations;
      for (int s = 0; s < a.steps; ++s) {
        const PivotPair current = pair;
        pair = pivot_pair(a, s + 1 < a.steps ? s + 1 : 0, thread);  // before the barrier, to hide the latency of the
                                                                    // load
        step(context, F, G, Z, current, prescaled, a, total);
        context.sync();
      }
      active = context.count(total.transformations != before);
      ++sweeps;
    }
    finish(context, F, G, Z, a, tile, total, sweeps);
  }

 private:
  struct Counts {
    unsigned transformations = 0, big = 0, swaps = 0;
  };

  PIVOTLAB_DEVICE static PivotPair pivot_pair(const Arguments& a, int step, int thread) {
    return a.inner_strategy[step * (k / 2) + thread / pair_lanes];
  }

  /// Scales the columns of F, G and Z by (Z₀)ⱼⱼ = 1/‖gⱼ‖ (section 3.3).
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void prescale(Context& context, const Array& F, const Array& G, const Array& Z) {
    for (int half = 0; half < 2; ++half) {
      const int column = 2 * (context.thread() / pair_lanes) + half;
      Column g;
      g.load(context, G, column);
      const double factor = 1.0 / square_root(squared_norm<enhanced>(context, g));
      g.scale(factor);
      g.store(context, G, column);
      scale_column(context, F, column, factor);
      scale_column(context, Z, column, factor);
    }
    context.sync();
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE static void scale_column(Context& context, const Array& matrix, int column, double factor) {
    Column x;
    x.load(context, matrix, column);
    x.scale(factor);
    x.store(context, matrix, column);
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE static void step(Context& context, const Array& F, const Array& G, const Array& Z, PivotPair pair,
                                   bool prescaled, const Arguments& a, Counts& total) {
    Column fp, fq, gp, gq;
    fp.load(context, F, pair.p);
    fq.load(context, F, pair.q);
    gp.load(context, G, pair.p);
    gq.load(context, G, pair.q);
    const auto A = pivot_matrix<enhanced>(context, fp, fq, true);
    const auto B = pivot_matrix<enhanced>(context, gp, gq, !prescaled);
    const auto pivots = prescaled ? unit_pivots<Shape::complex, true>(A, B, a.rules)
                                  : unit_pivots<Shape::complex, false>(A, B, a.rules);
    const bool active = !pivots.orthogonal;
    bool swap = a.sorting && is_ascending(pivots, a.rules);
    PairDecision<double> decision{};
    if (context.warp_any(active)) decision = decide<Shape::complex>(pivots, a.rules);
    if (active) {
      swap = a.sorting && decision.descending == 0;
      transform(fp, fq, decision.z);
      transform(gp, gq, decision.z);
    }
    if constexpr (Shape::complex) {
      if (a.sorting && context.warp_any(active)) {
        const double first = squared_norm<enhanced>(context, fp), second = squared_norm<enhanced>(context, fq);
        if (active) swap = first < second;
      }
    }
    if (!active && !swap) return;
    Column zp, zq;
    zp.load(context, Z, pair.p);
    zq.load(context, Z, pair.q);
    if (active) transform(zp, zq, decision.z);
    const int p = swap ? pair.q : pair.p, q = swap ? pair.p : pair.q;
    fp.store(context, F, p);
    fq.store(context, F, q);
    gp.store(context, G, p);
    gq.store(context, G, q);
    zp.store(context, Z, p);
    zq.store(context, Z, q);
    total.transformations += active;
    total.big += active && decision.big != 0;
    total.swaps += swap;
  }

  /// Applies Θ of section 2.4 to the tile's factors, stores Ẑ in the layout of PostMultiply, and adds the counters.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void finish(Context& context, const Array& F, const Array& G, const Array& Z,
                                     const Arguments& a, int tile, const Counts& total, int sweeps) {
    auto counts = context.template shared<unsigned>(counters_at, 3 * (k / 2));
    const int group = context.thread() / pair_lanes;
    if (context.lane() % pair_lanes == 0) {
      counts[group] = total.transformations;
      counts[k / 2 + group] = total.big;
      counts[k + group] = total.swaps;
    }
    context.sync();
    unsigned sum[3] = {};
    for (int kind = 0; kind < 3; ++kind)
      for (int i = 0; i < k / 2; ++i) sum[kind] += counts[kind * (k / 2) + i];
    const bool moved = sum[0] + sum[2] != 0;
    if (context.thread() == 0) {
      a.moved[tile] = moved;
      TileCounters& c = a.counters[tile];
      c.transformations += sum[0];
      c.big += sum[1];
      c.swaps += sum[2];
      c.skipped_tiles += !moved;
      if (a.count_lost) c.qr_tiles += a.factors.lost[tile] + a.factors.lost[a.tiles + tile];
      if (c.max_inner_sweeps < unsigned(sweeps)) c.max_inner_sweeps = sweeps;
    }
    if (!moved) return;

    for (int half = 0; half < 2; ++half) {
      const int column = 2 * group + half;
      Column f, g;
      f.load(context, F, column);
      g.load(context, G, column);
      const double squared = squared_norm<false>(context, f) + squared_norm<false>(context, g);
      scale_column(context, Z, column, 1.0 / square_root(squared));
    }
    context.sync();
    store_transformation<Shape, threads>(context, Z, a.transformations + std::int64_t(tile) * Layout::elements);
  }
};

}  // namespace pivotlab::device
