// SPDX-License-Identifier: BSD-3-Clause
// A block's part of a triangle in its shared memory (resident_elimination.hpp).
//
// Loops are unrolled where iterations overlap, and nowhere else: what is executed once a stage waits for its
// instructions.
#pragma once

#include "kernels/ldlt/device/resident_grid.hpp"
#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/device/thread_best.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <bit>

namespace pivotlab::ldlt_device {

/// The elements, and M and −C* of a stage for the block's rows and columns. Arguments `row` and `column` are places in
/// these ranges.
template <class Context, class T>
class ResidentTriangle {
 public:
  PIVOTLAB_DEVICE ResidentTriangle(Context& context, const ResidentGrid<T>& grid)
      : rows(context.block() % grid.rows, grid.rows),
        columns(context.block() / grid.rows, grid.columns),
        row_count(rows.from(grid.order)),
        column_count(columns.from(grid.order)),
        context_(context),
        grid_(grid) {}

  const CyclicRange rows, columns;
  const int row_count, column_count;

  /// Returns an element by the places of its row and column in the block.
  PIVOTLAB_DEVICE T& at(int row, int column) const { return elements()[starts()[column] + row]; }

  /// Returns an element of M or of −C* of the stage, t = 0, 1, or of the diagonal.
  PIVOTLAB_DEVICE T& multiplier(int row, int t) const {
    return shared<T>(grid_.of_m, 2 * grid_.most_rows)[2 * row + t];
  }
  PIVOTLAB_DEVICE T& minus_w(int column, int t) const {
    return shared<T>(grid_.of_minus_w, 2 * grid_.most_columns)[2 * column + t];
  }
  PIVOTLAB_DEVICE T& diagonal(int row) const { return shared<T>(grid_.of_diagonal, grid_.most_rows)[row]; }

  /// Returns the place of the first row below the diagonal in a column.
  PIVOTLAB_DEVICE int first_below(int column) const { return rows.from(columns.at(column) + 1); }

  /// Calls work(row, column) for the places of all elements of the block, distributed over the threads.
  template <class Work>
  PIVOTLAB_DEVICE void for_elements(const Work& work) const {
#pragma unroll 1
    for (int b = context_.warp(); b < column_count; b += warps)
#pragma unroll 1
      for (int a = first_below(b) + context_.lane(); a < row_count; a += warp_size) work(a, b);
  }

  /// Reads what is left of the matrix, with its pending updates.
  PIVOTLAB_DEVICE void load(const Strips<T>& A, const Generation<T>& now, const State& state) {
    if (context_.thread() == 0) {
      int sum = 0;
#pragma unroll 1
      for (int b = 0; b < grid_.most_columns; ++b) {
        const int first = first_below(b);
        first_rows()[b] = b < column_count ? first : finished;
        starts()[b] = sum - first;
        if (first < row_count) sum += row_count - first;
      }
      clear_bound();
    }
#pragma unroll 1
    for (int e = context_.thread(); e < 2 * grid_.most_rows; e += threads)
      shared<T>(grid_.of_m, 2 * grid_.most_rows)[e] = T(0);
#pragma unroll 1
    for (int e = context_.thread(); e < 2 * grid_.most_columns; e += threads)
      shared<T>(grid_.of_minus_w, 2 * grid_.most_columns)[e] = T(0);
    context_.sync();
    for_elements([&](int a, int b) {
      const std::int64_t i = state.k + rows.at(a), j = state.k + columns.at(b);
      T x = A.at(i, j);
#pragma unroll 1
      for (int t = 0; t < state.pending; ++t)
        x = ldlt_detail::multiply_add(now.m[t * now.stride + i], now.minus_w[t * now.stride + j], x);
      at(a, b) = x;
    });
#pragma unroll 1
    for (int a = context_.thread(); a < row_count; a += threads) diagonal(a) = now.diagonal[state.k + rows.at(a)];
    context_.sync();
  }
  PIVOTLAB_DEVICE void store(const Strips<T>& A, std::int64_t first) const {
    context_.sync();
    for_elements([&](int a, int b) { A.at(first + rows.at(a), first + columns.at(b)) = at(a, b); });
  }

  /// Begins a stage: no element has been searched.
  PIVOTLAB_DEVICE void clear_bound() const {
    shared<double>(grid_.of_bound, 1)[0] = 0;
  }
  /// Leaves a column, which belongs to M now, out of later updates.
  PIVOTLAB_DEVICE void finish(int column) const {
    first_rows()[column] = finished;
  }

  /// Subtracts the products of the last stage, with a pivot of this size, from the reduced triangle from k on, and
  /// searches it: returns the thread's candidate. The candidates of all threads raise the bound below which no element
  /// is considered; a lower one that another thread has left there costs time only.
  PIVOTLAB_DEVICE Candidate<T> update(int k, int size) const {
    const auto A = elements();
    const auto bound = shared<double>(grid_.of_bound, 1);
    const int begin = rows.from(k), first_group = columns.from(k) / batch * batch + context_.warp() * batch;
    ThreadBest<T> best;
#pragma unroll 1
    for (int chunk = begin / warp_size * warp_size; chunk < row_count; chunk += warp_size) {
      const int row = chunk + context_.lane(), a = row >= begin && row < row_count ? row : -1;
      const Pair m = pair(grid_.of_m, a < 0 ? 0 : a);
      const int end = columns.from(rows.at(chunk + warp_size < row_count ? chunk + warp_size - 1 : row_count - 1));
#pragma unroll 1
      for (int b = first_group; b < end; b += warps * batch) {
        const Four first = four(grid_.of_first_rows, b), start = four(grid_.of_starts, b);
        const double threshold = larger(best.threshold(columns.at(b)), bound[0]);
        T x[batch];
        Pair w[batch];
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          x[u] = a >= first.x[u] ? T(A[start.x[u] + a]) : T(0);
          w[u] = pair(grid_.of_minus_w, b + u);
        }
#pragma unroll
        for (int u = 0; u < batch; ++u) x[u] = ldlt_detail::multiply_add(m.x[0], w[u].x[0], x[u]);
        if (!is_complex<T> || size == 2) {
#pragma unroll
          for (int u = 0; u < batch; ++u) x[u] = ldlt_detail::multiply_add(m.x[1], w[u].x[1], x[u]);
        }
        bool any = false;
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          if (a >= first.x[u]) A[start.x[u] + a] = x[u];
          any |= a >= first.x[u] && ThreadBest<T>::screen(x[u]) > threshold;
        }
        if (!any) continue;
        consider(a, b, first, x, threshold, best);
        if (best.bound() > bound[0]) bound[0] = best.bound();
      }
    }
    return best.candidate();
  }

 private:
  static constexpr int threads = ResidentGrid<T>::threads, warps = threads / warp_size;
  static constexpr int batch = 4;              ///< elements of a thread that are updated together
  static constexpr int finished = 0x7fffffff;  ///< first row of columns that are not updated

  struct Four {
    int x[batch];
  };
  /// Considers the elements of a row in columns from b on; of real ones only the first of the largest.
  PIVOTLAB_DEVICE void consider(int a, int b, const Four& first, const T (&x)[batch], double threshold,
                                ThreadBest<T>& best) const {
    if constexpr (is_complex<T>) {
#pragma unroll 1
      for (int u = 0; u < batch; ++u)
        if (a >= first_rows()[b + u]) {
          const T own = at(a, b + u);
          if (ThreadBest<T>::screen(own) > larger(threshold, best.bound()))
            best.consider(own, rows.at(a), columns.at(b + u));
        }
    } else {
      double size = -1;
      int largest = 0;
      T value(0);
#pragma unroll
      for (int u = 0; u < batch; ++u) {
        if (!(a >= first.x[u] && absolute(x[u]) > size)) continue;
        size = absolute(x[u]);
        largest = u;
        value = x[u];
      }
      best.consider(value, rows.at(a), columns.at(b + largest));
    }
  }
  PIVOTLAB_DEVICE Four four(int offset, int b) const {
    return std::bit_cast<Four>(context_.load2(shared<double>(offset + 4 * b, 2)));
  }
  /// Two elements of M or of −C*.
  struct Pair {
    T x[2];
  };
  PIVOTLAB_DEVICE Pair pair(int offset, int place) const {
    if constexpr (is_complex<T>) {
      const auto both = shared<T>(offset + 2 * place * static_cast<int>(sizeof(T)), 2);
      return {{both[0], both[1]}};
    } else {
      const DoublePair both = context_.load2(shared<double>(offset + 16 * place, 2));
      return {{both.x, both.y}};
    }
  }
  static PIVOTLAB_DEVICE double larger(double x, double y) {
    return x > y ? x : y;
  }

  template <class Value>
  PIVOTLAB_DEVICE auto shared(int offset, int count) const {
    return context_.template shared<Value>(offset, count);
  }
  PIVOTLAB_DEVICE auto elements() const {
    return shared<T>(0, grid_.elements);
  }
  PIVOTLAB_DEVICE auto starts() const {
    return shared<int>(grid_.of_starts, grid_.most_columns);
  }
  PIVOTLAB_DEVICE auto first_rows() const {
    return shared<int>(grid_.of_first_rows, grid_.most_columns);
  }

  Context& context_;
  const ResidentGrid<T>& grid_;
};

}  // namespace pivotlab::ldlt_device
