// SPDX-License-Identifier: BSD-3-Clause
// Many small Hermitian matrices to tridiagonal form, one block each: A = Q·T·Qᴴ by n − 1 reflectors, with the formulas
// of kernels/two_stage/tridiagonalize.hpp.
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/batch/team.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/two_stage/column_reflector.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace pivotlab::batch {

template <class T>
struct TridiagonalArguments {
  Strided<const T> A;  ///< both triangles
  int n = 0;
  T* work = nullptr;  ///< [matrix][n × n]; v below row k + 1 takes the place of column k
  T* tau = nullptr;   ///< [matrix][n]
  double *diagonal = nullptr, *off_diagonal = nullptr;  ///< [matrix][n], of the matrix times 2^−exponent
  int *exponent = nullptr, *status = nullptr;           ///< [matrix]; the status is passed or failed
};

/// Grid: one block per matrix of order n ≤ largest, in the memory of `work`. Step k makes H = I − τ·v·vᴴ of column k
/// and A := HᴴAH = A − v·wᴴ − w·vᴴ with y = A·v, w = τ·y − ½·|τ|²·(vᴴy)·v. A thread has a row and every `groups`-th
/// column: one pass over A subtracts the terms of the step before and multiplies by v, so that each element is read and
/// written once a step. The matrix is scaled by a power of two, its largest part to about 1. Shared memory: the team's
/// scratch, two v's, w, a column, sums of the groups.
template <class T, int largest>
struct TridiagonalSmall {
  using Arguments = TridiagonalArguments<T>;
  static constexpr int rows = largest < 32 ? 32 : largest, groups = largest < 64 ? 1 : 2, threads = rows * groups;
  static constexpr int min_blocks = 1;

  static int shared_bytes(int) { return scratch_bytes + (4 + groups) * rows * number; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    if (!run.load()) return run.refuse();
    for (int k = 0; k + 1 < a.n; ++k) run.make_reflector(k), run.multiply_by_v(k), run.make_next_column(k);
  }

 private:
  static constexpr int number = sizeof(T), scratch_bytes = 16 * (threads / warp_size);

  template <class Context>
  struct Run {
    using Shared = decltype(std::declval<Context&>().template shared<T>(0, 1));

    Context& context;
    const Arguments& a;
    const int n, row, group, matrix;
    Team<Context, threads> team;
    Shared v_even, v_odd, w, column, sums;
    T* const A;
    T x = T(0);  // element of column k of this row, in the first group
    T own_v = T(0), own_w = T(0), tau = T(0);

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          n(a.n),
          row(context.thread() % rows),
          group(context.thread() / rows),
          matrix(context.block()),
          team(context, 0),
          v_even(array(0)),
          v_odd(array(1)),
          w(array(2)),
          column(array(3)),
          sums(context.template shared<T>(scratch_bytes + 4 * rows * number, groups * rows)),
          A(a.work + std::int64_t(matrix) * n * n) {}

    PIVOTLAB_DEVICE Shared array(int k) const {
      return context.template shared<T>(scratch_bytes + k * rows * number, rows);
    }
    PIVOTLAB_DEVICE Shared v_of(int k) const { return k % 2 == 0 ? v_even : v_odd; }
    PIVOTLAB_DEVICE std::int64_t place(int k) const { return std::int64_t(matrix) * n + k; }
    PIVOTLAB_DEVICE bool leads() const { return context.thread() == 0; }

    /// Copies and scales the matrix. Returns whether it is finite and Hermitian.
    PIVOTLAB_DEVICE bool load() {
      const T* const from = a.A.matrix(matrix);
      bool good = true;
      double most = 0;
      for (int j = group; j < n && row < n; j += groups) {
        const T given = from[row + j * a.A.stride];
        good &= is_in_range(given) && given == conjugate(from[j + row * a.A.stride]);
        const double size = larger_part(given);
        most = most < size ? size : most;
      }
      if (context.count(!good) > 0) return false;
      most = team.largest(most);
      const int exponent = most > 0 ? std::ilogb(most) : 0;
      for (int j = group; j < n && row < n; j += groups)
        A[row + j * n] = times_power_of_two(T(from[row + j * a.A.stride]), -exponent);
      if (row < n && group == 0) x = column[row] = times_power_of_two(T(from[row]), -exponent);
      if (leads()) {
        a.diagonal[place(0)] = real_part(x);
        a.off_diagonal[place(n - 1)] = 0;
        a.exponent[matrix] = exponent, a.status[matrix] = Outcome::passed;
      }
      return true;
    }

    /// The rest of the solver gets zeros.
    PIVOTLAB_DEVICE void refuse() {
      for (int i = context.thread(); i < n; i += threads) a.diagonal[place(i)] = a.off_diagonal[place(i)] = 0;
      if (leads()) a.exponent[matrix] = 0, a.status[matrix] = Outcome::failed;
    }

    /// Makes v and τ with Hᴴ·x = β·e₁, x column k below the diagonal, whose elements are read after a barrier.
    PIVOTLAB_DEVICE void make_reflector(int k) {
      const double squares = team.sum(group == 0 && row > k + 1 && row < n ? squared_magnitude(x) : 0);
      const two_stage::ColumnReflector<T> h(column[k + 1], squares);
      tau = h.tau;
      if (row > k && row < n && group == 0) {
        v_of(k)[row] = row > k + 1 ? multiply(x, h.scale) : T(1);
        if (row > k + 1) A[row + k * n] = v_of(k)[row];
      }
      if (leads()) a.tau[place(k)] = tau, a.off_diagonal[place(k)] = h.beta;
      team.sync();
    }

    /// Subtracts the terms of step k − 1 and adds up y = A·v.
    PIVOTLAB_DEVICE void multiply_by_v(int k) {
      const Shared v = v_of(k), before = v_of(k + 1);
      T y(0);
      if (row > k && row < n) {
        const T minus_v = negated(own_v), minus_w = negated(own_w);
        T* const own = A + row;
#pragma unroll 4
        for (int j = k + 1 + group; j < n; j += groups) {
          T element = own[j * n];
          if (k > 0) {
            element = multiply_add(minus_v, conjugate(T(w[j])), element);
            element = multiply_add(minus_w, conjugate(T(before[j])), element);
            own[j * n] = element;
          }
          y = multiply_add(element, T(v[j]), y);
          if (j == k + 1) column[row] = element;
        }
        sums[group * rows + row] = y;
      }
      team.sync();
    }

    /// Makes w, and column k + 1 with the terms of this step.
    PIVOTLAB_DEVICE void make_next_column(int k) {
      const bool active = row > k && row < n;
      T y(0);
      own_v = active ? T(v_of(k)[row]) : T(0);
      for (int g = 0; g < groups && active; ++g) y = sum(y, T(sums[g * rows + row]));
      const double product = team.sum(group == 0 ? real_part(multiply(conjugate(own_v), y)) : 0);
      const T minus_half(-0.5 * squared_magnitude(tau) * product);
      own_w = multiply_add(tau, y, multiply(minus_half, own_v));
      if (active && group == 0) w[row] = own_w;
      team.sync();
      if (!active || group > 0) return;
      x = sum(multiply_add(negated(own_v), conjugate(T(w[k + 1])), T(column[row])), negated(own_w));
      column[row] = x;
      if (row == k + 1) a.diagonal[place(k + 1)] = real_part(x);
    }
  };
};

}  // namespace pivotlab::batch
