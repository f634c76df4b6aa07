// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: half of a panel in one kernel. The pivots are the diagonal elements in their order.
//
//   S = L·D·L*                for the rows of these columns, 64 × 64 (complex 32 × 32)
//   X := X·L⁻*·D⁻¹            for the rows below
//
// Grid: one block per 256 rows below. Every block factors S, redundantly, so that no block waits for another one:
// thread (row, quarter) has every fourth (complex: eighth) element of a row of S in registers, and shared memory has
// the columns that are complete. Then each thread has a row of X in registers.
#pragma once

#include "kernels/ldlt/device/panel.hpp"

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
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr int parts = threads / columns;  ///< threads that share a row of S
  /// S by columns, then candidates for the largest element.
  static constexpr int found_at = columns * columns * static_cast<int>(sizeof(T));
  static constexpr int shared_bytes = found_at + threads * static_cast<int>(sizeof(Found));

  static std::int64_t most_blocks(std::int64_t order) { return (order + threads - 1) / threads; }

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
    const std::int64_t row = now.k + count + std::int64_t(context.block()) * threads + context.thread();
    if (!first && row - context.thread() >= a.A.order) return;
    const int pivots = factor(context, a, now.k, count);
    if (first) note(context, a, now, count, pivots);
    if (pivots == count && row < a.A.order) solve(context, a, now.k, row);
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static auto shared_block(Context& context) {
    return context.template shared<T>(0, columns * columns);
  }

  /// Stores C, the columns of the reduced matrices, with D on the diagonal in shared memory. Returns the number of
  /// usable pivots, the same in all threads.
  template <class Context>
  PIVOTLAB_DEVICE static int factor(Context& context, const Arguments& a, std::int64_t k, int count) {
    using namespace ldlt_detail;
    constexpr int of_thread = columns / parts;
    const auto s = shared_block(context);
    const int r = context.thread() % columns, part = context.thread() / columns;
    T x[of_thread];
#pragma unroll
    for (int u = 0; u < of_thread; ++u) {
      const int c = parts * u + part;
      x[u] = c <= r && r < count ? a.A.at(k + r, k + c) : T(0);
    }
#pragma unroll
    for (int t = 0; t < columns; ++t) {
      if (t >= count) break;
      if (part == t % parts && r >= t)
        s[t * columns + r] = r == t ? on_diagonal<hermitian>(x[t / parts]) : x[t / parts];
      context.sync();
      const T pivot = s[t * columns + t];
      if (!is_usable(pivot)) return t;
      if (r <= t || r >= count) continue;
      const T m = divided_by_pivot<hermitian>(T(s[t * columns + r]), pivot);
#pragma unroll
      for (int u = t / parts; u < of_thread; ++u) {
        const int c = parts * u + part;
        if (c > t && c <= r) x[u] = multiply_add(m, minus_w(s[t * columns + c]), x[u]);
      }
    }
    return count;
  }

  PIVOTLAB_DEVICE static T minus_w(const T& c) {
    return ldlt_detail::negated(ldlt_detail::across<hermitian>(c));
  }

  /// Returns whether x is neither zero nor infinite nor NaN.
  PIVOTLAB_DEVICE static bool is_usable(const T& x) {
    const double size = magnitude_1(x);
    return size > 0 && size <= std::numeric_limits<double>::max();
  }

  /// Stores the rows of M that belong to S, D, the records of the stages, and the progress.
  template <class Context>
  PIVOTLAB_DEVICE static void note(Context& context, const Arguments& a, const Progress& now, int count, int pivots) {
    using namespace ldlt_detail;
    Progress next = now;
    if (a.chunk == 0) next.largest = largest(context, a);
    next.k += pivots;
    if (context.thread() == 0) {
      next.phase = pivots < count ? Phase::refused : a.chunk == 1 || next.k == a.A.order ? Phase::full : Phase::half;
      if (pivots == count) next.stages = next.k;
      *a.to.progress = next;
    }
    const auto s = shared_block(context);
    const int r = context.thread() % columns, offset = a.chunk * columns;
    if (pivots < count || r >= count) return;
    for (int c = context.thread() / columns; c < columns; c += parts) {
      T m(0), w(0);
      if (c < r) {
        m = divided_by_pivot<hermitian>(T(s[c * columns + r]), T(s[c * columns + c]));
        w = minus_w(s[c * columns + r]);
      }
      a.panel.m.put(offset + c, now.k + r, m);
      a.panel.minus_w.put(offset + c, now.k + r, w);
    }
    if (context.thread() >= columns) return;
    const std::int64_t k = now.k + r;
    a.factors.diagonal[k] = s[r * columns + r];
    a.factors.stages[k] = {k, {k, k + 1}, 1, next.largest};
  }

  template <class Context>
  PIVOTLAB_DEVICE static double largest(Context& context, const Arguments& a) {
    Found own = Found::none();
    for (int i = context.thread(); i < a.update_blocks; i += threads) own = better(own, a.largest[i]);
    return best_of_block(context, own, found_at).size;
  }

  /// Computes a row of M and −C*. All columns are pivots, since there are rows below them.
  template <class Context>
  PIVOTLAB_DEVICE static void solve(Context& context, const Arguments& a, std::int64_t k, std::int64_t row) {
    using namespace ldlt_detail;
    const auto s = shared_block(context);
    const int offset = a.chunk * columns;
    T x[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) x[c] = a.A.at(row, k + c);
#pragma unroll
    for (int t = 0; t < columns; ++t) {
      const T m = divided_by_pivot<hermitian>(x[t], T(s[t * columns + t]));
      a.panel.m.put(offset + t, row, m);
      a.panel.minus_w.put(offset + t, row, minus_w(x[t]));
#pragma unroll
      for (int c = t + 1; c < columns; ++c) x[c] = multiply_add(m, minus_w(s[t * columns + c]), x[c]);
    }
  }
};

}  // namespace pivotlab::ldlt_device
