// SPDX-License-Identifier: BSD-3-Clause
// Decomposes many small pairs (F, G), F·Z = U·Σ_F, G·Z = V·Σ_G, one block each: the pointwise one-sided Hari–Zimmermann
// iteration with the rules of kernels/gsvd/shared. Scaling, the level of noise, pairs with equal σ and the bound of
// backward errors are those of gsvd().
//
// A sweep has the order of jacobi_small.hpp. `lanes` adjacent threads transform a pair of columns; each has every
// lanes-th row, so that sums have a fixed order. Up to 512 bytes a row F, G and Z are in shared memory, else in the
// memory of U, V and Z, and their tiles in shared memory.
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/gsvd_pairs.hpp"
#include "kernels/batch/run.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/batch/team.hpp"
#include "kernels/gsvd/shared/column_values.hpp"
#include "kernels/gsvd/shared/convergence.hpp"
#include "kernels/gsvd/shared/residue.hpp"
#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/gsvd/shared/weights.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace pivotlab::batch {

/// Grid: one block per pair, F m_F × n, G m_G × n, n ≤ largest. Shared memory: the team's scratch, F, G, Z, two
/// vectors; for each column two norms and σ, the exponent of its scaling, and its place.
template <class T, int largest>
struct GsvdSmall {
  using Arguments = GsvdArguments<T>;
  static constexpr bool in_shared = largest * sizeof(T) <= 512;
  static constexpr int most_width = in_shared ? 0 : 16 * 1024 / (largest * static_cast<int>(sizeof(T)));
  static constexpr int lanes = in_shared ? (largest == 32 ? 2 : 4) : most_width == 4 ? 32 : 256 / most_width;
  static constexpr int threads = in_shared ? largest / 2 * lanes : most_width * lanes, pairs = threads / lanes;
  static constexpr int min_blocks = in_shared ? 1 : 2;

  static int shared_bytes(const Arguments& a) {
    const int width = width_of(a);
    return bytes_of_vectors(a) + number * elements_of_column(a) * (in_shared ? a.n : 2 * width);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    for (bool confirmed = false;; confirmed = true) {
      if (!run.load()) return run.refuse();
      if (!run.examine(run.decompose())) return run.refuse();
      if (confirmed || !run.in_doubt) break;
      if (run.is_dependent_exactly()) return run.refuse();  // in the memory of G·Z, which is computed again
    }
    if (!run.extract()) return run.refuse();
    run.store();
  }

 private:
  using Limits = std::numeric_limits<double>;
  static constexpr int number = sizeof(T), scratch_bytes = 16 * (threads / warp_size);

  PIVOTLAB_DEVICE static constexpr int elements_of_column(const Arguments& a) {
    return column_stride<T>(a.m_f, lanes) + column_stride<T>(a.m_g, lanes) + column_stride<T>(a.n, lanes);
  }
  PIVOTLAB_DEVICE static constexpr int bytes_of_vectors(const Arguments& a) {
    return scratch_bytes + number * (a.m_f + a.n) + 24 * a.n + 8 * a.n;
  }
  /// Returns the columns of a group of a tile; 0 if there are no tiles, or they do not fit.
  PIVOTLAB_DEVICE static constexpr int width_of(const Arguments& a) {
    int width = most_width;
    while (width > 0 && bytes_of_vectors(a) + 2 * width * number * elements_of_column(a) > most_shared_bytes)
      width /= 2;
    return width;
  }

  template <class Context>
  struct Run {
    using Integers = decltype(std::declval<Context&>().template shared<int>(0, 1));
    using Doubles = decltype(std::declval<Context&>().template shared<double>(0, 1));
    using Shared = decltype(std::declval<Context&>().template shared<T>(0, 1));
    using Numbers = std::conditional_t<in_shared, Shared, T*>;

    /// A of the pair: A·Z by columns, and the given elements.
    struct Factor {
      Numbers columns;
      int stride, rows;
      Shared tile;
      Doubles norms;  ///< of the given columns, scaled; in extract() of A·Z
      const T* given;
      std::int64_t given_stride;
      int exponent = 0;  ///< of the scaling of all columns

      PIVOTLAB_DEVICE Numbers column(int j) const { return columns + std::int64_t(j) * stride; }
    };

    Context& context;
    const Arguments& a;
    const int n, thread, matrix, width;
    Team<Context, threads> team;
    Factor F, G;
    Numbers Z;
    Shared z_tile;
    int z_stride;
    Shared rows, columns;  // vectors of length m_F and n
    Doubles sigma;
    Integers exponents, place;  // exponents: of the scaling of a column of F and G
    bool scaling = false, in_doubt = false;
    int outcome = Outcome::passed;

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          n(a.n),
          thread(context.thread()),
          matrix(context.block()),
          width(width_of(a)),
          team(context, 0) {
      int at = scratch_bytes;
      const auto place_of = [&](const Strided<T>& result, int m, Numbers& data, int& stride) {
        if constexpr (in_shared)
          stride = column_stride<T>(m, lanes), data = take<T>(at, n * stride);
        else
          stride = int(result.stride), data = result.matrix(matrix);
      };
      place_of(a.U, a.m_f, F.columns, F.stride), place_of(a.V, a.m_g, G.columns, G.stride);
      place_of(a.Z, n, Z, z_stride);
      rows = take<T>(at, a.m_f), columns = take<T>(at, n);
      F.norms = take<double>(at, n), G.norms = take<double>(at, n), sigma = take<double>(at, n);
      exponents = take<int>(at, n), place = take<int>(at, n);
      if constexpr (!in_shared) {
        F.tile = take<T>(at, 2 * width * column_stride<T>(a.m_f, lanes));
        G.tile = take<T>(at, 2 * width * column_stride<T>(a.m_g, lanes));
        z_tile = take<T>(at, 2 * width * column_stride<T>(n, lanes));
      }
      F.rows = a.m_f, G.rows = a.m_g;
      F.given = a.F.matrix(matrix), G.given = a.G.matrix(matrix);
      F.given_stride = a.F.stride, G.given_stride = a.G.stride;
    }

    /// Loads F and G, scaled by powers of two if they are extreme, and Z = I. Returns whether they are finite, no
    /// column of G is zero, and the columns of F, relative to those of G, differ by 2^256 at most.
    PIVOTLAB_DEVICE bool load() {
      bool finite = true;
      for_columns([&](int j, int lane) { find_largest(F, j, lane, finite), find_largest(G, j, lane, finite); });
      if (context.count(!finite) > 0) return false;
      if (!find_scaling()) return false;
      for_columns([&](int j, int lane) {
        if (j < 0) return;
        for (int i = lane; i < F.rows; i += lanes) F.column(j)[i] = given(F, i, j);
        for (int i = lane; i < G.rows; i += lanes) G.column(j)[i] = given(G, i, j);
        for (int i = lane; i < n; i += lanes) z(j)[i] = T(i == j ? 1.0 : 0.0);
      });
      team.sync();
      find_norms(F), find_norms(G);
      team.sync();
      return true;
    }

    PIVOTLAB_DEVICE void refuse() {
      team.sync();
      for (int j = thread; j < n; j += threads) {
        const std::int64_t at = std::int64_t(matrix) * n + j;
        a.sigma[at] = a.sigma_f[at] = a.sigma_g[at] = Limits::quiet_NaN();
      }
      const auto fill = [&](const Strided<T>& A, int m) {
        for (int j = 0; j < n; ++j)
          for (int i = thread; i < m; i += threads) A.matrix(matrix)[i + j * A.stride] = not_a_number<T>();
      };
      fill(a.U, F.rows), fill(a.V, G.rows), fill(a.Z, n);
      if (thread == 0) a.status[matrix] = Outcome::failed;
    }

    /// Makes the columns of F and of G orthogonal. Returns whether the iteration has converged. With many equal σ it
    /// may be slow. Then rows of F are weighted until G has orthogonal columns, and what is left without weights are
    /// rotations.
    PIVOTLAB_DEVICE bool decompose() {
      if (!is_multiple() && iterate((a.max_sweeps + 1) / 2)) return true;
      weight_rows([](double x) { return x; });
      const bool first = iterate(a.max_sweeps);
      weight_rows([](double x) { return 1 / x; });
      if (iterate(a.max_sweeps)) return first;
      // Rotations of columns that are orthogonal up to rounding errors need not end.
      find_norms(F), find_norms(G);
      team.sync();
      double least = F.norms[0] / G.norms[0], most = least;
      for (int j = 1; j < n; ++j) {
        const double x = F.norms[j] / G.norms[j];
        least = x < least ? x : least, most = most < x ? x : most;
      }
      team.sync();
      for_columns([&](int j, int lane) { norm_of_given(F, j, lane), norm_of_given(G, j, lane); });
      team.sync();
      return first && most - least <= square_root(Limits::epsilon()) * most;
    }

    /// Finds the status. Returns false if columns of G are dependent up to rounding errors; they may be where that is
    /// `in_doubt`, because errors of an element of G·Z are relative to elements before the last transformations.
    PIVOTLAB_DEVICE bool examine(bool converged) {
      bool deficient = false, near = false, inaccurate = false;
      for_columns([&](int j, int lane) {
        deficient |= is_dependent(G, j, lane, near);
        inaccurate |= !has_small_error(F, j, lane);
        inaccurate |= !has_small_error(G, j, lane);
      });
      const bool any = context.count(deficient) > 0, wrong = context.count(inaccurate) > 0;
      in_doubt = context.count(near) > 0;
      outcome = !converged ? Outcome::not_converged : wrong ? Outcome::incorrect : Outcome::passed;
      return !any;
    }

    /// Returns whether columns of the given G are dependent, by elimination modulo a prime, in the memory of G·Z.
    PIVOTLAB_DEVICE bool is_dependent_exactly() {
      team.sync();
      for_columns([&](int j, int lane) {
        for (int i = lane; j >= 0 && i < G.rows; i += lanes)
          G.column(j)[i] = bits_of(Number::of(G.given[i + j * G.given_stride]));
      });
      team.sync();
      for (int k = 0; k < n; ++k) {
        int row = k;
        while (row < G.rows && residue(k, row).is_zero()) ++row;
        if (row == G.rows) return true;
        const Number inverse = residue(k, row).inverse();
        for_columns([&](int j, int lane) {
          Number factor, first;
          if (j > k) factor = residue(j, row) * inverse, first = residue(j, k);
          team.sync();  // row k of column j goes to `row`
          for (int i = k + 1 + lane; j > k && i < G.rows; i += lanes)
            G.column(j)[i] =
                bits_of(i == row ? first - factor * residue(k, k) : residue(j, i) - factor * residue(k, i));
        });
        team.sync();
      }
      return false;
    }

    /// Makes U, V and Σ. Returns whether all numbers are in the range of double.
    PIVOTLAB_DEVICE bool extract() {
      if (scaling && loses_digits()) outcome = outcome == Outcome::passed ? Outcome::incorrect : outcome;
      find_norms(F), find_norms(G);
      team.sync();
      for (int j = thread; j < n; j += threads)
        if (is_null_column(double(F.norms[j]), double(G.norms[j]))) F.norms[j] = 0;
      team.sync();
      bool in_range = true;
      for_columns([&](int j, int lane) {
        if (j < 0) return;
        const double scaled_f = F.norms[j], g = G.norms[j];
        const auto values = values_of_column(scaled_f, g, F.exponent);
        for (int i = lane; i < F.rows; i += lanes)
          F.column(j)[i] = scaled_f > 0 ? divided_by_real(T(F.column(j)[i]), scaled_f) : T(0.0);
        for (int i = lane; i < G.rows; i += lanes) G.column(j)[i] = divided_by_real(T(G.column(j)[i]), g);
        for (int i = lane; i < n; i += lanes) {
          const T x = times_real(T(z(j)[i]), values.factor);
          z(j)[i] = scaling ? times_power_of_two(x, exponents[i] + values.exponent) : x;
          in_range &= is_in_range(T(z(j)[i]));
        }
        in_range &= values.sigma <= Limits::max();
        if (lane == 0) sigma[j] = values.sigma;
      });
      team.sync();
      return context.count(!in_range) == 0;
    }

    /// Stores everything in the order of descending σ.
    PIVOTLAB_DEVICE void store() {
      for (int j = 0; j < n; ++j)
        if (F.norms[j] == 0) complete_column<lanes>(context, team, F.columns, F.stride, F.rows, n, j, rows, columns);
      for (int j = thread; j < n; j += threads) {
        int before = 0;
        for (int i = 0; i < n; ++i) before += sigma[i] > sigma[j] || (sigma[i] == sigma[j] && i < j);
        place[before] = j;
        const std::int64_t at = std::int64_t(matrix) * n + before;
        const auto values = values_of_column(double(F.norms[j]), double(G.norms[j]), F.exponent);
        a.sigma[at] = sigma[j], a.sigma_f[at] = values.sigma_f, a.sigma_g[at] = values.sigma_g;
      }
      team.sync();
      if (thread == 0) exchanges_of(place, n);
      team.sync();
      store_columns(F.columns, F.stride, F.rows, a.U), store_columns(G.columns, G.stride, G.rows, a.V);
      store_columns(Z, z_stride, n, a.Z);
      if (thread == 0) a.status[matrix] = outcome;
    }

   private:
    template <class Element>
    PIVOTLAB_DEVICE auto take(int& at, int count) {
      auto array = context.template shared<Element>(at, count);
      at += int(sizeof(Element)) * count;
      return array;
    }

    using Number = modular::Field<T>;
    PIVOTLAB_DEVICE Number residue(int j, int i) const { return std::bit_cast<Number>(T(G.column(j)[i])); }
    PIVOTLAB_DEVICE static T bits_of(const Number& x) { return std::bit_cast<T>(x); }

    PIVOTLAB_DEVICE Numbers z(int j) const { return Z + std::int64_t(j) * z_stride; }

    /// Calls f(j, lane) for all columns, `pairs` of them at once; all threads call it equally often, with j = −1 if
    /// there is no column left.
    template <class Function>
    PIVOTLAB_DEVICE void for_columns(const Function& f) {
      for (int first = 0; first < n; first += pairs) {
        const int j = first + thread / lanes;
        f(j < n ? j : -1, thread % lanes);
      }
    }

    PIVOTLAB_DEVICE T given(const Factor& A, int i, int j) const {
      const T x = A.given[i + j * A.given_stride];
      return scaling ? times_power_of_two(x, exponents[j] + A.exponent) : x;
    }

    /// Sets the norm of a column to its largest real or imaginary part.
    PIVOTLAB_DEVICE void find_largest(const Factor& A, int j, int lane, bool& finite) {
      double most = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) {
        const T x = A.given[i + j * A.given_stride];
        const double re = absolute(real_part(x)), im = absolute(imaginary_part(x)), larger = re < im ? im : re;
        finite &= re <= Limits::max() && im <= Limits::max();
        most = most < larger ? larger : most;
      }
      most = largest_of_lanes<lanes>(context, most);
      if (j >= 0 && lane == 0) A.norms[j] = most;
    }

    /// As in kernels/gsvd/shared/pair.hpp.
    PIVOTLAB_DEVICE bool find_scaling() {
      constexpr int safe = Limits::max_exponent / 4;
      team.sync();
      int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
      bool good = true;
      for (int j = 0; j < n; ++j) {
        const double f = F.norms[j], g = G.norms[j];
        good &= g > 0;
        const int of_g = g > 0 ? std::ilogb(g) : 0, of_f = f > 0 ? std::ilogb(f) : 0;
        scaling |= of_g > safe || of_g < -safe || of_f > safe || of_f < -safe;
        if (thread == j % threads) exponents[j] = -of_g;
        if (!(f > 0)) continue;
        scaling |= of_f - of_g > safe || of_f - of_g < -safe;
        least = of_f - of_g < least ? of_f - of_g : least, most = most < of_f - of_g ? of_f - of_g : most;
      }
      if (scaling && least <= most) F.exponent = -most;
      team.sync();
      return good && (least > most || most - least <= safe);
    }

    PIVOTLAB_DEVICE double norm_of_column(const Factor& A, int j, int lane) {
      double square = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) square += squared_magnitude(T(A.column(j)[i]));
      return square_root(sum_of_lanes<lanes>(context, square));
    }

    PIVOTLAB_DEVICE void find_norms(const Factor& A) {
      for_columns([&](int j, int lane) {
        const double norm = norm_of_column(A, j, lane);
        if (j >= 0 && lane == 0) A.norms[j] = norm;
      });
    }

    PIVOTLAB_DEVICE void norm_of_given(const Factor& A, int j, int lane) {
      double square = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) square += squared_magnitude(given(A, i, j));
      square = sum_of_lanes<lanes>(context, square);
      if (j >= 0 && lane == 0) A.norms[j] = square_root(square);
    }

    /// As in kernels/gsvd/shared/multiple.hpp.
    PIVOTLAB_DEVICE bool is_multiple() {
      const double f0 = F.norms[0] * F.norms[0], g0 = G.norms[0] * G.norms[0];
      const double tolerance = (F.rows + G.rows) * Limits::epsilon();
      bool differs = !(f0 > 0) || n < 2, orthogonal = true;
      for_columns([&](int j, int lane) {
        const bool exists = j > 0;
        const int before = exists ? j - 1 : 0, own = exists ? j : 0;
        const auto of_neighbours = [&](const Factor& A) {
          return products_of_pair<T, lanes>(context, A.column(before), A.column(own), A.rows, lane, exists);
        };
        const auto f = of_neighbours(F), g = of_neighbours(G);
        if (!exists) return;
        const double size = square_root(g.xx) * square_root(g.yy);
        const auto agrees = [&](double x, double y, double limit) {
          return absolute(x / f0 - y / g0) <= tolerance * (limit / g0);
        };
        differs |= !agrees(f.yy, g.yy, g.yy) || !agrees(f.xy_re, g.xy_re, size) || !agrees(f.xy_im, g.xy_im, size);
        orthogonal &= absolute(g.xy_re) + absolute(g.xy_im) <= tolerance * size;
      });
      const bool any_differs = context.count(differs) > 0;
      return context.count(!orthogonal) > 0 && !any_differs;
    }

    template <class Function>
    PIVOTLAB_DEVICE void weight_rows(const Function& factor) {
      for_columns([&](int j, int lane) {
        for (int i = lane; j >= 0 && i < F.rows; i += lanes)
          F.column(j)[i] = times_real(T(F.column(j)[i]), factor(gsvd_detail::weight<double>(i)));
      });
      team.sync();
    }

    PIVOTLAB_DEVICE bool iterate(int most_sweeps) {
      const PairRules<double> rules{square_root(double(n)) * unit_roundoff<double>(),
                                    square_root(unit_roundoff<double>()), true};
      for (int sweeps = 0, quiet = 0; sweeps < most_sweeps; ++sweeps) {
        const SeenInPairs own = sweep(rules);
        for_columns([&](int j, int lane) {
          const bool noise = is_noise(F, j, lane);
          for (int i = lane; noise && i < F.rows; i += lanes) F.column(j)[i] = T(0);
        });
        team.sync();
        quiet = context.count(own.big) == 0 ? quiet + 1 : 0;
        if (quiet == 0) continue;  // shared/convergence.hpp says why exchanges count
        const bool exchanged = context.count(own.exchanged) > 0, transformed = context.count(own.transformed) > 0;
        if (!exchanged || (transformed && quiet >= gsvd_detail::most_quiet_sweeps)) return true;
      }
      return false;
    }

    /// Transforms each pair of columns once. Returns what this thread has done.
    PIVOTLAB_DEVICE SeenInPairs sweep(const PairRules<double>& rules) {
      HariZimmermannSteps<T, lanes, Context> transform(context, F.rows, G.rows, n, rules);
      const int k = thread / lanes;
      if constexpr (!in_shared)
        if (width > 0) {
          const auto load = [](auto& of_memory, auto& of_tile) { of_tile = of_memory; };
          const auto store = [](auto& of_memory, auto& of_tile) { of_memory = of_tile; };
          sweep_tiles(
              n, width, k, [&](const Tile& tile) { for_tile(tile, load); },
              [&](const Tile& tile, int p, int q) {
                transform(in_tile(tile, F.tile, F.rows), in_tile(tile, G.tile, G.rows), in_tile(tile, z_tile, n), p, q,
                          q < n);
                team.sync();
              },
              [&](const Tile& tile) { for_tile(tile, store); });
          return transform.seen;
        }
      const auto f = [&](int j) { return F.column(j); };
      const auto g = [&](int j) { return G.column(j); };
      const auto own_z = [&](int j) { return z(j); };
      sweep_rounds(
          n, pairs, k, [&](int p, int q) { transform(f, g, own_z, p, q, q < n); }, [&] { team.sync(); });
      return transform.seen;
    }
    /// Returns the function that gives the columns of a matrix in a tile.
    PIVOTLAB_DEVICE static auto in_tile(const Tile& tile, const Shared& of_tile, int rows) {
      return [tile, of_tile, stride = column_stride<T>(rows, lanes)](int j) { return of_tile + tile.slot(j) * stride; };
    }
    template <class Move>
    PIVOTLAB_DEVICE void for_tile(const Tile& tile, const Move& move) {
      const auto move_all = [&](const auto& memory, int stride, const Shared& of_tile, int m) {
        for_elements_of<threads>(tile, n, m, thread, memory, stride, of_tile, column_stride<T>(m, lanes), move);
      };
      move_all(F.columns, F.stride, F.tile, F.rows), move_all(G.columns, G.stride, G.tile, G.rows);
      move_all(Z, z_stride, z_tile, n);
      team.sync();
    }

    PIVOTLAB_DEVICE double level(const Factor& A) const { return (A.rows < n ? n : A.rows) * Limits::epsilon(); }

    /// Returns Σ_k ‖a_k‖·|z_kj| of the given columns.
    PIVOTLAB_DEVICE double weight(const Factor& A, int j, int lane) {
      double sum = 0;
      for (int k = lane; j >= 0 && k < n; k += lanes) sum = fused(double(A.norms[k]), modulus(T(z(j)[k])), sum);
      return sum_of_lanes<lanes>(context, sum);
    }

    /// Returns whether |y_i| ≤ max(m, n)·ε·(|A|·|z_j|)_i for every i, y = A·z_j: whether it consists of rounding
    /// errors.
    PIVOTLAB_DEVICE bool is_noise(const Factor& A, int j, int lane) {
      const double bound = level(A) * weight(A, j, lane);
      double most = 0, above = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) {
        const double size = modulus(T(A.column(j)[i]));
        most = most < size ? size : most;
      }
      most = largest_of_lanes<lanes>(context, most);
      const bool possible = j >= 0 && most <= bound;
      for (int i = lane; possible && i < A.rows; i += lanes) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum = fused(modulus(given(A, i, k)), modulus(T(z(j)[k])), sum);
        if (modulus(T(A.column(j)[i])) > level(A) * sum) above = 1;
      }
      return sum_of_lanes<lanes>(context, above) == 0 && possible;
    }

    /// Returns whether columns of A are dependent up to rounding errors by z_j, as kernels/gsvd/shared/noise.hpp does.
    /// Sets `near` if A·z_j is within their reach, or NaN.
    PIVOTLAB_DEVICE bool is_dependent(const Factor& A, int j, int lane, bool& near) {
      const double small = dependence_reach * level(A) * weight(A, j, lane);
      double most = 0, above = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) {
        const double size = modulus(T(A.column(j)[i]));
        most = most < size ? size : most;
      }
      most = largest_of_lanes<lanes>(context, most);
      const bool possible = j >= 0 && !(most > small);
      near |= possible;
      for (int i = lane; possible && i < A.rows; i += lanes) {
        T rest = A.column(j)[i];
        double sum = 0;
        for (int k = 0; k < n; ++k) {
          const T x = given(A, i, k), y = z(j)[k];
          if (A.norms[k] * modulus(y) <= small)
            rest = multiply_add(negated(x), y, rest);
          else
            sum = fused(modulus(x), modulus(y), sum);
        }
        if (modulus(rest) > level(A) * sum) above = 1;
      }
      return sum_of_lanes<lanes>(context, above) == 0 && possible;
    }

    /// Returns whether the backward error ‖A·z_j − y‖/Σ_k ‖a_k‖·|z_kj| is below the judge's bound.
    PIVOTLAB_DEVICE bool has_small_error(const Factor& A, int j, int lane) {
      constexpr double bound = 20 * 0.95;  // as in kernels/gsvd/gsvd.hpp
      double square = 0;
      for (int i = lane; j >= 0 && i < A.rows; i += lanes) {
        T sum = negated(T(A.column(j)[i]));
        for (int k = 0; k < n; ++k) sum = multiply_add(given(A, i, k), T(z(j)[k]), sum);
        square += squared_magnitude(sum);
      }
      const double error = square_root(sum_of_lanes<lanes>(context, square)), size = weight(A, j, lane);
      return j < 0 || error <= bound * level(A) * size;
    }

    /// Returns whether elements of Z underflow without the scaling, so that backward errors may exceed their bound.
    PIVOTLAB_DEVICE bool loses_digits() {
      bool lost = false;
      for_columns([&](int j, int lane) {
        const double f = norm_of_column(F, j, lane), g = norm_of_column(G, j, lane);
        const auto values = values_of_column(is_null_column(f, g) ? 0.0 : f, g, F.exponent);
        for (const Factor* A : {&F, &G}) {
          double loss = 0;
          for (int k = lane; j >= 0 && k < n; k += lanes) {
            const T x = times_real(T(z(j)[k]), values.factor);
            const int exponent = exponents[k] + values.exponent;
            loss = fused(double(A->norms[k]),
                         modulus(difference(x, times_power_of_two(times_power_of_two(x, exponent), -exponent))), loss);
          }
          loss = sum_of_lanes<lanes>(context, loss);
          lost |= loss > level(*A) * (weight(*A, j, lane) * values.factor);
        }
      });
      return context.count(lost) > 0;
    }

    /// Does the exchanges of columns j and place[j], and copies the columns to their memory.
    PIVOTLAB_DEVICE void store_columns(const Numbers& A, int stride, int m, const Strided<T>& to) {
      for (int i = thread; i < m; i += threads) {
        for (int j = 0; j < n; ++j)
          if (place[j] != j) exchange(A[j * stride + i], A[place[j] * stride + i]);
        if constexpr (in_shared)
          for (int j = 0; j < n; ++j) to.matrix(matrix)[i + j * to.stride] = A[j * stride + i];
      }
    }
  };
};

}  // namespace pivotlab::batch
