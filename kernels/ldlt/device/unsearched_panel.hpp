// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: a whole panel in one kernel. The pivots are the diagonal elements in their order.
//
//   S = L·D·L*                for the panel's own rows, 64 × 64 (complex 32 × 32)
//   X := X·L⁻*·D⁻¹            for the rows below
//
// Grid: one block per 256 rows below the panel. Every block factors S in shared memory, redundantly, so that no block
// waits for another one: thread (row, quarter) has a row of S and every fourth of its columns. Then each thread has a
// row of X in registers.
#pragma once

#include "kernels/ldlt/device/panel.hpp"

#include <limits>

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct UnsearchedPanel {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;  ///< the rows of columns of M and −C*; other rows are zero or not read
    PanelGeneration from, to;
    const Found* largest;  ///< [block of UpdateTrailing], of the triangle
    int update_blocks;
    FactorsView<T> factors;
  };
  static constexpr int columns = PanelColumns<T>::count;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr int quarters = threads / columns;
  /// S by columns, then candidates for the largest element.
  static constexpr int found_at = columns * columns * static_cast<int>(sizeof(T));
  static constexpr int shared_bytes = found_at + threads * static_cast<int>(sizeof(Found));

  static std::int64_t most_blocks(std::int64_t order) { return (order + threads - 1) / threads; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Progress now = *a.from.progress;
    const bool first = context.block() == 0;
    if (now.phase != Phase::begin) {
      if (first && context.thread() == 0) *a.to.progress = now;
      return;
    }
    const auto left = a.A.order - now.begin;
    const int count = left < columns ? static_cast<int>(left) : columns;
    const std::int64_t row = now.begin + count + std::int64_t(context.block()) * threads + context.thread();
    if (!first && row - context.thread() >= a.A.order) return;
    load(context, a, now.begin, count);
    const int pivots = factor(context, count);
    const bool usable = pivots == count;
    if (first) {
      now.largest = largest(context, a);
      if (usable) note(context, a, now, count);
      if (context.thread() == 0) {
        now.k = now.begin + pivots;
        if (usable) now.stages = now.k;
        now.phase = usable ? Phase::full : Phase::refused;
        *a.to.progress = now;
      }
    }
    if (usable && row < a.A.order) solve(context, a, now.begin, row);
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static auto shared_block(Context& context) {
    return context.template shared<T>(0, columns * columns);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void load(Context& context, const Arguments& a, std::int64_t begin, int count) {
    const auto s = shared_block(context);
    const int r = context.thread() % columns;
    for (int c = context.thread() / columns; c <= r && r < count; c += quarters)
      s[c * columns + r] = a.A.at(begin + r, begin + c);
    context.sync();
  }

  /// Replaces S by C, the columns of the reduced matrices, with D on the diagonal. Returns the number of usable
  /// pivots, the same in all threads.
  template <class Context>
  PIVOTLAB_DEVICE static int factor(Context& context, int count) {
    using namespace ldlt_detail;
    const auto s = shared_block(context);
    const int r = context.thread() % columns, quarter = context.thread() / columns;
    for (int t = 0; t < count; ++t) {
      const T pivot = s[t * columns + t];
      if (!is_usable(pivot)) return t;
      if (r > t && r < count) {
        const T m = divided_by_pivot<hermitian>(T(s[t * columns + r]), pivot);
        for (int j = t + 1 + quarter; j <= r; j += quarters) {
          const T x = multiply_add(m, minus_w(s[t * columns + j]), T(s[j * columns + r]));
          s[j * columns + r] = j == r ? on_diagonal<hermitian>(x) : x;
        }
      }
      context.sync();
    }
    return count;
  }

  PIVOTLAB_DEVICE static T minus_w(const T& c) { return ldlt_detail::negated(ldlt_detail::across<hermitian>(c)); }

  /// Returns whether x is neither zero nor infinite nor NaN.
  PIVOTLAB_DEVICE static bool is_usable(const T& x) {
    const double size = magnitude_1(x);
    return size > 0 && size <= std::numeric_limits<double>::max();
  }

  template <class Context>
  PIVOTLAB_DEVICE static double largest(Context& context, const Arguments& a) {
    Found own = Found::none();
    for (int i = context.thread(); i < a.update_blocks; i += threads) own = better(own, a.largest[i]);
    return best_of_block(context, own, found_at).size;
  }

  /// Stores the panel's own rows of M, D and the records of the stages.
  template <class Context>
  PIVOTLAB_DEVICE static void note(Context& context, const Arguments& a, const Progress& now, int count) {
    using namespace ldlt_detail;
    const auto s = shared_block(context);
    const int r = context.thread() % columns;
    if (r >= count) return;
    for (int c = context.thread() / columns; c < columns; c += quarters) {
      T m(0), w(0);
      if (c < r) {
        m = divided_by_pivot<hermitian>(T(s[c * columns + r]), T(s[c * columns + c]));
        w = minus_w(s[c * columns + r]);
      }
      a.panel.m.put(c, now.begin + r, m);
      a.panel.minus_w.put(c, now.begin + r, w);
    }
    if (context.thread() >= columns) return;
    const std::int64_t k = now.begin + r;
    a.factors.diagonal[k] = s[r * columns + r];
    a.factors.stages[k] = {k, {k, k + 1}, 1, now.largest};
  }

  /// Computes a row of M and −C*. The panel is complete, since there are rows below it.
  template <class Context>
  PIVOTLAB_DEVICE static void solve(Context& context, const Arguments& a, std::int64_t begin, std::int64_t row) {
    using namespace ldlt_detail;
    const auto s = shared_block(context);
    T x[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) x[c] = a.A.at(row, begin + c);
#pragma unroll
    for (int t = 0; t < columns; ++t) {
      const T m = divided_by_pivot<hermitian>(x[t], T(s[t * columns + t]));
      a.panel.m.put(t, row, m);
      a.panel.minus_w.put(t, row, minus_w(x[t]));
#pragma unroll
      for (int c = t + 1; c < columns; ++c) x[c] = multiply_add(m, minus_w(s[t * columns + c]), x[c]);
    }
  }
};

}  // namespace pivotlab::ldlt_device
