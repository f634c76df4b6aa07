// SPDX-License-Identifier: BSD-3-Clause
// Full to tridiagonal form at once, as a dataflow: A = Q·T·Qᴴ by n − 1 reflectors, for matrices that fit in registers.
//
// Step k makes the reflector H = I − τ·v·vᴴ of column k and A := HᴴAH = A − v·wᴴ − w·vᴴ with y = A·v,
// w = τ·y − ½·|τ|²·(vᴴy)·v. A block of threads keeps some rows of A for all steps, and tells the others a row's element
// of y and of column k + 1 before the update. From them each block has all of w and column k + 1, and makes the same
// next reflector, so that there is one exchange a step.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/messages.hpp"
#include "kernels/two_stage/column_reflector.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

/// Returns the words of the messages for a matrix of order n.
template <class T>
constexpr Index mail_words(Index n) {
  return 4 * (is_complex<T> ? 2 : 1) * n;
}

/// Reduces a Hermitian matrix to the tridiagonal matrix T with diagonal d and subdiagonal e. Columns whose squares sum
/// to less than 1e-250 count as zero; the largest element is about 1.
///
/// A resident grid of P = ⌈n/Rows⌉ blocks, n ≤ 256·Columns. Rows p, p + P, … are those of block p, columns t, t + 256,
/// … those of its thread t. Sums are over the columns of a thread, then over threads, so that bits depend on n alone.
/// Shared memory: two v's, w, sums of the threads for each row, what the threads of a block exchange.
template <class T, int Rows, int Columns>
struct Tridiagonalize {
  static constexpr int threads = 256, min_blocks = 1, warps = threads / warp_size;
  static constexpr int most_columns = threads * Columns;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr bool resident = true;

  struct Arguments {
    MatrixView<T> A;       ///< both triangles; v below row k + 1 takes the place of column k
    NumberedDouble* mail;  ///< mail_words<T>(n), zeros
    T* inverse_tau;        ///< 1/τ, n − 1
    double *diagonal, *off_diagonal;
    int* gave_up;  ///< is set if a block has waited for too long
  };

  static Index blocks(Index n) { return (n + Rows - 1) / Rows; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    Strip<Context>(context, arguments).run();
  }

 private:
  static constexpr int size = static_cast<int>(sizeof(T));
  static constexpr int of_v = 0, of_w = of_v + 2 * most_columns * size, of_partial = of_w + most_columns * size,
                       of_column = of_partial + Rows * threads * size, of_pivot = of_column + Rows * size,
                       of_sums = of_pivot + 2 * size;

 public:
  static constexpr int shared_bytes = of_sums + 2 * warps * 8;

 private:
  /// Does the work of a block.
  template <class Context>
  class Strip {
   public:
    PIVOTLAB_DEVICE Strip(Context& context, const Arguments& arguments)
        : context_(context), arguments_(arguments), n_(arguments.A.rows), thread_(context.thread()) {}

    /// Messages of step k take the place of those of step k − 2, when each block has sent those of step k − 1. Nobody
    /// waits for a block without further rows, which therefore ends before it would receive.
    PIVOTLAB_DEVICE void run() {
      load();
      const Index last_row = n_ - 1 - (n_ - 1 - context_.block()) % context_.blocks();
      for (Index k = 0; k < last_row; ++k) {
        make_reflector(k);
        if (k > 0) update(k);
        leave_products(k);
        send_rows(k);
        if ((k + 1 == last_row && k + 2 < n_) || !receive_rows(k)) return;
        make_next_column(k);
      }
    }

   private:
    PIVOTLAB_DEVICE auto array(int offset, int count) { return context_.template shared<T>(offset, count); }
    PIVOTLAB_DEVICE auto v_of(Index k) {
      return array(of_v + static_cast<int>(k % 2) * most_columns * size, most_columns);
    }
    PIVOTLAB_DEVICE Index row(int r) const { return context_.block() + Index(r) * context_.blocks(); }
    /// Returns whether this block has a row after step k, row k + 2 or the last one, and stores what the step finds.
    PIVOTLAB_DEVICE bool stores(Index k) const {
      return (k + 2 < n_ ? k + 2 : k + 1) % context_.blocks() == context_.block();
    }
    PIVOTLAB_DEVICE int column(int q) const { return thread_ + threads * q; }
    /// Returns whether all columns of this place are finished in step k.
    PIVOTLAB_DEVICE static bool is_past(int q, Index k) { return threads * (q + 1) <= k + 1; }
    /// Returns where the elements of y, or of column k + 1, of step k come.
    PIVOTLAB_DEVICE NumberedDouble* mail(Index k, bool of_y) const {
      return arguments_.mail + ((k % 2) * 2 + of_y) * parts * n_;
    }

    PIVOTLAB_DEVICE void load() {
      const auto& A = arguments_.A;
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        const Index c = column(q);
        x_[q] = c < n_ ? A.data[c] : T(0);
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
          const bool exists = c < n_ && row(r) < n_;
          a_[r][q] = exists ? conjugate(A.data[c + row(r) * A.stride]) : T(0);
        }
      }
      if (context_.block() == 0 && thread_ == 0) arguments_.diagonal[0] = real_part(x_[0]);
    }

    /// Sums over all threads; `place` is 0 or 1 in turn, because a later sum may begin before this one is read by all.
    PIVOTLAB_DEVICE double sum_of_all(double x, int place) {
      for (int bit = 1; bit < warp_size; bit *= 2) x += context_.shuffle_xor(x, bit);
      const auto sums = context_.template shared<double>(of_sums + place * warps * 8, warps);
      if (context_.lane() == 0) sums[context_.warp()] = x;
      context_.sync();
      double s[warps];
#pragma unroll
      for (int w = 0; w < warps; ++w) s[w] = sums[w];
#pragma unroll
      for (int half = warps / 2; half > 0; half /= 2)
#pragma unroll
        for (int w = 0; w < half; ++w) s[w] += s[w + half];
      return s[0];
    }

    /// Makes v and τ with Hᴴ·x = β·e₁, x column k below the diagonal.
    PIVOTLAB_DEVICE void make_reflector(Index k) {
      double squares = 0;
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        if (column(q) == k + 1) array(of_pivot, 2)[0] = x_[q];
        if (column(q) > k + 1) squares += squared_magnitude(x_[q]);
      }
      squares = sum_of_all(squares, 0);
      const ColumnReflector<T> h(array(of_pivot, 2)[0], squares);
      tau_ = h.tau;
      const auto v = v_of(k);
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        v_[q] = column(q) > k + 1 ? multiply(x_[q], h.scale) : T(column(q) == k + 1 ? 1 : 0);
        v[column(q)] = v_[q];
      }
      if (!stores(k) || thread_ != 0) return;
      arguments_.off_diagonal[k] = h.beta;
      arguments_.inverse_tau[k] = quotient(T(1), tau_);
    }

    /// Subtracts v·wᴴ + w·vᴴ of the step before.
    PIVOTLAB_DEVICE void update(Index k) {
      const auto v = v_of(k - 1), w = array(of_w, most_columns);
      T minus_v[Rows], minus_w[Rows];
#pragma unroll
      for (int r = 0; r < Rows; ++r) minus_v[r] = negated(T(v[row(r)])), minus_w[r] = negated(T(w[row(r)]));
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        if (is_past(q, k)) continue;
        const T v_q = conjugate(T(v[column(q)])), w_q = conjugate(T(w[column(q)]));
#pragma unroll
        for (int r = 0; r < Rows; ++r)
          a_[r][q] = multiply_add(minus_v[r], w_q, multiply_add(minus_w[r], v_q, a_[r][q]));
      }
    }

    /// Leaves the thread's part of y, and elements of column k + 1, to the warps that send them.
    PIVOTLAB_DEVICE void leave_products(Index k) {
      T y[Rows];
#pragma unroll
      for (int r = 0; r < Rows; ++r) y[r] = T(0);
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        if (is_past(q, k)) continue;
#pragma unroll
        for (int r = 0; r < Rows; ++r) y[r] = multiply_add(a_[r][q], v_[q], y[r]);
        if (column(q) != k + 1) continue;
        const auto next = array(of_column, Rows);
#pragma unroll
        for (int r = 0; r < Rows; ++r) next[r] = a_[r][q];
      }
      const auto partial = array(of_partial, Rows * threads);
#pragma unroll
      for (int r = 0; r < Rows; ++r) partial[r * threads + thread_] = y[r];
      context_.sync();
    }

    /// Sums y, a warp for each row in turn, and sends it.
    PIVOTLAB_DEVICE void send_rows(Index k) {
      const auto partial = array(of_partial, Rows * threads);
      const auto number = static_cast<unsigned>(k + 1);
      for (int r = context_.warp(); r < Rows; r += warps) {
        const Index i = row(r);
        if (i <= k || i >= n_) continue;
        if (context_.lane() == 0) send(context_, mail(k, false) + parts * i, T(array(of_column, Rows)[r]), number);
        T s[warps];
#pragma unroll
        for (int w = 0; w < warps; ++w) s[w] = partial[r * threads + w * warp_size + context_.lane()];
#pragma unroll
        for (int half = warps / 2; half > 0; half /= 2)
#pragma unroll
          for (int w = 0; w < half; ++w) s[w] = sum(s[w], s[w + half]);
        for (int bit = 1; bit < warp_size; bit *= 2) s[0] = sum(s[0], exchanged(context_, s[0], bit));
        if (context_.lane() == 0) send(context_, mail(k, true) + parts * i, s[0], number);
      }
    }

    /// Waits for y and column k + 1.
    PIVOTLAB_DEVICE bool receive_rows(Index k) {
      const auto number = static_cast<unsigned>(k + 1);
      const auto ready = [&] {
        bool all = true;
#pragma unroll
        for (int q = 0; q < Columns; ++q) {
          x_[q] = y_[q] = T(0);
          if (column(q) <= k || column(q) >= n_) continue;
          all &= receive(context_, mail(k, false) + parts * column(q), number, x_[q]);
          all &= receive(context_, mail(k, true) + parts * column(q), number, y_[q]);
        }
        return all;
      };
      return context_.wait_until(ready, arguments_.gave_up);
    }

    /// Makes w, and updates column k + 1. Only now all blocks have read A: v may be stored.
    PIVOTLAB_DEVICE void make_next_column(Index k) {
      const bool stores_reflector = stores(k);
      double product = 0;
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        const Index c = column(q);
        product += real_part(multiply(conjugate(v_[q]), y_[q]));
        if (c == k + 1) array(of_pivot, 2)[1] = y_[q];
        if (stores_reflector && c > k + 1 && c < n_) arguments_.A.data[c + k * arguments_.A.stride] = v_[q];
      }
      product = sum_of_all(product, 1);
      const T minus_half(-0.5 * squared_magnitude(tau_) * product);
      const T pivot_of_w = multiply_add(tau_, T(array(of_pivot, 2)[1]), minus_half);
      const auto w = array(of_w, most_columns);
#pragma unroll
      for (int q = 0; q < Columns; ++q) {
        const T w_q = multiply_add(tau_, y_[q], multiply(minus_half, v_[q]));
        w[column(q)] = w_q;
        x_[q] = sum(multiply_add(negated(v_[q]), conjugate(pivot_of_w), x_[q]), negated(w_q));
        if (column(q) == k + 1 && stores_reflector) arguments_.diagonal[k + 1] = real_part(x_[q]);
      }
    }

    Context& context_;
    const Arguments& arguments_;
    Index n_;
    int thread_;
    T a_[Rows][Columns];
    T x_[Columns], y_[Columns], v_[Columns], tau_;  ///< column k below the diagonal, then k + 1
  };
};

}  // namespace pivotlab::two_stage
