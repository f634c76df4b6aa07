// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: half of a panel in one kernel. The pivots are the diagonal elements in their order.
//
//   S = L·D·L*                for the rows of these columns, 64 × 64 (complex 32 × 32)
//   X := X·L⁻*·D⁻¹            for the rows below
//
// Grid: block 0 stores the rows of S; each of the others has 128 rows below. Every block factors S, redundantly, so
// that no block waits for another one, and does so by groups of 16 columns. A lane has 16 elements of a row in
// registers: lanes 0 to 15 of each warp the rows of the group's own triangle, redundantly, the others 16 rows below it.
// So the warps need no barrier of the block in a group's 16 stages, each of which waits for a reciprocal. Then the
// block updates the columns of S to the right. Meanwhile the last four warps solve for the rows below by the group
// before, a row a thread.
//
// Shared memory holds S by columns, a group's columns of M, reciprocals of the pivots, and X, which becomes M. Loops
// over groups are not unrolled: straight-line code of a whole panel takes longer to fetch than to execute.
#pragma once

#include "kernels/ldlt/device/panel.hpp"
#include "kernels/numerics/messages.hpp"

#include <limits>

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct UnsearchedPanel {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;  ///< the rows of two chunks of columns of M and −C*; other rows are zero or not read
    PanelGeneration from, to;
    const Found* largest;  ///< [block of UpdateTrailing], of the triangle
    int update_blocks;
    FactorsView<T> factors;
    int chunk;  ///< 0 or 1
  };
  static constexpr int columns = PanelColumns<T>::count;
  static constexpr int width = 16;  ///< of a group of columns
  static constexpr int threads = 256;
  static constexpr int min_blocks = is_complex<T> ? 1 : 2;
  static constexpr int rows = 128;           ///< below S, of a block
  static constexpr int pitch = columns + 4;  ///< avoids bank conflicts
  static constexpr int bytes = static_cast<int>(sizeof(T));
  static constexpr int m_at = columns * pitch * bytes;
  static constexpr int reciprocals_at = m_at + width * pitch * bytes;
  static constexpr int x_at = reciprocals_at + columns * bytes;
  static constexpr int found_at = x_at;  ///< block 0 has no rows below
  static constexpr int shared_bytes = x_at + columns * rows * bytes;
  static_assert(threads * sizeof(Found) <= columns * rows * bytes);

  static std::int64_t most_blocks(std::int64_t order) { return 1 + (order + rows - 1) / rows; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Progress now = *a.from.progress;
    const bool first = context.block() == 0;
    if (now.phase != (a.chunk == 0 ? Phase::begin : Phase::half)) {
      if (first && context.thread() == 0) *a.to.progress = now;
      return;
    }
    const std::int64_t left = a.A.order - now.k;
    const int count = left < columns ? static_cast<int>(left) : columns;
    const std::int64_t below = now.k + count + std::int64_t(context.block() - 1) * rows;
    if (!first && below >= a.A.order) return;
    const Shared<Context> shared(context);
    copy<columns>(context, a.A, now.k, now.k, shared.s, pitch);
    context.commit();
    if (!first) copy<rows>(context, a.A, below, now.k, shared.x, rows);
    context.commit();
    context.template wait<1>();
    context.sync();
    if (count < columns) pad(context, shared, count);
    eliminate(context, a, shared, now.k, first ? a.A.order : below + context.thread() - (threads - rows));
    if (first) note(context, a, shared, now, count, usable_pivots(context, shared));
  }

 private:
  template <class Context>
  struct Shared {
    using Array = decltype(std::declval<Context&>().template shared<T>(0, 0));
    Array s;           ///< [column][row]: C, the columns of the reduced matrices, with D on the diagonal
    Array m;           ///< [column of the group][row]
    Array reciprocal;  ///< [column]: of the pivot
    Array x;           ///< [column][row]: the rows below

    PIVOTLAB_DEVICE explicit Shared(Context& context)
        : s(context.template shared<T>(0, columns * pitch)),
          m(context.template shared<T>(m_at, width * pitch)),
          reciprocal(context.template shared<T>(reciprocals_at, columns)),
          x(context.template shared<T>(x_at, columns * rows)) {}
  };

  /// Starts to copy some rows of the chunk's columns, k being the first column.
  template <int count, class Context, class Array>
  PIVOTLAB_DEVICE static void copy(Context& context, const Strips<T>& A, std::int64_t first, std::int64_t k,
                                   const Array& to, int to_pitch) {
    constexpr int at_once = 16 / bytes;
    const int r = at_once * context.thread() % count;
    constexpr int columns_at_once = at_once * threads / count;
    if (first + r < A.order)
#pragma unroll 2
      for (int c = at_once * context.thread() / count; c < columns; c += columns_at_once)
        context.copy_async(to + (c * to_pitch + r), &A.at(first + r, k + c));
  }

  /// Extends S, whose order is `count`, by a unit matrix.
  template <class Context>
  PIVOTLAB_DEVICE static void pad(Context& context, const Shared<Context>& shared, int count) {
    for (int e = context.thread(); e < columns * columns; e += threads) {
      const int c = e / columns, r = e % columns;
      if (r >= count || c >= count) shared.s[c * pitch + r] = T(r == c ? 1 : 0);
    }
    context.sync();
  }

  /// Factors S, and solves for the row below that the thread has, if it is less than the order. All columns are then
  /// pivots; where one is not usable, no result is.
  template <class Context>
  PIVOTLAB_DEVICE static void eliminate(Context& context, const Arguments& a, const Shared<Context>& shared,
                                        std::int64_t k, std::int64_t row_below) {
    const bool solves = context.thread() >= threads - rows && row_below < a.A.order;
#pragma unroll 1
    for (int first = 0; first <= columns; first += width) {
      const int lane = context.lane();
      const int row = first + (lane < width ? lane : lane + width * context.warp());
      const bool factors = first + width * (context.warp() == 0 ? 0 : context.warp() + 1) < columns;
      T x[width];
      if (factors) {
#pragma unroll
        for (int c = 0; c < width; ++c) x[c] = row < columns ? shared.s[(first + c) * pitch + row] : T(0);
      }
      if (first > 0) context.template wait<0>();
      context.sync();
      if (factors)
        factor_group(context, shared, first, row, x);
      else if (solves && first > 0)
        solve_group(context, a, shared, first - width, k, row_below);
      context.sync();
      if (first + width < columns) update(context, shared, first);
      context.sync();
    }
  }

  /// Returns the number of usable pivots, the same in all threads.
  template <class Context>
  PIVOTLAB_DEVICE static int usable_pivots(Context& context, const Shared<Context>& shared) {
    const auto usable = [&](int t) { return is_usable(shared.s[t * pitch + t], shared.reciprocal[t]); };
    const int t = context.thread();
    if (context.count(t < columns && !usable(t)) == 0) return columns;
    int pivots = 0;
    while (usable(pivots)) ++pivots;
    return pivots;
  }

  /// Eliminates a group's columns from a lane's row. The next pivot is computed first, by every lane.
  template <class Context>
  PIVOTLAB_DEVICE static void factor_group(Context& context, const Shared<Context>& shared, int first, int row,
                                           T (&x)[width]) {
    using namespace ldlt_detail;
    const int lane = context.lane();
    T pivot = on_diagonal<hermitian>(of_lane(context, x[0], 0));
#pragma unroll
    for (int t = 0; t < width; ++t) {
      const auto column = shared.s + (first + t) * pitch;
      if (lane >= t && row < columns) column[row] = lane == t ? pivot : x[t];
      context.sync_warp();
      const int after = t + 1 < width ? t + 1 : t;
      const T c(column[first + after]), old = of_lane(context, x[after], after);
      const T reciprocal = reciprocal_of(pivot);
      if (context.thread() == 0) shared.reciprocal[first + t] = reciprocal;
      const T m = divided(x[t], pivot, reciprocal);
      const T next = on_diagonal<hermitian>(multiply_add(divided(c, pivot, reciprocal), minus_w(c), old));
#pragma unroll
      for (int u = t + 1; u < width; ++u) x[u] = multiply_add(m, minus_w(column[first + u]), x[u]);
      if (lane >= width && row < columns) shared.m[t * pitch + row] = m;
      pivot = next;
    }
  }

  /// Updates the columns of S to the right of a group; elements above the diagonal do not matter.
  template <class Context>
  PIVOTLAB_DEVICE static void update(Context& context, const Shared<Context>& shared, int first) {
    const auto &s = shared.s, &m = shared.m;
    const int next = first + width;
    if constexpr (is_complex<T>) {
      for (int r = next + context.thread() % width; r < columns; r += width)
        for (int c = next + context.thread() / width; c <= r; c += threads / width) {
          T x(s[c * pitch + r]);
#pragma unroll
          for (int t = 0; t < width; ++t)
            x = ldlt_detail::multiply_add(T(m[t * pitch + r]), minus_w(s[(first + t) * pitch + c]), x);
          s[c * pitch + r] = x;
        }
    } else {
      const int halves = (columns - next) / 8, across = context.lane() / 4, along = context.lane() % 4;
      for (int tile = context.warp(); tile < halves / 2 * halves; tile += threads / warp_size) {
        const int r = tile / halves, c = tile % halves;
        if (c > 2 * r + 1) continue;
        const auto rows = m + (next + 16 * r), others = s + (first * pitch + next + 8 * c),
                   to = s + ((next + 8 * c) * pitch + next + 16 * r);
        double x[4], left[8], right[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) x[i] = to[(2 * along + i % 2) * pitch + across + i / 2 * 8];
#pragma unroll
        for (int i = 0; i < 8; ++i) left[i] = rows[(along + i / 2 * 4) * pitch + across + i % 2 * 8];
#pragma unroll
        for (int i = 0; i < 4; ++i) right[i] = -others[(along + 4 * i) * pitch + across];
        context.mma(x, left, right);
#pragma unroll
        for (int i = 0; i < 4; ++i) to[(2 * along + i % 2) * pitch + across + i / 2 * 8] = x[i];
      }
    }
  }

  PIVOTLAB_DEVICE static T minus_w(const T& c) {
    return ldlt_detail::negated(ldlt_detail::across<hermitian>(c));
  }

  PIVOTLAB_DEVICE static T reciprocal_of(const T& pivot) {
    if constexpr (hermitian)
      return T(1 / real_part(pivot));
    else
      return ldlt_detail::quotient(T(1), pivot);
  }

  /// Returns c/p for the pivot p with this reciprocal: a product, corrected by its residual. Several times as fast as a
  /// quotient, and as accurate but for overflow.
  PIVOTLAB_DEVICE static T divided(const T& c, const T& p, const T& reciprocal) {
    using namespace ldlt_detail;
    if constexpr (is_complex<T> && hermitian) {
      return T(real_divided(c.real(), p.real(), reciprocal.real()),
               real_divided(c.imag(), p.real(), reciprocal.real()));
    } else if constexpr (is_complex<T>) {
      const T q = multiply(c, reciprocal);
      return multiply_add(multiply_add(negated(q), p, c), reciprocal, q);
    } else {
      return real_divided(c, p, reciprocal);
    }
  }
  PIVOTLAB_DEVICE static double real_divided(double c, double p, double reciprocal) {
    const double q = c * reciprocal;
    return fused(fused(-q, p, c), reciprocal, q);
  }

  /// Returns whether neither a pivot nor its reciprocal is zero or infinite or NaN.
  PIVOTLAB_DEVICE static bool is_usable(const T& pivot, const T& reciprocal) {
    constexpr double most = std::numeric_limits<double>::max();
    const double size = magnitude_1(pivot);
    return size > 0 && size <= most && magnitude_1(reciprocal) <= most;
  }

  /// Stores the rows of M that belong to S, D, the records of the stages, and the progress.
  template <class Context>
  PIVOTLAB_DEVICE static void note(Context& context, const Arguments& a, const Shared<Context>& shared,
                                   const Progress& now, int count, int pivots) {
    const auto& s = shared.s;
    Progress next = now;
    if (a.chunk == 0) next.largest = largest(context, a);
    if (pivots > count) pivots = count;
    next.k += pivots;
    if (context.thread() == 0) {
      next.phase = pivots < count ? Phase::refused : a.chunk == 1 || next.k == a.A.order ? Phase::full : Phase::half;
      if (pivots == count) next.stages = next.k;
      *a.to.progress = next;
    }
    const int r = context.thread() % columns, offset = a.chunk * columns;
    if (pivots < count || r >= count) return;
    for (int c = context.thread() / columns; c < columns; c += threads / columns) {
      T m(0), w(0);
      if (c < r) {
        m = divided(T(s[c * pitch + r]), T(s[c * pitch + c]), T(shared.reciprocal[c]));
        w = minus_w(s[c * pitch + r]);
      }
      a.panel.m.put(offset + c, now.k + r, m);
      a.panel.minus_w.put(offset + c, now.k + r, w);
    }
    if (context.thread() >= columns) return;
    const std::int64_t k = now.k + r;
    a.factors.diagonal[k] = s[r * pitch + r];
    a.factors.stages[k] = {k, {k, k + 1}, 1, next.largest};
  }

  template <class Context>
  PIVOTLAB_DEVICE static double largest(Context& context, const Arguments& a) {
    Found own = Found::none();
    for (int i = context.thread(); i < a.update_blocks; i += threads) own = better(own, a.largest[i]);
    return best_of_block(context, own, found_at).size;
  }

  /// Computes a group's elements of a row of M, also in the triangle, and of −C*.
  template <class Context>
  PIVOTLAB_DEVICE static void solve_group(Context& context, const Arguments& a, const Shared<Context>& shared,
                                          int first, std::int64_t k, std::int64_t row) {
    using namespace ldlt_detail;
    const auto own = shared.x + (context.thread() - (threads - rows));
    const int offset = a.chunk * columns;
    T x[width], w[width];
#pragma unroll
    for (int c = 0; c < width; ++c) x[c] = own[(first + c) * rows];
#pragma unroll 2
    for (int t = 0; t < first; ++t) {
      const T m(own[t * rows]);
      read_group(context, shared.s + (t * pitch + first), w);
#pragma unroll
      for (int c = 0; c < width; ++c) x[c] = multiply_add(m, minus_w(w[c]), x[c]);
    }
#pragma unroll
    for (int t = 0; t < width; ++t) {
      const auto column = shared.s + (first + t) * pitch + first;
      const T m = divided(x[t], T(column[t]), T(shared.reciprocal[first + t]));
      own[(first + t) * rows] = m;
      a.A.at(row, k + first + t) = m;
      a.panel.m.put(offset + first + t, row, m);
      a.panel.minus_w.put(offset + first + t, row, minus_w(x[t]));
      read_group(context, column, w);
#pragma unroll
      for (int c = t + 1; c < width; ++c) x[c] = multiply_add(m, minus_w(w[c]), x[c]);
    }
  }

  /// Reads a group's elements of a column of S, real ones in pairs.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void read_group(Context& context, const Array& from, T (&to)[width]) {
#pragma unroll
    for (int c = 0; c < width; c += 2)
      if constexpr (is_complex<T>) {
        to[c] = from[c];
        to[c + 1] = from[c + 1];
      } else {
        const DoublePair pair = context.load2(from + c);
        to[c] = pair.x;
        to[c + 1] = pair.y;
      }
  }
};

}  // namespace pivotlab::ldlt_device
