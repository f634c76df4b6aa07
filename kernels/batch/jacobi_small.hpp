// SPDX-License-Identifier: BSD-3-Clause
// Decomposes many small pairs (G, J), G·V = U·Σ, V*JV = J', one block each: the one-sided Jacobi iteration with the
// rules of kernels/jacobi/shared/rotation.hpp on G in shared memory, or in the memory of U where it does not fit.
//
// A sweep has the order ME of the next power of two of columns (variants/orderings); pairs with a missing column are
// left out. `lanes` adjacent threads transform a pair; each has every lanes-th row, so that sums have a fixed order. V
// is in shared memory where it fits (`v_shared`), else in device memory. Where G is in device memory, tiles of G and V
// are in shared memory for the rounds that stay within them (jacobi_pairs.hpp).
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/jacobi_columns.hpp"
#include "kernels/batch/jacobi_pairs.hpp"
#include "kernels/batch/run.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/batch/team.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

namespace pivotlab::batch {

/// Grid: one block per matrix, m × n with n ≤ largest. Shared memory: the team's scratch, G, V, sizes of the columns,
/// their signs and noise, two vectors, and places of columns.
template <class T, int largest>
struct JacobiSmall {
  using Arguments = JacobiArguments<T>;
  static constexpr bool v_shared = largest * sizeof(T) <= 512, g_shared = largest <= most_columns_of_values<T>;
  static constexpr int most_width = g_shared ? 0 : 32 * 1024 / (largest * static_cast<int>(sizeof(T)));
  static constexpr int threads_of_tiles = 256;
  // Measured: docs/notebook/batches.md.
  static constexpr int lanes = !g_shared ? threads_of_tiles / most_width : largest == 32 ? 2 : largest == 128 ? 8 : 4;
  static constexpr int threads = g_shared ? largest / 2 * lanes : threads_of_tiles, pairs = threads / lanes;
  static constexpr int min_blocks = !g_shared ? 2 : is_complex<T> || largest == 128 ? 1 : largest == 64 ? 6 : 24;

  static int shared_bytes(int m, int n, bool v) {
    const int columns = (g_shared ? column_stride<T>(m, lanes) : 0) + (v && v_shared ? column_stride<T>(n, lanes) : 0);
    return bytes_of_vectors(m, n) + number * n * columns + tile_bytes(width_of(m, n, v), m, n, v);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    const int outcome = run.load();
    if (outcome != Outcome::passed) return run.refuse(outcome);
    run.order_columns();
    run.iterate();
    run.normalize();
    run.store();
  }

 private:
  static constexpr int scratch_bytes = 16 * (threads / warp_size);
  static constexpr int number = sizeof(T);
  using Limits = std::numeric_limits<double>;

  PIVOTLAB_DEVICE static constexpr int bytes_of_vectors(int m, int n) {
    return scratch_bytes + 24 * n + number * (m + n) + 4 * n;
  }
  PIVOTLAB_DEVICE static constexpr int tile_bytes(int width, int m, int n, bool v) {
    return 2 * width * number * (column_stride<T>(m, lanes) + (v ? column_stride<T>(n, lanes) : 0));
  }
  /// Returns the columns of a group; 0 if a tile is of no use, or does not fit.
  PIVOTLAB_DEVICE static constexpr int width_of(int m, int n, bool v) {
    int width = most_width;
    while (width > 0 && bytes_of_vectors(m, n) + tile_bytes(width, m, n, v) > most_shared_bytes) width /= 2;
    return width;
  }

  template <class Context>
  struct Run {
    using Shared = decltype(std::declval<Context&>().template shared<T>(0, 1));
    using Numbers = std::conditional_t<g_shared, Shared, T*>;
    using Doubles = decltype(std::declval<Context&>().template shared<double>(0, 1));
    using Integers = decltype(std::declval<Context&>().template shared<int>(0, 1));

    Context& context;
    const Arguments& a;
    const int m, n, thread, matrix, stride, v_stride, width;
    Team<Context, threads> team;
    Numbers G;
    Shared V, rows, columns;  // rows, columns: vectors of length m and n
    Shared g_tile, v_tile;
    Doubles sizes, signs, noise;  // of the columns
    Integers place;
    T* v_memory;
    int exponent = 0, sweeps = 0, outcome = Outcome::passed;

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          m(a.m),
          n(a.n),
          thread(context.thread()),
          matrix(context.block()),
          stride(g_shared ? column_stride<T>(m, lanes) : int(a.U.stride)),
          v_stride(v_shared ? column_stride<T>(n, lanes) : int(a.V.stride)),
          width(width_of(m, n, a.V.data != nullptr)),
          team(context, 0),
          v_memory(a.V.data == nullptr ? nullptr : a.V.matrix(matrix)) {
      int at = scratch_bytes;
      if constexpr (g_shared)
        G = take<T>(at, n * stride);
      else
        G = a.U.matrix(matrix);
      if (v_shared && v_memory != nullptr) V = take<T>(at, n * v_stride);
      rows = take<T>(at, m), columns = take<T>(at, n);
      sizes = take<double>(at, n), signs = take<double>(at, n), noise = take<double>(at, n);
      place = take<int>(at, n);
      if constexpr (most_width > 0) {
        g_tile = take<T>(at, 2 * width * column_stride<T>(m, lanes));
        if (v_memory != nullptr) v_tile = take<T>(at, 2 * width * column_stride<T>(n, lanes));
      }
    }

    template <class Element>
    PIVOTLAB_DEVICE auto take(int& at, int count) {
      auto array = context.template shared<Element>(at, count);
      at += int(sizeof(Element)) * count;
      return array;
    }

    /// Calls f(j, lane) for all columns, `pairs` of them at once; all threads call it equally often, with j = −1 if
    /// there is no column left.
    template <class Function>
    PIVOTLAB_DEVICE void for_columns(const Function& f) {
      for (int first = 0; first < n; first += pairs) {
        const int j = first + thread / lanes;
        f(j < n ? j : -1, thread % lanes);
      }
    }

    PIVOTLAB_DEVICE double squared_norm(int j, int lane) {
      double sum = 0;
      if (j >= 0)
        for (int i = lane; i < m; i += lanes) sum += squared_magnitude(T(G[j * stride + i]));
      return sum_of_lanes<lanes>(context, sum);
    }

    /// Loads G, scaled by a power of two, and the identity as V.
    PIVOTLAB_DEVICE int load() {
      if (a.given != nullptr && a.given[matrix] != Outcome::passed) return a.given[matrix];
      const T* from = a.G.matrix(matrix);
      bool finite = true;
      const auto signs_of = [&](int j) { return a.J == nullptr ? 1 : a.J[std::int64_t(matrix) * n + j]; };
      for (int first = 0; first < m; first += threads)
#pragma unroll 8
        for (int j = 0; j < n; ++j)
          if (const int i = first + thread; i < m) G[j * stride + i] = from[i + j * a.G.stride];
      for (int j = thread; j < n; j += threads) signs[j] = signs_of(j) < 0 ? -1 : 1, place[j] = signs_of(j);
      team.sync();
      double most = 0, least = Limits::max();
      for_columns([&](int j, int lane) {
        double part = 0;
        if (j >= 0)
          for (int i = lane; i < m; i += lanes) {
            if (place[j] == 0) G[j * stride + i] = T(0);
            const T x = G[j * stride + i];
            const double re = absolute(real_part(x)), im = absolute(imaginary_part(x)), larger = re < im ? im : re;
            finite &= re <= Limits::max() && im <= Limits::max();
            part = part < larger ? larger : part;
          }
        part = largest_of_lanes<lanes>(context, part);
        most = most < part ? part : most;
        least = part > 0 && part < least ? part : least;
      });
      if (context.count(!finite) > 0) return Outcome::failed;
      most = team.largest(most);
      if (!(most > 0)) return Outcome::passed;
      exponent = -std::ilogb(most);
      constexpr int widest = Limits::max_exponent / 32 * 13;  // as in kernels/jacobi/shared/problem.hpp
      if (context.count(least <= most && std::ilogb(least) + exponent < -widest) > 0) return Outcome::not_supported;
      for (int j = 0; j < n; ++j)
        for (int i = thread; i < m; i += threads)
          G[j * stride + i] = times_power_of_two(T(G[j * stride + i]), exponent);
      team.sync();
      return Outcome::passed;
    }

    PIVOTLAB_DEVICE void refuse(int why) {
      constexpr double nan = Limits::quiet_NaN();
      for (int j = thread; j < n; j += threads) {
        const std::int64_t at = std::int64_t(matrix) * n + j;
        a.values[at] = nan;
        if (a.estimate != nullptr) a.estimate[at] = nan;
        if (a.signs != nullptr) a.signs[at] = 0;
      }
      for (int j = 0; j < n; ++j) {
        for (int i = thread; a.U.data != nullptr && i < m; i += threads)
          a.U.matrix(matrix)[i + j * a.U.stride] = not_a_number<T>();
        for (int i = thread; v_memory != nullptr && i < n; i += threads)
          v_memory[i + j * a.V.stride] = not_a_number<T>();
      }
      if (thread != 0) return;
      a.status[matrix] = why;
      if (a.sweeps != nullptr) a.sweeps[matrix] = 0;
    }

    /// Puts the columns in the order J·‖g_j‖² descending, which saves sweeps, and V accordingly.
    PIVOTLAB_DEVICE void order_columns() {
      for_columns([&](int j, int lane) {
        const double square = squared_norm(j, lane);
        if (j >= 0 && lane == 0) sizes[j] = noise[j] = square;
      });
      team.sync();
      find_places();
      if (thread == 0) exchanges_of(place, n);
      team.sync();
      for (int i = thread; i < m; i += threads)
        for (int j = 0; j < n; ++j)
          if (place[j] != j) exchange(G[j * stride + i], G[place[j] * stride + i]);
      if (thread == 0)
        for (int j = 0; j < n; ++j) exchange(signs[j], signs[place[j]]), exchange(noise[j], noise[place[j]]);
      if (v_memory != nullptr)
        with_v([&](auto& v) {
          for (int i = thread; i < n; i += threads) {
            for (int j = 0; j < n; ++j) v[j * v_stride + i] = T(i == j ? 1.0 : 0.0);
            for (int j = 0; j < n; ++j)
              if (place[j] != j) exchange(v[j * v_stride + i], v[place[j] * v_stride + i]);
          }
        });
      team.sync();
    }

    PIVOTLAB_DEVICE void iterate() {
      constexpr double u = unit_roundoff<double>();
      const JacobiRules<double> rules{square_root(double(m)) * u, square_root(u), true};
      const double negligible = (8 + m) * Limits::epsilon();
      bool orthogonal = n < 2;
      while (!orthogonal && sweeps < a.max_sweeps) {
        const SeenInSweep seen = sweep(rules);
        ++sweeps;
        clear_noise();
        const bool big = context.count(seen.big) > 0;
        const double cosine = team.largest(seen.cosine), tangent = team.largest(seen.tangent);
        orthogonal = !big && cosine * tangent <= negligible;
        if (orthogonal && context.count(seen.clamped) > 0) break;  // parallel columns of different signs
        if (!orthogonal) continue;
        outcome = Outcome::passed;
        return;
      }
      outcome = n < 2 ? Outcome::passed : Outcome::not_converged;
    }

    /// Makes U of G; `sizes` become norms. Columns that are zero are replaced by vectors orthogonal to all others.
    PIVOTLAB_DEVICE void normalize() {
      for_columns([&](int j, int lane) {
        const double norm = square_root(squared_norm(j, lane));
        if (j < 0) return;
        if (lane == 0) sizes[j] = norm;
        for (int i = lane; norm > 0 && i < m; i += lanes)
          G[j * stride + i] = divided_by_real(T(G[j * stride + i]), norm);
      });
      team.sync();
      find_places();
      if (a.U.data == nullptr) return;
      for (int j = 0; j < n; ++j)
        if (sizes[j] == 0) complete_column<lanes>(context, team, G, stride, m, n, j, rows, columns);
    }

    PIVOTLAB_DEVICE void store() {
      const double rounding = unit_roundoff<double>() * square_root(double(n) * sweeps);
      const double zeros = a.zeros == nullptr ? 0 : a.zeros[matrix];
      double unknown[2] = {};  // below these sizes places are not known (kernels/jacobi/shared/problem.hpp)
      for (int j = 0; a.estimate != nullptr && j < n; ++j) {
        const double reach = noise_norm(double(noise[j]));
        double& most = unknown[signs[j] > 0 ? 1 : 0];
        if (sizes[j] <= 2 * reach && most < 10 * reach) most = 10 * reach;
      }
      for_columns([&](int j, int lane) {  // j: place in the result
        const int from = j < 0 ? 0 : place[j];
        double error = a.eigenvalues && a.estimate != nullptr ? factorization_error(j < 0 ? -1 : from, lane) : 0;
        if (j < 0) return;
        if (lane == 0) {
          const std::int64_t at = std::int64_t(matrix) * n + j;
          const double norm = sizes[from], sigma = std::ldexp(norm, -exponent);
          a.values[at] = a.eigenvalues ? (signs[from] * sigma) * sigma + 0.0 : sigma;
          if (a.signs != nullptr) a.signs[at] = signs[from] > 0 ? 1 : -1;
          if (a.estimate != nullptr) {
            const double estimate = 2 * (noise_norm(double(noise[from])) / norm + rounding) + error / norm / norm;
            const double of_zero = a.eigenvalues || noise[from] > 0 ? 1 : 0;
            const bool placed = norm >= unknown[signs[from] > 0 ? 1 : 0] && sigma * sigma >= zeros;
            a.estimate[at] = !(norm > 0) ? of_zero : placed && estimate < 1 ? estimate : 1;
          }
        }
      });
      team.sync();
      if (thread == 0) exchanges_of(place, n);
      team.sync();
      if (a.U.data != nullptr) store_columns<!g_shared>(G, stride, m, a.U);
      if (v_memory != nullptr) with_v([&](auto& v) { store_columns<!v_shared>(v, v_stride, n, a.V); });
      if (thread != 0) return;
      a.status[matrix] = outcome;
      if (a.sweeps != nullptr) a.sweeps[matrix] = sweeps;
    }

   private:
    template <class Function>
    PIVOTLAB_DEVICE void with_v(const Function& f) {
      if constexpr (v_shared)
        f(V);
      else
        f(v_memory);
    }

    /// Sets place[k] to the column that comes k-th by J·size descending.
    PIVOTLAB_DEVICE void find_places() {
      for (int j = thread; j < n; j += threads) {
        const double key = signs[j] * sizes[j];
        int before = 0;
        for (int i = 0; i < n; ++i) {
          const double other = signs[i] * sizes[i];
          const bool equal = other == key && signs[i] == signs[j];
          before += other > key || (other == key && signs[i] > signs[j]) || (equal && i < j);
        }
        place[before] = j;
      }
      team.sync();
    }

    PIVOTLAB_DEVICE auto in_place() {
      if constexpr (v_shared)
        return ColumnsInPlace<Numbers, Shared>{G, stride, V, v_stride};
      else
        return ColumnsInPlace<Numbers, T*>{G, stride, v_memory, v_stride};
    }

    PIVOTLAB_DEVICE SeenInSweep sweep(const JacobiRules<double>& rules) {
      PairTransformations<T, lanes, Context, Doubles> transform(context, m, v_memory == nullptr ? 0 : n, signs, noise,
                                                                rules);
      const int k = thread / lanes;
      if constexpr (most_width > 0)
        if (width > 0) {
          const auto load = [](auto& of_memory, auto& of_tile) { of_tile = of_memory; };
          const auto store = [](auto& of_memory, auto& of_tile) { of_memory = of_tile; };
          sweep_tiles(
              n, width, k, [&](const Tile& tile) { for_tile(tile, load); },
              [&](const Tile& tile, int p, int q) {
                transform(
                    ColumnsInTile<Shared>{tile, g_tile, column_stride<T>(m, lanes), v_tile, column_stride<T>(n, lanes)},
                    p, q, q < n);
                team.sync();
              },
              [&](const Tile& tile) { for_tile(tile, store); });
          return transform.seen;
        }
      sweep_rounds(
          n, pairs, k, [&](int p, int q) { transform(in_place(), p, q, q < n); }, [&] { team.sync(); });
      return transform.seen;
    }

    template <class Move>
    PIVOTLAB_DEVICE void for_tile(const Tile& tile, const Move& move) {
      for_elements_of<threads>(tile, n, m, thread, G, stride, g_tile, column_stride<T>(m, lanes), move);
      if (v_memory != nullptr)
        for_elements_of<threads>(tile, n, n, thread, v_memory, v_stride, v_tile, column_stride<T>(n, lanes), move);
      team.sync();
    }

    /// Sets columns that are not larger than their noise to zero.
    PIVOTLAB_DEVICE void clear_noise() {
      for_columns([&](int j, int lane) {
        const double square = squared_norm(j, lane);
        if (j < 0 || square == 0 || !is_rounding_noise(square, double(noise[j]))) return;
        for (int i = lane; i < m; i += lanes) G[j * stride + i] = T(0);
      });
      team.sync();
    }

    /// Returns ε·‖|G|*·|u_j|‖² of the scaled G: what errors ε·|G|·|G|* change of σ_j².
    PIVOTLAB_DEVICE double factorization_error(int j, int lane) {
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        const T* g = a.G.matrix(matrix) + k * a.G.stride;
        double product = 0;
        if (j >= 0 && (a.J == nullptr || a.J[std::int64_t(matrix) * n + k] != 0))
          for (int i = lane; i < m; i += lanes)
            product = fused(modulus(T(g[i])), modulus(T(G[j * stride + i])), product);
        product = sum_of_lanes<lanes>(context, product);
        sum = fused(product, product, sum);
      }
      return Limits::epsilon() * std::ldexp(1.0, 2 * exponent) * sum;
    }

    /// Exchanges columns j and place[j], and copies the columns to their memory unless they are there.
    template <bool are_there, class Columns>
    PIVOTLAB_DEVICE void store_columns(const Columns& A, int from_stride, int count, const Strided<T>& to) {
      for (int i = thread; i < count; i += threads) {
        for (int j = 0; j < n; ++j)
          if (place[j] != j) exchange(A[j * from_stride + i], A[place[j] * from_stride + i]);
        if constexpr (!are_there)
          for (int j = 0; j < n; ++j) to.matrix(matrix)[i + j * to.stride] = A[j * from_stride + i];
      }
    }
  };
};

}  // namespace pivotlab::batch
