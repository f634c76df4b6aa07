// SPDX-License-Identifier: BSD-3-Clause
// Decomposes many small matrices, one block each: balancing, the fused point method until convergence, and right
// eigenvectors, all in shared memory.
#pragma once

#include "kernels/eig/device/device_batch.hpp"
#include "kernels/eig/device/lines.hpp"
#include "kernels/eig/device/pair_lanes.hpp"
#include "kernels/eig/device/vectors.hpp"

#include <limits>
#include <utility>

namespace pivotlab::eig_device {

/// n × n matrices as planes, one after the other; null if not requested.
struct BatchResults {
  double *iterate, *E, *inverse_transposed, *right;  ///< [matrix][re, im][n × n]
  double* history;                                   ///< [sweep][matrix][Norms, diagonal of n complex numbers]
  int* sweeps;                                       ///< [matrix]; −1 − sweeps if not converged
  int* exponent;                                     ///< [matrix], exponent of the scaling
  int* d;                                            ///< [matrix][n], exponents of the balancing
};

struct DecomposeSmallArguments {
  const double* A;  ///< [matrix][n × n][Re, Im]
  int n;
  const Pair* strategy;  ///< [steps][order/2], order = n or n + 1
  int steps;
  BatchRules rules;
  BatchResults results;
};

/// Grid: one block per matrix, of order at most `largest`, 16, 32 or 64.
template <int largest, bool with_inverse>
struct DecomposeSmall {
  using Arguments = DecomposeSmallArguments;
  static constexpr int threads = largest / 2 * pair_lanes, warps = threads / 32;
  static constexpr int min_blocks = 1;
  static constexpr int stride = shared_stride(largest);
  static constexpr int matrix_bytes = 16 * largest * stride;
  static constexpr int matrices = with_inverse ? 3 : 2;
  static constexpr int found_at = matrices * matrix_bytes;
  static constexpr int t_at = found_at + 8 * transformation_numbers * (largest / 2);
  static constexpr int sums_at = t_at + 16 * largest;
  static constexpr int d_at = sums_at + 8 * 8;
  static constexpr int shared_bytes = d_at + 4 * largest;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    run.load();
    run.prepare();
    run.iterate();
    run.store();
  }

 private:
  template <class Context>
  struct Run {
    Context& context;
    const Arguments& a;
    const int n, order, pairs, thread;
    using Matrix = decltype(shared_matrix(std::declval<Context&>(), 0, largest, stride));
    using Doubles = decltype(std::declval<Context&>().template shared<double>(0, 1));
    using Integers = decltype(std::declval<Context&>().template shared<int>(0, 1));
    Matrix A, E, F;  // F: E⁻ᵀ
    Doubles found, t, inverse, sums;
    Integers d;

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          n(a.n),
          order(a.n < 2 ? 2 : a.n + a.n % 2),
          pairs(order / 2),
          thread(context.thread()),
          A(shared_matrix(context, 0, largest, stride)),
          E(shared_matrix(context, matrix_bytes, largest, stride)),
          F(shared_matrix(context, (matrices - 1) * matrix_bytes, largest, stride)),
          found(context.template shared<double>(found_at, transformation_numbers * (largest / 2))),
          t(context.template shared<double>(t_at, largest)),
          inverse(context.template shared<double>(t_at + 8 * largest, largest)),
          sums(context.template shared<double>(sums_at, 8)),
          d(context.template shared<int>(d_at, largest)) {}

    PIVOTLAB_DEVICE void load() {
      const double* from = a.A + 2 * std::int64_t(context.block()) * n * n;
      for (int e = thread; e < order * order; e += threads) {
        const int i = e % order, j = e / order;
        const bool inside = i < n && j < n;
        A.set(i, j, inside ? C(from[2 * (j * n + i)], from[2 * (j * n + i) + 1]) : C(0.0));
        E.set(i, j, C(i == j ? 1.0 : 0.0));
        if constexpr (with_inverse) F.set(i, j, C(i == j ? 1.0 : 0.0));
      }
      for (int j = thread; j < largest; j += threads) d[j] = 0;
      context.sync();
    }

    /// Scales and balances as the host does (kernels/eig/shared/balance.hpp).
    PIVOTLAB_DEVICE void prepare() {
      int exponent = 0;
      const double before = largest_part();
      if (before > 0 && a.rules.balance && !is_triangular()) {
        constexpr int room = 20;
        exponent = std::numeric_limits<double>::max_exponent - room - std::ilogb(before);
        scale(exponent);
        balance();
      }
      if (before > 0) {
        const int down = -std::ilogb(largest_part());
        scale(down);
        exponent += down;
      }
      if (thread == 0) a.results.exponent[context.block()] = exponent;
      for (int j = thread; j < n; j += threads) a.results.d[std::int64_t(context.block()) * n + j] = d[j];
    }

    PIVOTLAB_DEVICE void iterate() {
      int sweeps = 0;
      double tau_squared = 0, norm_squared = 0;
      while (true) {
        const Norms norms = find_norms(tau_squared);
        store_history(sweeps, norms);
        norm_squared = norms.squared;
        const bool converged = square_root(norms.lower_squared) <= a.rules.tolerance * square_root(norm_squared);
        const bool finite = norm_squared <= std::numeric_limits<double>::max();
        if (converged || !finite || sweeps == a.rules.max_sweeps) {
          if (thread == 0) a.results.sweeps[context.block()] = converged ? sweeps : -1 - sweeps;
          largest_upper = norms.largest_upper;
          return;
        }
        tau_squared = sweep();
        if (a.rules.diagonal)
          for (int step = 0; step < eig_detail::diagonal_steps; ++step) diagonal_step(noise_of(norm_squared));
        ++sweeps;
      }
    }

    PIVOTLAB_DEVICE void store() {
      store_plane(A, a.results.iterate);
      if (a.results.E != nullptr) store_plane(E, a.results.E);
      if constexpr (with_inverse)
        if (a.results.inverse_transposed != nullptr) store_plane(F, a.results.inverse_transposed);
      if (a.results.right == nullptr) return;
      for (int k = context.warp(); k < n; k += warps) store_vector(k);
    }

    double largest_upper = 0;

   private:
    template <class Combine>
    PIVOTLAB_DEVICE double over_threads(double x, const Combine& combine) {
      for (int mask = 16; mask > 0; mask /= 2) x = combine(x, context.shuffle_xor(x, mask));
      context.sync();
      if (context.lane() == 0) sums[context.warp()] = x;
      context.sync();
      double all = sums[0];
      for (int warp = 1; warp < warps; ++warp) all = combine(all, sums[warp]);
      return all;
    }
    PIVOTLAB_DEVICE double sum_of(double x) {
      return over_threads(x, [](double u, double v) { return u + v; });
    }
    PIVOTLAB_DEVICE double maximum_of(double x) {
      return over_threads(x, [](double u, double v) { return u < v ? v : u; });
    }

    PIVOTLAB_DEVICE double largest_part() {
      double most = 0;
      for (int e = thread; e < order * order; e += threads) {
        const C x = A(e % order, e / order);
        const double re = absolute(x.real()), im = absolute(x.imag()), larger = re < im ? im : re;
        most = most < larger ? larger : most;
      }
      return maximum_of(most);
    }

    PIVOTLAB_DEVICE bool is_triangular() {
      bool below = false;
      for (int e = thread; e < order * order; e += threads)
        below |= e % order > e / order && magnitude_1(A(e % order, e / order)) > 0;
      return context.count(below) == 0;
    }

    PIVOTLAB_DEVICE void scale(int exponent) {
      for (int e = thread; e < order * order; e += threads) {
        const C x = A(e % order, e / order);
        A.set(e % order, e / order, C(std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)));
      }
      context.sync();
    }

    /// Returns the sums over column and row j without the diagonal.
    template <class Measure>
    PIVOTLAB_DEVICE void sum_lines(int j, double& column, double& row, const Measure& measure) {
      column = row = 0;
      for (int i = 0; i < order; ++i) {
        if (i == j) continue;
        column += measure(A(i, j));
        row += measure(A(j, i));
      }
    }

    /// Computes A := D⁻¹·A·D.
    PIVOTLAB_DEVICE void scale_lines() {
      for (int e = thread; e < order * order; e += threads) {
        const int i = e % order, j = e / order;
        const double both = i == j ? 1 : t[j] * inverse[i];
        const C x = A(i, j);
        A.set(i, j, C(x.real() * both, x.imag() * both));
      }
    }

    PIVOTLAB_DEVICE void balance() {
      for (int pass = 0; pass < 10; ++pass) {
        int exponent = 0;
        if (thread < order) {
          double column, row;
          sum_lines(thread, column, row, [](const C& x) { return magnitude_1(x); });
          exponent = eig_detail::balancing_exponent(column, row);
          d[thread] += exponent;
          t[thread] = std::ldexp(1.0, exponent);
          inverse[thread] = std::ldexp(1.0, -exponent);
        }
        if (context.count(exponent != 0) == 0) return;
        scale_lines();
        context.sync();
      }
    }

    PIVOTLAB_DEVICE void diagonal_step(double noise) {
      if (thread < order) {
        double column, row;
        sum_lines(thread, column, row, [](const C& x) { return squared_magnitude(x); });
        t[thread] = eig_detail::diagonal_parameter(column, row, noise, a.rules.exponent / 2);
        inverse[thread] = 1 / t[thread];
      }
      context.sync();
      scale_lines();
      for (int e = thread; e < order * order; e += threads) {
        const int i = e % order, j = e / order;
        const C x = E(i, j);
        E.set(i, j, C(x.real() * t[j], x.imag() * t[j]));
        if constexpr (with_inverse) {
          const C y = F(i, j);
          F.set(i, j, C(y.real() * inverse[j], y.imag() * inverse[j]));
        }
      }
      context.sync();
    }

    PIVOTLAB_DEVICE Norms find_norms(double tau_squared) {
      double lower = 0, upper = 0, diagonal = 0, most = 0;
      for (int e = thread; e < order * order; e += threads) {
        const int i = e % order, j = e / order;
        const double square = squared_magnitude(A(i, j));
        lower += i > j ? square : 0;
        upper += i < j ? square : 0;
        diagonal += i == j ? square : 0;
        most = i <= j && most < square ? square : most;
      }
      lower = sum_of(lower);
      const double off = sum_of(upper) + lower;
      diagonal = sum_of(diagonal);
      return {off + diagonal, lower, off, square_root(maximum_of(most)), square_root(maximum_of(tau_squared))};
    }

    PIVOTLAB_DEVICE void store_history(int sweep, const Norms& norms) {
      const int count = norms_doubles + 2 * n;
      double* to = a.results.history + (std::int64_t(sweep) * context.blocks() + context.block()) * count;
      if (thread == 0) {
        to[0] = norms.squared;
        to[1] = norms.lower_squared;
        to[2] = norms.off_squared;
        to[3] = norms.largest_upper;
        to[4] = norms.largest_tau;
      }
      for (int j = thread; j < n; j += threads) {
        to[norms_doubles + 2 * j] = A(j, j).real();
        to[norms_doubles + 2 * j + 1] = A(j, j).imag();
      }
    }

    /// Does one sweep. Returns the largest τ² of a thread.
    PIVOTLAB_DEVICE double sweep() {
      double tau_squared = 0;
      const int group = thread / pair_lanes, own = group < pairs ? group : pairs - 1;
      for (int s = 0; s < a.steps; ++s) {
        const Pair* round = a.strategy + s * pairs;
        const PairSums within = sums_within(context, A, order, round[own]);
        const auto pair =
            eig_detail::transformation(block_of(A, round[own]), within.commutator, within.squares, a.rules.rules);
        if (group < pairs)
          found[transformation_at(thread % pair_lanes, own, pairs)] = part_of(pair.m, thread % pair_lanes);
        tau_squared = tau_squared < pair.tau_squared ? pair.tau_squared : tau_squared;
        context.sync();
        for (int tile = thread; tile < pairs * pairs; tile += threads) {
          const int k = tile % pairs, l = tile / pairs;
          transform(A, round[k], round[l], inverse_of(load_transformation(context, found, k, pairs)),
                    load_transformation(context, found, l, pairs));
        }
        for (int item = thread; item < pairs * order; item += threads) {
          const int row = item % order, l = item / order;
          const Transformation m = load_transformation(context, found, l, pairs);
          transform_row(E, row, round[l], m);
          if constexpr (with_inverse) transform_row(F, row, round[l], transposed(inverse_of(m)));
        }
        context.sync();
      }
      return tau_squared;
    }

    PIVOTLAB_DEVICE static Transformation inverse_of(const Transformation& m) { return eig_detail::inverse(m); }

    PIVOTLAB_DEVICE void store_plane(const Matrix& X, double* to) {
      to += 2 * std::int64_t(context.block()) * n * n;
      for (int e = thread; e < n * n; e += threads) {
        const C x = X(e % n, e / n);
        to[e] = x.real();
        to[n * n + e] = x.imag();
      }
    }

    /// Computes E·y for T·y = λ_k·y by one warp; lane l has rows l, l + 32.
    PIVOTLAB_DEVICE void store_vector(int k) {
      constexpr int held = (largest + 31) / 32;
      const double least = largest_upper * std::numeric_limits<double>::epsilon();
      const double floor = least < std::numeric_limits<double>::min() ? std::numeric_limits<double>::min() : least;
      const int lane = context.lane();
      C sum[held], minus_inverse[held], y[held], v[held];
#pragma unroll
      for (int h = 0; h < held; ++h) {
        const int i = 32 * h + lane;
        sum[h] = v[h] = C(0.0);
        y[h] = C(i == k ? 1.0 : 0.0);
        const C difference = i < k ? pivotlab::sum(A(i, i), negated(A(k, k))) : C(1.0);
        minus_inverse[h] = negated(quotient(C(1.0), modulus(difference) < floor ? C(floor) : difference));
      }
#pragma unroll
      for (int h = held - 1; h >= 0; --h)
        for (int in_half = 31; in_half >= 0; --in_half) {
          const int i = 32 * h + in_half;
          if (i > k) continue;
          if (lane == in_half && i < k) y[h] = multiply(sum[h], minus_inverse[h]);
          const double re = context.shuffle(y[h].real(), in_half);
          const double im = context.shuffle(y[h].imag(), in_half);
          const C latest(re, im);
#pragma unroll
          for (int g = 0; g <= h; ++g)
            if (32 * g + lane < i) sum[g] = multiply_add(A(32 * g + lane, i), latest, sum[g]);
          if (magnitude_1(latest) < 0x1p128) continue;
          const double down = power_near_inverse(magnitude_1(latest));
#pragma unroll
          for (int g = 0; g < held; ++g) {
            sum[g] = C(sum[g].real() * down, sum[g].imag() * down);
            y[g] = C(y[g].real() * down, y[g].imag() * down);
          }
        }
      double most = 0;
#pragma unroll
      for (int h = 0; h < held; ++h) most = most < magnitude_1(y[h]) ? magnitude_1(y[h]) : most;
      for (int mask = 16; mask > 0; mask /= 2) {
        const double other = context.shuffle_xor(most, mask);
        most = most < other ? other : most;
      }
      const double near_one = power_near_inverse(most);
#pragma unroll
      for (int h = 0; h < held; ++h)
        for (int in_half = 0; in_half < 32; ++in_half) {
          const int i = 32 * h + in_half;
          if (i > k) break;
          const double re = context.shuffle(y[h].real() * near_one, in_half);
          const double im = context.shuffle(y[h].imag() * near_one, in_half);
#pragma unroll
          for (int g = 0; g < held; ++g)
            if (32 * g + lane < n) v[g] = multiply_add(E(32 * g + lane, i), C(re, im), v[g]);
        }
      double* to = a.results.right + 2 * std::int64_t(context.block()) * n * n + k * n;
#pragma unroll
      for (int g = 0; g < held; ++g) {
        const int i = 32 * g + lane;
        if (i >= n) continue;
        to[i] = v[g].real();
        to[n * n + i] = v[g].imag();
      }
    }
  };
};

}  // namespace pivotlab::eig_device
