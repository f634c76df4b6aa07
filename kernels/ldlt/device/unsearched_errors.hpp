// SPDX-License-Identifier: BSD-3-Clause
// Computes what decides whether factors without a search suffice (shared/unsearched.hpp): sums over the rows of M, n ×
// n in strips, and solutions of M·z = x for two vectors, with the bits of the host.
#pragma once

#include "kernels/ldlt/device/row_sizes.hpp"
#include "kernels/ldlt/shared/products.hpp"

namespace pivotlab::ldlt_device {

/// Computes Σ |d_k|·|m_ik|² over k < i for each row, summed from left to right. One block per strip, one thread per
/// row.
template <class T>
struct SumSquares {
  struct Arguments {
    TriangleView<T> M;
    const double* pivots;  ///< |d_k|
    double* squares;
  };
  static constexpr int threads = strip_rows;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t strip = context.block(), i = strip * strip_rows + context.thread();
    if (i >= a.M.A.order) return;
    const T* const left = a.M.A.column(strip, 0) + context.thread();
    double sum = 0;
#pragma unroll 8
    for (std::int64_t k = 0; k < i; ++k) sum += a.pivots[k] * squared_magnitude(left[k * strip_rows]);
    a.squares[i] = sum;
  }
};

/// Subtracts the products of the columns of a strip's rows in M·z = x, x having two columns: x_i −= m_ik·z_k. One block
/// for each strip from this one on, one thread per row. Every block solves for the rows of the strip, in shared memory,
/// to which the elements of M come first because the steps would wait for each, and the first one stores the solution;
/// the others update their rows of x.
template <class T>
struct SubstituteStrip {
  struct Arguments {
    Strips<T> M;
    std::int64_t strip;
    T *x, *z;  ///< each 2·order
  };
  static constexpr int threads = strip_rows;
  static constexpr int min_blocks = 4;
  static constexpr int own_at = 2 * strip_rows * static_cast<int>(sizeof(T));  // after z
  static constexpr int shared_bytes = own_at + strip_rows * strip_rows * static_cast<int>(sizeof(T));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t n = a.M.order, first = a.strip * strip_rows, strip = a.strip + context.block();
    const int t = context.thread();
    const auto z = context.template shared<T>(0, 2 * strip_rows);
    const auto subtract = [&](const T& m, int k, T& x, T& y) {
      x = ldlt_detail::multiply_add(m, ldlt_detail::negated(T(z[k])), x);
      y = ldlt_detail::multiply_add(m, ldlt_detail::negated(T(z[strip_rows + k])), y);
    };
    T x = first + t < n ? a.x[first + t] : T(0), y = first + t < n ? a.x[n + first + t] : T(0);
    const auto own = context.template shared<T>(own_at, strip_rows * strip_rows);
    const T* const stored = a.M.column(a.strip, first);
#pragma unroll 16
    for (int k = 0; k < strip_rows; ++k) own[k * strip_rows + t] = stored[k * strip_rows + t];
    for (int k = 0; k < strip_rows; ++k) {
      if (t == k) z[k] = x, z[strip_rows + k] = y;
      context.sync();
      if (t > k) subtract(own[k * strip_rows + t], k, x, y);
    }
    const std::int64_t i = strip * strip_rows + t;
    if (i >= n) return;
    if (strip == a.strip) {
      a.z[i] = x, a.z[n + i] = y;
      return;
    }
    x = a.x[i], y = a.x[n + i];
    const T* const left = a.M.column(strip, first) + t;
#pragma unroll 16
    for (int k = 0; k < strip_rows; ++k) subtract(left[k * strip_rows], k, x, y);
    a.x[i] = x, a.x[n + i] = y;
  }
};

}  // namespace pivotlab::ldlt_device
