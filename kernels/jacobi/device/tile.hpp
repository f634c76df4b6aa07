// SPDX-License-Identifier: BSD-3-Clause
// The inner level: the pointwise iteration on the factor R of a tile, in shared memory, with V̂ accumulated.
//
// Eight lanes share a pivot pair (gsvd/device/lane_columns.hpp). They form the Gram matrix of its columns, decide by
// the host's rule (shared/rotation.hpp) and transform; a barrier separates the steps of the inner strategy.
#pragma once

#include "kernels/gsvd/device/factor.hpp"
#include "kernels/gsvd/device/lane_columns.hpp"
#include "kernels/jacobi/device/device_solver.hpp"

namespace pivotlab::jacobi {

/// Orthogonalizes tiles by inner sweeps. Grid: one block per tile. Shared memory: R and V̂ (k × k, column-major, the
/// imaginary plane after the real one), signs, noise and norms of the columns, counters of the lane groups.
template <class Shape>
struct OrthogonalizeTile {
  static constexpr int k = Shape::order;
  static constexpr int parts = Shape::parts;
  static constexpr int groups = k / 2;
  using Column = device::LaneColumn<Shape>;
  using Layout = device::TransformationLayout<Shape>;

  struct Arguments {
    device::Factors factors;
    const PivotPair* pairs;           ///< pivot block pairs of the step
    const PivotPair* inner_strategy;  ///< [steps][k/2]
    int steps, max_sweeps;
    bool fix;         ///< correct V̂ by a Newton step towards V̂*ĴV̂ = Ĵ
    bool count_lost;  ///< lost tiles were factored by QR
    bool skip_lost;   ///< or have no factor: they count as one large transformation, so that another sweep follows
    JacobiRules<double> rules;
    const double* signs;      ///< [column of G]
    double* noise;            ///< [column of G], updated where the tile has moved
    double* transformations;  ///< [tile][Layout::elements], for PostMultiply
    int* moved;               ///< [tile]
    TileCounters* counters;   ///< [tile], added to
  };
  static constexpr int threads = groups * device::pair_lanes;
  static constexpr int min_blocks = Shape::real_columns == 128 ? 1 : 2;
  static constexpr int vectors_at = 2 * Shape::elements * 8;
  static constexpr int counts_at = vectors_at + 4 * k * 8;
  static constexpr int largest_at = counts_at + 4 * groups * 4;
  static constexpr int shared_bytes = largest_at + 3 * groups * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int tile = context.block();
    if (a.skip_lost && a.factors.lost[tile] != 0) {
      if (context.thread() != 0) return;
      TileCounters counters{};
      counters.big = counters.skipped_tiles = counters.qr_tiles = 1;
      counters.largest_cosine = counters.largest_tan = 1;
      a.counters[tile].add(counters);
      a.moved[tile] = 0;
      return;
    }
    Work<Context> work(context, a);
    work.load();
    work.iterate();
    work.finish();
  }

 private:
  struct Counts {
    unsigned transformations = 0, big = 0, hyperbolic = 0, clamped = 0;
    double cosine = 0, tan = 0, tanh = 0;
  };

  PIVOTLAB_DEVICE static double larger(double x, double y) { return x < y ? y : x; }

  template <class Context>
  struct Work {
    Context& context;
    const Arguments& a;
    int tile, thread, group;
    bool first_lane;  ///< of the lanes that share a pair: it alone has the pair's noise and counts
    decltype(context.template shared<double>(0, 1)) R, V, signs, noise, outer_noise, least_noise, largest;
    decltype(context.template shared<unsigned>(0, 1)) counts;
    Counts total{};
    int sweeps = 0;

    PIVOTLAB_DEVICE Work(Context& c, const Arguments& arguments)
        : context(c),
          a(arguments),
          tile(c.block()),
          thread(c.thread()),
          group(c.thread() / device::pair_lanes),
          first_lane(c.thread() % device::pair_lanes == 0),
          R(c.template shared<double>(0, Shape::elements)),
          V(c.template shared<double>(8 * Shape::elements, Shape::elements)),
          signs(c.template shared<double>(vectors_at, k)),
          noise(c.template shared<double>(vectors_at + 8 * k, k)),
          outer_noise(c.template shared<double>(vectors_at + 16 * k, k)),
          least_noise(c.template shared<double>(vectors_at + 24 * k, k)),
          largest(c.template shared<double>(largest_at, 3 * groups)),
          counts(c.template shared<unsigned>(counts_at, 4 * groups)) {}

    /// Returns the column of G that is column j of the tile.
    PIVOTLAB_DEVICE std::int64_t column(int j) const {
      const PivotPair pair = a.pairs[tile];
      constexpr int w = Shape::width;
      return j < w ? std::int64_t(pair.p) * w + j : std::int64_t(pair.q) * w + (j - w);
    }

    PIVOTLAB_DEVICE PivotPair pivot_pair(int step) const { return a.inner_strategy[step * groups + group]; }

    PIVOTLAB_DEVICE double squared_norm_of(int j) {
      Column x;
      x.load(context, R, j);
      return device::squared_norm<false>(context, x);
    }

    PIVOTLAB_DEVICE void load() {
      const double* factor = a.factors.element + std::int64_t(tile) * Shape::elements;
      for (int e = 2 * thread; e < Shape::elements; e += 2 * threads) context.copy_async(R + e, factor + e);
      context.commit();
      device::set_identity<Shape, threads>(context, V);
      if (thread < k) {
        signs[thread] = a.signs[column(thread)];
        outer_noise[thread] = a.noise[column(thread)];
      }
      context.template wait<0>();
      context.sync();
      for (int half = 0; half < 2; ++half) {
        const double square = squared_norm_of(2 * group + half);
        if (first_lane) noise[2 * group + half] = square;
      }
      context.sync();
    }

    PIVOTLAB_DEVICE void iterate() {
      int again = 1;
      PivotPair pair = pivot_pair(0);
      while (again != 0 && sweeps < a.max_sweeps) {
        const unsigned before = total.big;
        for (int s = 0; s < a.steps; ++s) {
          const PivotPair current = pair;
          pair = pivot_pair(s + 1 < a.steps ? s + 1 : 0);  // before the barrier, to hide the latency of the load
          step(current);
          context.sync();
        }
        clear_noise();
        again = context.count(total.big != before);
        ++sweeps;
      }
    }

    PIVOTLAB_DEVICE void step(PivotPair pair) {
      Column x, y;
      x.load(context, R, static_cast<int>(pair.p));
      y.load(context, R, static_cast<int>(pair.q));
      const double sign_x = signs[pair.p], s = sign_x * signs[pair.q];
      JacobiNoise<double> before{};
      if (first_lane) before = {noise[pair.p], noise[pair.q]};
      const PivotMatrix<double> m = device::pivot_matrix<false>(context, x, y, true);
      const JacobiDecision<double> decision = decide_jacobi<Shape::complex>(m, s, a.rules);
      if (decision.active == 0) return;  // the same for all lanes of a pair
      Column v, w;
      v.load(context, V, static_cast<int>(pair.p));
      w.load(context, V, static_cast<int>(pair.q));
      const JacobiNoise<double> after = transformed_noise(before, m, s, decision);
      const PivotPair to = changes_places(decision, sign_x, s, a.rules) ? PivotPair{pair.q, pair.p} : pair;
      transform(x, y, decision.update);
      x.store(context, R, static_cast<int>(to.p));
      y.store(context, R, static_cast<int>(to.q));
      transform(v, w, decision.update);
      v.store(context, V, static_cast<int>(to.p));
      w.store(context, V, static_cast<int>(to.q));
      if (first_lane) {
        noise[to.p] = after.x;
        noise[to.q] = after.y;
      }
      count(decision, s);
    }

    PIVOTLAB_DEVICE static void transform(Column& x, Column& y, const JacobiUpdate<double>& update) {
#pragma unroll
      for (int i = 0; i < Column::rows; ++i) {
        if constexpr (Shape::complex)
          transform_elements(update, x.x[0][i], x.x[parts - 1][i], y.x[0][i], y.x[parts - 1][i]);
        else
          transform_elements(update, x.x[0][i], y.x[0][i]);
      }
    }

    PIVOTLAB_DEVICE void count(const JacobiDecision<double>& decision, double s) {
      const double t = absolute(decision.t);
      const bool unitary = s > 0;
      ++total.transformations;
      total.big += decision.big != 0;
      total.hyperbolic += !unitary;
      total.clamped += decision.clamped != 0;  // never of a unitary one
      total.cosine = larger(total.cosine, decision.cosine);
      total.tan = larger(total.tan, unitary ? t : 0);
      total.tanh = larger(total.tanh, unitary ? 0 : t);
    }

    /// Sets columns of R that are not larger than their noise to zero.
    PIVOTLAB_DEVICE void clear_noise() {
      for (int half = 0; half < 2; ++half) {
        const int j = 2 * group + half;
        Column x;
        x.load(context, R, j);
        const double square = device::squared_norm<false>(context, x);
        if (square != 0 && is_rounding_noise(square, noise[j])) {
          x.scale(0);
          x.store(context, R, j);
        }
      }
    }

    /// Stores V̂, the noise of G's columns, and the counters.
    PIVOTLAB_DEVICE void finish() {
      const bool moved = add_counters();
      if (!moved) return;
      for (int half = 0; half < 2; ++half) {
        const double square = squared_norm_of(2 * group + half);
        if (first_lane) least_noise[2 * group + half] = noise_norm(square);
      }
      context.sync();
      if (a.fix) correct();
      store_noise();
      device::store_transformation<Shape, threads>(context, V,
                                                   a.transformations + std::int64_t(tile) * Layout::elements);
    }

    PIVOTLAB_DEVICE bool add_counters() {
      if (first_lane) {
        counts[group] = total.transformations;
        counts[groups + group] = total.big;
        counts[2 * groups + group] = total.hyperbolic;
        counts[3 * groups + group] = total.clamped;
        largest[group] = total.cosine;
        largest[groups + group] = total.tan;
        largest[2 * groups + group] = total.tanh;
      }
      context.sync();
      unsigned sum[4] = {};
      for (int kind = 0; kind < 4; ++kind)
        for (int i = 0; i < groups; ++i) sum[kind] += counts[kind * groups + i];
      const bool moved = sum[0] != 0;
      if (thread != 0) return moved;
      double most[3] = {};
      for (int kind = 0; kind < 3; ++kind)
        for (int i = 0; i < groups; ++i) most[kind] = larger(most[kind], largest[kind * groups + i]);
      a.moved[tile] = moved;
      a.counters[tile].add({sum[0], sum[1], sum[2], sum[3], !moved, a.count_lost && a.factors.lost[tile] != 0,
                            std::uint64_t(sweeps), most[0], most[1], most[2]});
      return moved;
    }

    /// Does one Newton step towards V̂*ĴV̂ = Ĵ: E := V̂*ĴV̂ − Ĵ, V̂ := V̂ − ½·V̂·Ĵ·E. ĴE/(−2) takes the memory of R.
    PIVOTLAB_DEVICE void correct() {
      for (int e = thread; e < k * k; e += threads) {
        const int i = e % k, j = e / k;
        double re = i == j ? -signs[i] : 0.0, im = 0;
        for (int l = 0; l < k; ++l) {
          const double x = signs[l] * V[i * k + l], y = V[j * k + l];
          re = fused(x, y, re);
          if constexpr (Shape::complex) {
            const double x_im = signs[l] * V[k * k + i * k + l], y_im = V[k * k + j * k + l];
            re = fused(x_im, y_im, re);
            im = fused(x, y_im, fused(-x_im, y, im));
          }
        }
        R[e] = re * (signs[i] / -2);
        if constexpr (Shape::complex) R[k * k + e] = im * (signs[i] / -2);
      }
      context.sync();
      double corrected[parts][k * k / threads];
      for (int part = 0; part < parts; ++part)
        for (int n = 0; n < k * k / threads; ++n) corrected[part][n] = V[part * k * k + thread + n * threads];
      for (int n = 0; n < k * k / threads; ++n) {
        const int i = (thread + n * threads) % k, j = (thread + n * threads) / k;
        double re = 0, im = 0;
        for (int l = 0; l < k; ++l) {
          const double x = V[l * k + i], y = R[j * k + l];
          re = fused(x, y, re);
          if constexpr (Shape::complex) {
            const double x_im = V[k * k + l * k + i], y_im = R[k * k + j * k + l];
            re = fused(-x_im, y_im, re);
            im = fused(x, y_im, fused(x_im, y, im));
          }
        }
        corrected[0][n] += re;
        if constexpr (Shape::complex) corrected[parts - 1][n] += im;
      }
      context.sync();
      for (int part = 0; part < parts; ++part)
        for (int n = 0; n < k * k / threads; ++n) V[part * k * k + thread + n * threads] = corrected[part][n];
      context.sync();
    }

    /// Computes ν² := max(|V̂|²ᵀ·ν², (ε·‖r‖)²) for the columns of the tile.
    PIVOTLAB_DEVICE void store_noise() {
      const int lane = context.lane() % device::pair_lanes;
      for (int half = 0; half < 2; ++half) {
        const int j = 2 * group + half;
        Column v;
        v.load(context, V, j);
        double term[Column::rows], most = 0;
#pragma unroll
        for (int i = 0; i < Column::rows; ++i) {
          const int row = i / 2 * 2 * device::pair_lanes + 2 * lane + i % 2;
          const double modulus = Shape::complex ? detail::hypotenuse(absolute(v.x[0][i]), absolute(v.x[parts - 1][i]))
                                                : absolute(v.x[0][i]);
          term[i] = modulus * outer_noise[row];
          most = larger(most, term[i]);
        }
        for (int mask = device::pair_lanes / 2; mask > 0; mask /= 2)
          most = larger(most, context.shuffle_xor(most, mask));
        const double divisor = most > 0 ? most : 1;  // squares of small terms would underflow
        device::ProductSum<false> sum;
#pragma unroll
        for (int i = 0; i < Column::rows; ++i) sum.add(term[i] / divisor, term[i] / divisor);
        const double transformed = most * square_root(sum.total(context));
        if (first_lane) a.noise[column(j)] = larger(transformed, least_noise[j]);
      }
    }
  };
};

}  // namespace pivotlab::jacobi
