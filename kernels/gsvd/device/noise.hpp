// SPDX-License-Identifier: BSD-3-Clause
// Finds columns of A·Z that may consist of rounding errors only (kernels/gsvd/shared/noise.hpp) by a bound on |A| of
// rank one; the host decides about these.
#pragma once

#include "kernels/gsvd/device/columns.hpp"

namespace pivotlab::device {

/// |A(i, j)| ≤ rows[i]·columns[j], up to √2.
struct MagnitudeBound {
  double* rows;
  double* columns;
  double noise;  ///< max(m, n)·ε
};

PIVOTLAB_DEVICE inline double magnitude_1(const Planes& Y, std::int64_t at) {
  return Y.im == nullptr ? absolute(Y.re[at]) : absolute(Y.re[at]) + absolute(Y.im[at]);
}

/// Computes bound.rows, the largest element of each row. One thread per row.
struct BoundRows {
  struct Arguments {
    Planes matrix;
    std::int64_t columns;
    MagnitudeBound bound;
  };
  static constexpr int threads = 128;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t i = context.block() * std::int64_t(threads) + context.thread();
    if (i >= a.matrix.rows) return;
    double largest = 0;
    for (std::int64_t j = 0; j < a.columns; ++j) {
      const double x = magnitude_1(a.matrix, j * a.matrix.rows + i);
      if (x > largest) largest = x;
    }
    a.bound.rows[i] = largest;
  }
};

/// Computes bound.columns, the largest element of each column relative to that of its row. One block per column.
struct BoundColumns {
  struct Arguments {
    Planes matrix;
    MagnitudeBound bound;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_threads * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_threads);
    const std::int64_t j = context.block();
    double largest = 0;
    for (std::int64_t i = context.thread(); i < a.matrix.rows; i += threads) {
      const double x = magnitude_1(a.matrix, j * a.matrix.rows + i);
      if (x > largest * a.bound.rows[i]) largest = x / a.bound.rows[i];
    }
    shared[context.thread()] = largest;
    context.sync();
    if (context.thread() != 0) return;
    for (int t = 1; t < threads; ++t)
      if (shared[t] > largest) largest = shared[t];
    a.bound.columns[j] = largest;
  }
};

/// Returns whether y_j = A·z_j is certainly more than noise; the result is the same for all threads of the block.
/// `shared` holds column_warps doubles.
template <class Context, class Array>
PIVOTLAB_DEVICE inline bool stands_out(Context& context, const Array& shared, const Planes& Y, const Planes& Z,
                                       std::int64_t j, const MagnitudeBound& bound) {
  double weight = 0;
  for (std::int64_t i = context.thread(); i < Z.rows; i += column_threads)
    weight = fused(bound.columns[i], magnitude_1(Z, j * Z.rows + i), weight);
  weight = 2 * bound.noise * sum_over_block(context, shared, weight);
  bool significant = false;
  for (std::int64_t i = context.thread(); i < Y.rows; i += column_threads)
    significant |= magnitude_1(Y, j * Y.rows + i) > bound.rows[i] * weight;
  return context.count(significant) > 0;
}

/// Sets doubtful[j] if column j of F = F₀·Z is not zero and may be noise. One block per column.
struct FindDoubtfulColumns {
  struct Arguments {
    Planes F, Z;
    MagnitudeBound bound;
    int* doubtful;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_warps);
    const std::int64_t j = context.block();
    const bool significant = stands_out(context, shared, a.F, a.Z, j, a.bound);
    bool nonzero = false;
    if (!significant)
      for (std::int64_t i = context.thread(); i < a.F.rows; i += threads)
        nonzero |= !(magnitude_1(a.F, j * a.F.rows + i) == 0);
    const int nonzero_threads = context.count(nonzero);
    if (context.thread() == 0) a.doubtful[j] = nonzero_threads > 0;
  }
};

/// Sets the columns list[block] to zero. One block per column.
struct ClearColumns {
  struct Arguments {
    Planes F;
    const int* list;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    scale_column(context, a.F, a.list[context.block()], 0.0);
  }
};

}  // namespace pivotlab::device
