// SPDX-License-Identifier: BSD-3-Clause
// Norms of the rows of a triangle in strips, and its symmetric scaling: the numbers of the host.
#pragma once

#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/shared/equilibrating_rules.hpp"
#include "kernels/ldlt/shared/products.hpp"

namespace pivotlab::ldlt_device {

/// A triangle in strips; the diagonal belongs to them if `diagonal` is null.
template <class T>
struct TriangleView {
  Strips<T> A;
  T* diagonal;

  PIVOTLAB_DEVICE T& at(std::int64_t i, std::int64_t j) const {
    return i == j && diagonal != nullptr ? diagonal[i] : A.at(i, j);
  }
  /// Calls work(j, x) for row i of the whole matrix from left to right; x is a_ij or, above the diagonal, a_ji.
  template <class Work>
  PIVOTLAB_DEVICE void for_row(std::int64_t i, const Work& work) const {
    const T* const left = A.column(i / strip_rows, 0) + i % strip_rows;
#pragma unroll 8
    for (std::int64_t j = 0; j < i; ++j) work(j, left[j * strip_rows]);
    work(i, at(i, i));
    std::int64_t first = i + 1;
    for (std::int64_t strip = first / strip_rows; first < A.order; ++strip) {
      const T* const below = A.column(strip, i);
      const std::int64_t start = strip * strip_rows, end = A.order < start + strip_rows ? A.order : start + strip_rows;
#pragma unroll 8
      for (std::int64_t j = first; j < end; ++j) work(j, below[j - start]);
      first = end;
    }
  }
};

/// Σ_j |a_ij|, summed from left to right, and max_j |a_ij|, which ignores NaN.
struct RowSize {
  double sum, largest;
};

/// Computes the size of each row. One block per strip, one thread per row.
template <class T>
struct MeasureRows {
  struct Arguments {
    TriangleView<T> A;
    RowSize* sizes;
  };
  static constexpr int threads = strip_rows;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t i = std::int64_t(context.block()) * strip_rows + context.thread();
    if (i >= a.A.A.order) return;
    RowSize size{0, 0};
    a.A.for_row(i, [&](std::int64_t, const T& x) {
      const double modulus = ldlt_detail::modulus(x);
      size.sum += modulus;
      size.largest = size.largest < modulus ? modulus : size.largest;
    });
    a.sizes[i] = size;
  }
};

/// Gathers each row of S·A·S by a rule of the equilibration. One block per strip, one thread per row.
template <class T, class Rule>
struct GatherRows {
  struct Arguments {
    TriangleView<T> A;
    const int* logarithms;
    std::int64_t* gathered;
  };
  static constexpr int threads = strip_rows;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t i = std::int64_t(context.block()) * strip_rows + context.thread();
    if (i >= a.A.A.order) return;
    std::int64_t gathered = Rule::none;
    const int log2_of_row = a.logarithms[i];
    a.A.for_row(i, [&](std::int64_t j, const T& x) {
      if (larger_part(x) != 0)
        gathered = Rule::joined(gathered, ldlt_detail::of_scaled_element<Rule>(x, log2_of_row, a.logarithms[j]));
    });
    a.gathered[i] = gathered;
  }
};

/// Computes S·A·S, S = diag(2^s), and counts the parts of a column that are rounded. One block per column.
template <class T>
struct ScaleColumns {
  struct Arguments {
    TriangleView<T> A;
    const int* exponents;
    std::int64_t* rounded;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(std::int64_t));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    const auto counts = context.template shared<std::int64_t>(0, threads);
    Index rounded = 0;
    for (std::int64_t i = j + context.thread(); i < a.A.A.order; i += threads) {
      T& x = a.A.at(i, j);
      x = ldlt_detail::scaled_exactly(x, a.exponents[i] + a.exponents[j], rounded);
    }
    counts[context.thread()] = rounded;
    context.sync();
    if (context.thread() > 0) return;
    for (int t = 1; t < threads; ++t) rounded += counts[t];
    a.rounded[j] = rounded;
  }
};

}  // namespace pivotlab::ldlt_device
