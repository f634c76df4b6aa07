// SPDX-License-Identifier: BSD-3-Clause
// Factors many small symmetric or Hermitian matrices, P·A·Pᵀ = M·D·M*, one block each: the stages of
// kernels/ldlt/host/factorizer.hpp on the lower triangle in shared memory, with the same arithmetic.
//
// Thread t has row t mod `largest`, and of it the columns j = ⌊t/largest⌋ modulo the number of threads per row. Threads
// of a warp have adjacent rows, so that they access adjacent words of the packed columns.
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/pivot_noise.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

namespace pivotlab::batch {

/// The lower triangle of a matrix of order n by columns, packed or not: element (i, j), i ≥ j, is array[column(j) + i].
template <bool packed>
struct TriangleColumns {
  int n, stride;
  PIVOTLAB_DEVICE int column(int j) const { return packed ? j * n - j * (j + 1) / 2 : j * stride; }
  /// column(j + 1) − column(j)
  PIVOTLAB_DEVICE int step(int j) const { return packed ? n - 1 - j : stride; }
};

/// Grid: one block per matrix, of order n ≤ largest. Shared memory: the team's scratch, the triangle up to order 128
/// (else it is in the memory of M), the subdiagonal of D, two columns of C*, the sums of the noise test, the
/// permutation.
template <class T, int largest>
struct FactorSmall {
  using Arguments = FactorArguments<T>;
  static constexpr int threads = largest < 64 ? 32 : 2 * largest, min_blocks = 1;
  static constexpr int threads_of_row = threads / largest;
  static constexpr bool in_shared = largest <= 128;

  static int shared_bytes(int n) { return noise_at(n) + 32 * n + 4 * n; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    if (!run.load()) return run.refuse();
    run.eliminate();
    run.clear_noise_and_store();
  }

 private:
  static constexpr int scratch_bytes = 16 * (threads / warp_size);
  static constexpr int number = sizeof(T);
  PIVOTLAB_DEVICE static int subdiagonal_at(int n) {
    return scratch_bytes + (in_shared ? number * (n * (n + 1) / 2) : 0);
  }
  PIVOTLAB_DEVICE static int w_at(int n) { return subdiagonal_at(n) + number * n; }
  PIVOTLAB_DEVICE static int noise_at(int n) { return w_at(n) + 2 * number * n; }

  template <class Context>
  struct Run {
    using Shared = decltype(std::declval<Context&>().template shared<T>(0, 1));
    using Numbers = std::conditional_t<in_shared, Shared, T*>;
    using Integers = decltype(std::declval<Context&>().template shared<int>(0, 1));
    using BlockTeam = Team<Context, threads>;

    Context& context;
    const Arguments& a;
    const int n, own, group, matrix;
    const TriangleColumns<in_shared> columns;
    BlockTeam team;
    Numbers A;
    Shared off, w1, w2;  // off: the subdiagonal of D
    Integers permutation;
    LargestAt own_largest;  // off the diagonal in this thread's part of the reduced matrix
    int exponent = 0;
    bool lossy = false;  // scaling has rounded elements that underflow

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          n(a.n),
          own(context.thread() % largest),
          group(context.thread() / largest),
          matrix(context.block()),
          columns{a.n, int(a.M.stride)},
          team(context, 0),
          A(triangle()),
          off(context.template shared<T>(subdiagonal_at(n), n)),
          w1(context.template shared<T>(w_at(n), n)),
          w2(context.template shared<T>(w_at(n) + number * n, n)),
          permutation(context.template shared<int>(noise_at(n) + 32 * n, n)) {}

    PIVOTLAB_DEVICE Numbers triangle() {
      if constexpr (in_shared)
        return context.template shared<T>(scratch_bytes, n * (n + 1) / 2);
      else
        return a.M.matrix(matrix);
    }

    // The interface of PivotNoise.
    PIVOTLAB_DEVICE int row() const { return group == 0 && own < n ? own : -1; }
    PIVOTLAB_DEVICE int size(int k) const { return k + 1 < n && off[k] != T(0) ? 2 : 1; }
    PIVOTLAB_DEVICE T& M(int i, int j) const { return A[columns.column(j) + i]; }
    PIVOTLAB_DEVICE T& diagonal(int j) const { return M(j, j); }
    PIVOTLAB_DEVICE T& subdiagonal(int j) const { return off[j]; }

    /// Loads the triangle, and scales extreme elements to about 1. Returns whether the matrix is finite and Hermitian.
    PIVOTLAB_DEVICE bool load() {
      const T* from = a.A.matrix(matrix);
      const bool upper = a.triangle == Triangle::upper;
      bool good = true;
      double most = 0;
#pragma unroll 4
      for (int j = group; j < n; j += threads_of_row) {
        if (own < j || own >= n) continue;
        const T x = upper ? conjugate(from[j + own * a.A.stride]) : from[own + j * a.A.stride];
        if (a.triangle == Triangle::whole) good &= x == conjugate(from[j + own * a.A.stride]);
        if (own == j) good &= x == conjugate(x);
        M(own, j) = own == j ? ldlt_detail::on_diagonal<true>(x) : x;
        const double size = modulus(x);
        good &= size <= std::numeric_limits<double>::max();
        most = most < size ? size : most;
      }
      if (row() >= 0) permutation[own] = own, off[own] = T(0);
      if (context.count(!good) > 0) return false;
      most = team.largest(most);
      constexpr int extreme = std::numeric_limits<double>::max_exponent / 4;
      if (const int size = most > 0 ? std::ilogb(most) : 0; size > extreme || size < -extreme) {
        exponent = -(size & ~1);
        for (int j = group; j < n; j += threads_of_row) {
          if (own < j || own >= n) continue;
          const T x = M(own, j), y = times_power_of_two(x, exponent);
          lossy |= !(times_power_of_two(y, -exponent) == x);
          M(own, j) = y;
        }
        lossy = context.count(lossy) > 0;
      }
      note_largest();
      team.sync();
      return true;
    }

    /// Stores NaN and the status of a matrix that is not factored.
    PIVOTLAB_DEVICE void refuse() {
      T* to = a.M.matrix(matrix);
      for (int j = group; j < n; j += threads_of_row)
        if (own < n) to[own + j * a.M.stride] = not_a_number<T>();
      if (const int i = row(); i >= 0) {
        a.diagonal[at(i)] = a.subdiagonal[at(i)] = not_a_number<T>();
        a.permutation[at(i)] = i;
      }
      if (context.thread() < 3) a.inertia[3 * std::int64_t(matrix) + context.thread()] = 0;
      if (context.thread() != 0) return;
      if (a.doubtful != nullptr) a.doubtful[matrix] = 0;
      a.status[matrix] = Outcome::failed;
    }

    PIVOTLAB_DEVICE void eliminate() {
      for (int k = 0; k < n;) {
        int size = 1, first = k, second = 0;
        if (a.rule.pivoting == Pivoting::complete) {
          if (!search_all(k, size, first, second)) return;
        } else {
          search_columns(k, size, first, second);
        }
        interchange(k, first);
        if (size == 2) interchange(k + 1, second);
        if (size == 2)
          eliminate_2x2(k);
        else
          eliminate_1x1(k);
        k += size;
      }
    }

    PIVOTLAB_DEVICE void clear_noise_and_store() {
      PivotNoise<Context, BlockTeam, Run> noise(context, team, *this, noise_at(n), lossy);
      const int doubtful = noise.clear();
      store(doubtful, noise.size_of_zeros());
    }

    PIVOTLAB_DEVICE void store(int doubtful, double zeros) {
      const int i = row();
      int sign = 0;
      bool in_range = true;
      if (i >= 0) {
        const T d = times_power_of_two(diagonal(i), -exponent), b = times_power_of_two(off[i], -exponent);
        in_range = times_power_of_two(d, exponent) == diagonal(i) && times_power_of_two(b, exponent) == off[i];
        a.diagonal[at(i)] = d, a.subdiagonal[at(i)] = b;
        a.permutation[at(i)] = permutation[i];
        // A block of order 2 has an eigenvalue of each sign.
        const double x = real_part(diagonal(i));
        sign = size(i) == 2 ? 1 : i > 0 && size(i - 1) == 2 ? -1 : x > 0 ? 1 : x < 0 ? -1 : 0;
      }
      const int positive = context.count(sign > 0), negative = context.count(sign < 0);
      if (context.count(!in_range) > 0) return refuse();
      T* to = a.M.matrix(matrix);
      for (int j = group; j < n; j += threads_of_row)
        if (own < n) to[own + j * a.M.stride] = own > j ? M(own, j) : own == j ? T(1) : T(0);
      if (context.thread() != 0) return;
      int* inertia = a.inertia + 3 * std::int64_t(matrix);
      inertia[0] = positive, inertia[1] = negative, inertia[2] = n - positive - negative;
      if (a.doubtful != nullptr) a.doubtful[matrix] = doubtful;
      if (a.zeros != nullptr) a.zeros[matrix] = std::ldexp(zeros, -exponent);
      a.status[matrix] = Outcome::passed;
    }

   private:
    PIVOTLAB_DEVICE std::int64_t at(int i) const {
      return std::int64_t(matrix) * n + i;
    }

    /// The place of an element off the diagonal: the least column, then the least row is first.
    PIVOTLAB_DEVICE void note(double size, int i, int j) {
      own_largest.consider(size, j * largest + i);
    }

    PIVOTLAB_DEVICE void note_largest() {
      own_largest = {};
      for (int j = group; j < own && own < n; j += threads_of_row) note(modulus(M(own, j)), own, j);
    }

    /// Algorithm 2. Returns whether the reduced matrix is not zero.
    PIVOTLAB_DEVICE bool search_all(int k, int& size, int& first, int& second) {
      LargestAt on_diagonal;
      if (const int i = row(); i >= k) on_diagonal = {modulus(diagonal(i)), i};
      on_diagonal = team.largest(on_diagonal);
      const LargestAt beside = team.largest(own_largest);
      if (on_diagonal.size == 0 && beside.size == 0) return false;
      if (a.rule.decide({on_diagonal.size, beside.size}) == ldlt_detail::PivotDecision::pivot_1x1) {
        first = on_diagonal.place;
      } else {
        size = 2, first = beside.place / largest, second = beside.place % largest;
      }
      return true;
    }

    /// Returns the largest off-diagonal element of row r of the reduced matrix from k on, in the least column.
    PIVOTLAB_DEVICE LargestAt largest_in_row(int k, int r) {
      LargestAt found;
      if (const int i = row(); i >= k && i != r) found = {modulus(i < r ? M(r, i) : M(i, r)), i};
      return team.largest(found);
    }

    /// Algorithms 3 and 4.
    PIVOTLAB_DEVICE void search_columns(int k, int& size, int& first, int& second) {
      using ldlt_detail::PivotDecision;
      int previous = k, latest = k;
      LargestAt found = largest_in_row(k, k);
      ldlt_detail::ColumnModuli<double> moduli{modulus(diagonal(k)), found.size};
      PivotDecision decision = a.rule.decide(moduli);
      while (decision == PivotDecision::continue_search) {
        const auto previous_moduli = moduli;
        previous = latest, latest = found.place;
        found = largest_in_row(k, latest);
        moduli = {modulus(diagonal(latest)), found.size};
        decision = a.rule.decide(previous_moduli, moduli);
      }
      if (decision == PivotDecision::pivot_2x2)
        size = 2, first = previous, second = latest;
      else
        first = decision == PivotDecision::pivot_1x1 ? latest : previous;
    }

    /// Interchanges rows and columns p and q, also in M.
    PIVOTLAB_DEVICE void interchange(int p, int q) {
      if (p == q) return;
      if (p > q) exchange(p, q);
      team.sync();
      if (const int i = row(); i >= 0) {
        if (i < p) {
          exchange(M(p, i), M(q, i));
        } else if (i > q) {
          exchange(M(i, p), M(i, q));
        } else if (i == p) {
          exchange(diagonal(p), diagonal(q));
          exchange(permutation[p], permutation[q]);
        } else if (i == q) {
          M(q, p) = conjugate(M(q, p));
        } else {
          const T moved = conjugate(M(i, p));
          M(i, p) = conjugate(M(q, i));
          M(q, i) = moved;
        }
      }
      team.sync();
    }

    template <class Number>
    PIVOTLAB_DEVICE static void exchange(Number& x, Number& y) {
      const Number old = x;
      x = y, y = old;
    }

    /// Computes B − C·P⁻¹·C* for the 1×1 pivot P at k; C·P⁻¹ replaces C. A zero pivot has a zero column.
    PIVOTLAB_DEVICE void eliminate_1x1(int k) {
      using namespace ldlt_detail;
      const T pivot = diagonal(k);
      own_largest = {};
      if (pivot == T(0)) return;
      if (const int i = row(); i > k) {
        const T c = M(i, k);
        w1[i] = negated(across<true>(c));
        M(i, k) = divided_by_pivot<true>(c, pivot);
      }
      team.sync();
      if (own > k && own < n) {
        const T m = M(own, k);
        update(k + 1, [&](int j, const T& x) { return multiply_add(m, w1[j], x); });
      }
      team.sync();
    }

    /// Eliminates the 2×2 pivot at k and k + 1 in the same way.
    PIVOTLAB_DEVICE void eliminate_2x2(int k) {
      using namespace ldlt_detail;
      const T b = M(k + 1, k);
      const BlockInverse<T, true> inverse({diagonal(k), b, diagonal(k + 1)});
      own_largest = {};
      team.sync();
      if (const int i = row(); i > k + 1) {
        const T x = M(i, k), y = M(i, k + 1);
        w1[i] = negated(across<true>(x)), w2[i] = negated(across<true>(y));
        const auto both = inverse.apply_to_row(x, y);
        M(i, k) = both.first, M(i, k + 1) = both.second;
      } else if (i == k) {
        off[k] = b, M(k + 1, k) = T(0);
      }
      team.sync();
      if (own > k + 1 && own < n) {
        const T m1 = M(own, k), m2 = M(own, k + 1);
        update(k + 2, [&](int j, const T& x) { return multiply_add(m2, w2[j], multiply_add(m1, w1[j], x)); });
      }
      team.sync();
    }

    /// Replaces this thread's elements x of the reduced matrix from column `first` on by updated(j, x), and finds the
    /// largest one off the diagonal.
    template <class Updated>
    PIVOTLAB_DEVICE void update(int first, const Updated& updated) {
      const int begin = first + (group - first % threads_of_row + threads_of_row) % threads_of_row;
      int address = columns.column(begin) + own;
#pragma unroll 4
      for (int j = begin; j < own; j += threads_of_row) {
        const T x = updated(j, T(A[address]));
        A[address] = x;
        note(modulus(x), own, j);
        for (int next = j; next < j + threads_of_row; ++next) address += columns.step(next);
      }
      if (own % threads_of_row == group) diagonal(own) = ldlt_detail::on_diagonal<true>(updated(own, T(diagonal(own))));
    }
  };
};

}  // namespace pivotlab::batch
