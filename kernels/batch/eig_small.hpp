// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and right eigenvectors of many small general matrices, one block each: scaling and balancing by powers of
// two, the Schur form (schur_small.hpp), back substitution.
#pragma once

#include "kernels/batch/schur_small.hpp"
#include "kernels/eig/shared/diagonal.hpp"

#include <utility>

namespace pivotlab::batch {

/// Grid: one block per matrix, of order n ≤ largest. Shared memory: the team's scratch, T up to order 64 (else it is in
/// `work`), two vectors, for each eigenvalue its modulus and the factor of its vector, for each row its exponent, and
/// places of eigenvalues. Q is in the memory of V. Elements below the diagonal of T hold the eigenvectors of T.
template <int largest>
struct EigSmall {
  using Arguments = EigArguments;
  static constexpr int threads = largest < 32 ? 32 : largest, min_blocks = 1;
  static constexpr bool in_shared = largest <= 64;

  static int shared_bytes(int n) { return vectors_at(n) + 2 * number * n + 16 * n + 8 * n; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Run<Context> run(context, a);
    if (!run.load()) return run.refuse(Outcome::failed);
    run.balance();
    run.begin_q();
    run.schur.reduce();
    if (!run.schur.iterate()) return run.refuse(Outcome::not_converged);
    run.store_values();
    if (run.vectors) run.substitute(), run.store_vectors(), run.examine();
  }

 private:
  static constexpr int number = sizeof(C), scratch_bytes = 16 * (threads / warp_size);
  /// An odd number, so that threads access different banks in rows, too.
  PIVOTLAB_DEVICE static constexpr int stride_of(int n) { return in_shared ? n | 1 : n; }
  PIVOTLAB_DEVICE static constexpr int vectors_at(int n) {
    return scratch_bytes + (in_shared ? number * n * stride_of(n) : 0);
  }

  template <class Context>
  struct Run {
    using BlockTeam = Team<Context, threads>;
    using Shared = decltype(std::declval<Context&>().template shared<C>(0, 1));
    using Numbers = std::conditional_t<in_shared, Shared, C*>;
    using Doubles = decltype(std::declval<Context&>().template shared<double>(0, 1));
    using Integers = decltype(std::declval<Context&>().template shared<int>(0, 1));
    using Matrix = Columns<Numbers>;
    using Limits = std::numeric_limits<double>;

    Context& context;
    const Arguments& a;
    const int n, thread, matrix;
    const bool vectors;
    BlockTeam team;
    Matrix H;
    Columns<C*> Q;
    Doubles sizes, units;  // |λ|, and the factor of an eigenvector of T
    Integers rows, place;  // exponents of the balancing
    SchurSmall<Context, threads, Matrix, Shared> schur;
    int exponent = 0, given = 0;  // of the scaling of the balanced matrix, and of the given one

    PIVOTLAB_DEVICE Run(Context& the_context, const Arguments& arguments)
        : context(the_context),
          a(arguments),
          n(a.n),
          thread(context.thread()),
          matrix(context.block()),
          vectors(a.V.data != nullptr),
          team(context, 0),
          H(triangle()),
          Q{vectors ? a.V.matrix(matrix) : nullptr, int(a.V.stride)},
          sizes(context.template shared<double>(numbers_at(), n)),
          units(context.template shared<double>(numbers_at() + 8 * n, n)),
          rows(context.template shared<int>(numbers_at() + 16 * n, n)),
          place(context.template shared<int>(numbers_at() + 20 * n, n)),
          schur(context, team, H, Q, context.template shared<C>(vectors_at(n), 2 * n), n) {}

    PIVOTLAB_DEVICE int numbers_at() const { return vectors_at(n) + 2 * number * n; }
    PIVOTLAB_DEVICE Matrix triangle() {
      if constexpr (in_shared)
        return {context.template shared<C>(scratch_bytes, n * stride_of(n)), stride_of(n)};
      else
        return {a.work + std::int64_t(matrix) * n * n, n};
    }

    /// Returns whether the matrix is finite.
    PIVOTLAB_DEVICE bool load() {
      bool finite = true;
      for_elements([&](int i, int j) {
        const C loaded = element(i, j);
        finite &= absolute(loaded.real()) <= Limits::max() && absolute(loaded.imag()) <= Limits::max();
        H(i, j) = loaded;
      });
      for (int i = thread; i < n; i += threads) rows[i] = 0;
      return context.count(!finite) == 0;
    }

    PIVOTLAB_DEVICE void refuse(int why) {
      for (int i = thread; i < n; i += threads) a.values[std::int64_t(matrix) * n + i] = not_a_number<C>();
      if (vectors) for_elements([&](int i, int j) { a.V.matrix(matrix)[i + j * a.V.stride] = not_a_number<C>(); });
      if (thread == 0) a.status[matrix] = why;
    }

    /// As kernels/eig/shared/balance.hpp: at the upper end of the range of numbers; the largest part is then near 1.
    PIVOTLAB_DEVICE void balance() {
      constexpr int room = 20, most_passes = 10;
      if (!(scale_to(Limits::max_exponent - room) > 0)) return;
      given = exponent - (Limits::max_exponent - room);
      bool below = false;
      for_elements([&](int i, int j) { below |= i > j && magnitude_1(C(H(i, j))) > 0; });
      bool changed = context.count(below) > 0;
      for (int pass = 0; changed && pass < most_passes; ++pass) {
        int own = 0;
        if (thread < n) {
          double column = 0, row = 0;
          for (int i = 0; i < n; ++i)
            if (i != thread) column += magnitude_1(C(H(i, thread))), row += magnitude_1(C(H(thread, i)));
          own = eig_detail::balancing_exponent(column, row);
          place[thread] = own, rows[thread] += own;
        }
        changed = context.count(own != 0) > 0;
        if (changed) for_elements([&](int i, int j) { H(i, j) = times_power_of_two(C(H(i, j)), place[j] - place[i]); });
        team.sync();
      }
      scale_to(0);
    }

    PIVOTLAB_DEVICE void begin_q() {
      if (vectors) for_elements([&](int i, int j) { Q(i, j) = C(i == j ? 1.0 : 0.0); });
      team.sync();
    }

    PIVOTLAB_DEVICE void store_values() {
      for (int k = thread; k < n; k += threads) sizes[k] = modulus(C(H(k, k)));
      team.sync();
      bool in_range = true;
      for (int k = thread; k < n; k += threads) {
        const C own = H(k, k);
        int before = 0;
        for (int i = 0; i < n; ++i) before += comes_before(i, k);
        place[k] = before;
        const C value = times_power_of_two(own, -exponent);
        in_range &= absolute(value.real()) <= Limits::max() && absolute(value.imag()) <= Limits::max();
        a.values[std::int64_t(matrix) * n + before] = value;
      }
      const int beyond = context.count(!in_range);
      if (thread == 0) a.status[matrix] = beyond == 0 ? Outcome::passed : Outcome::failed;
    }

    /// Computes y of T·y = λ_k·y, y_k = units[k], into row k below the diagonal; a thread has a row.
    PIVOTLAB_DEVICE void substitute() {
      constexpr double large = 0x1p100;
      double most = 0;
      for_elements([&](int i, int j) {
        const double size = i <= j ? magnitude_1(C(H(i, j))) : 0;
        most = most < size ? size : most;
      });
      const double least = team.largest(most) * Limits::epsilon();
      const double floor = least < Limits::min() ? Limits::min() : least;
      for (int k = thread; k < n; k += threads) {
        const C value = H(k, k);
        double unit = 1;
        for (int j = k - 1; j >= 0; --j) {
          C product = times_real(C(H(j, k)), unit);
#pragma unroll 4
          for (int m = j + 1; m < k; ++m) product = multiply_add(C(H(j, m)), C(H(k, m)), product);
          const C difference = sum(value, negated(C(H(j, j))));
          const C y = quotient(product, modulus(difference) < floor ? C(floor) : difference);
          H(k, j) = y;
          if (magnitude_1(y) < large) continue;
          const int down = -std::ilogb(magnitude_1(y));
          unit = std::ldexp(unit, down);
          for (int m = j; m < k; ++m) H(k, m) = times_power_of_two(C(H(k, m)), down);
        }
        units[k] = unit;
      }
      team.sync();
    }

    /// Stores the columns of Q·Y with unit 2-norm and without the balancing.
    PIVOTLAB_DEVICE void store_vectors() {
      for (int i = thread; i < n; i += threads)
        for (int k = n - 1; k >= 0; --k) {
          C x = times_real(C(Q(i, k)), units[k]);
#pragma unroll 4
          for (int m = 0; m < k; ++m) x = multiply_add(C(Q(i, m)), C(H(k, m)), x);
          Q(i, k) = x;
        }
      team.sync();
      for_elements([&](int i, int k) { H(i, k) = C(Q(i, k)); });
      int highest = -Limits::max_exponent * 4;
      for (int i = 0; i < n; ++i) highest = highest < rows[i] ? rows[i] : highest;
      team.sync();
      for (int k = thread; k < n; k += threads) {
        double most = 0, square = 0;
        for (int i = 0; i < n; ++i) {
          const double size = magnitude_1(times_power_of_two(C(H(i, k)), rows[i] - highest));
          most = most < size ? size : most;
        }
        const int up = most > 0 ? -std::ilogb(most) - highest : 0;
        for (int i = 0; i < n; ++i) square += squared_magnitude(times_power_of_two(C(H(i, k)), rows[i] + up));
        sizes[k] = 1 / square_root(square);
        units[k] = up;
      }
      team.sync();
      for_elements([&](int i, int k) {
        const C x = times_real(times_power_of_two(C(H(i, k)), rows[i] + int(units[k])), sizes[k]);
        a.V.matrix(matrix)[i + place[k] * a.V.stride] = x;
        H(i, k) = x;
      });
      team.sync();
    }

    /// Sets the status of pairs that are not accurate: balancing may have enlarged the errors of a matrix whose
    /// elements differ by many orders of magnitude.
    PIVOTLAB_DEVICE void examine() {
      const double bound = 128 * n * Limits::epsilon();
      double worst = 0;
      for (int k = thread; k < n; k += threads) {
        const C value = times_power_of_two(C(a.values[std::int64_t(matrix) * n + place[k]]), given);
        for (int i = 0; i < n; ++i) {
          C sum = negated(multiply(value, C(H(i, k))));
#pragma unroll 4
          for (int l = 0; l < n; ++l) sum = multiply_add(times_power_of_two(element(i, l), given), C(H(l, k)), sum);
          worst = worst < magnitude_1(sum) ? magnitude_1(sum) : worst;
        }
      }
      const int inaccurate = context.count(worst > bound);
      if (thread == 0 && inaccurate > 0 && a.status[matrix] == Outcome::passed) a.status[matrix] = Outcome::incorrect;
    }

   private:
    PIVOTLAB_DEVICE C element(int i, int j) const {
      const double* x = a.A + a.parts * (matrix * a.distance + i + j * a.stride);
      return C(x[0], a.parts == 2 ? x[1] : 0.0);
    }

    /// Calls f(i, j) for all elements; adjacent threads have adjacent rows.
    template <class Function>
    PIVOTLAB_DEVICE void for_elements(const Function& f) {
      for (int e = thread; e < n * n; e += threads) f(e % n, e / n);
    }

    /// Scales by a power of two so that the largest part is in [2^to, 2^(to + 1)). Returns the largest part before.
    PIVOTLAB_DEVICE double scale_to(int to) {
      double most = 0;
      for_elements([&](int i, int j) {
        const C x = H(i, j);
        const double re = absolute(x.real()), im = absolute(x.imag()), larger = re < im ? im : re;
        most = most < larger ? larger : most;
      });
      most = team.largest(most);
      if (!(most > 0)) return most;
      const int up = to - std::ilogb(most);
      exponent += up;
      for_elements([&](int i, int j) { H(i, j) = times_power_of_two(C(H(i, j)), up); });
      team.sync();
      return most;
    }

    /// The order of eig(): by descending modulus, real part, imaginary part.
    PIVOTLAB_DEVICE bool comes_before(int i, int k) const {
      const C x = H(i, i), y = H(k, k);
      if (sizes[i] != sizes[k]) return sizes[i] > sizes[k];
      if (x.real() != y.real()) return x.real() > y.real();
      if (x.imag() != y.imag()) return x.imag() > y.imag();
      return i < k;
    }
  };
};

}  // namespace pivotlab::batch
