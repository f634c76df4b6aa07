// SPDX-License-Identifier: BSD-3-Clause
// A' = E⁻¹·A·E in double precision, from an E of single precision.
//
//   X := (EᴴE)⁻¹·Eᴴ ≈ E⁻¹,   A' := X·(A·E),   A' := A' + X·(A·E − E·A') twice
//
// EᴴE is positive definite, so that its inverse by blocks of 32 needs no pivots. X has errors of about κ(E)²·ε, by
// which each correction reduces the residual A·E − E·A', down to the rounding errors of the products.
#pragma once

#include "kernels/eig/device/products.hpp"
#include "kernels/eig/shared/first_sweeps.hpp"

namespace pivotlab::eig_device {

/// Converts A to single precision without negligible elements, and sets E to the identity. Grid: one block per column.
struct BeginInSingle {
  struct Arguments {
    Planes A;
    PlanesOf<float> rough, E;
  };
  static constexpr int threads = 256, min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.A.order; i += threads) {
      const std::int64_t at = a.A.at(i, j);
      a.rough.re[at] = rounded(a.A.re[at]);
      a.rough.im[at] = rounded(a.A.im[at]);
      a.E.re[at] = i == j ? 1.0F : 0.0F;
      a.E.im[at] = 0;
    }
  }

 private:
  PIVOTLAB_DEVICE static float rounded(double x) {
    return absolute(x) < eig_detail::negligible_in_single_precision ? 0.0F : static_cast<float>(x);
  }
};

/// Converts E to double precision, also conjugated and transposed. Grid: one block per column.
struct ConvertBasis {
  struct Arguments {
    PlanesOf<float> from;
    Planes E, adjoint;
  };
  static constexpr int threads = 256, min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.E.order; i += threads) {
      const std::int64_t at = a.E.at(i, j), across = a.E.at(j, i);
      a.E.re[at] = a.from.re[at];
      a.E.im[at] = a.from.im[at];
      a.adjoint.re[at] = a.from.re[across];
      a.adjoint.im[at] = -a.from.im[across];
    }
  }
};

inline constexpr int pivot_rows = 32;

/// The pivot block of a step of the inversion: D = (block)⁻¹.
struct PivotStrips {
  Planes rows;     ///< D·(pivot rows), D in the pivot columns: 32 × order with leading dimension 32
  Planes columns;  ///< the pivot columns before the step, order × 32
};

/// Computes the strips of a step. G, Hermitian positive definite before the first step, does not change. Grid: one
/// block per 32 columns.
struct EliminatePivotBlock {
  struct Arguments {
    Planes G;
    std::int64_t first;  ///< pivot row
    PivotStrips strips;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int elements = pivot_rows * pivot_rows;
  static constexpr int own = elements / threads;
  static constexpr int shared_bytes = 2 * 16 * elements;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto D = context.template shared<RealPair<double>>(0, elements);
    const auto other = context.template shared<RealPair<double>>(16 * elements, elements);
    for (int e = context.thread(); e < elements; e += threads)
      D[e] = pair_of(a.G.element(a.first + e % pivot_rows, a.first + e / pivot_rows));
    context.sync();
    for (int k = 0; k < pivot_rows; k += 2) {
      exchange(context, k, D, other);
      exchange(context, k + 1, other, D);
    }
    const std::int64_t first = std::int64_t(context.block()) * pivot_rows;
    for (int e = context.thread(); e < elements; e += threads) {
      other[e] = pair_of(a.G.element(a.first + e % pivot_rows, first + e / pivot_rows));
      const C x = a.G.element(first + e % pivot_rows, a.first + e / pivot_rows);
      set(a.strips.columns, first + e % pivot_rows, e / pivot_rows, x);
    }
    context.sync();
    for (int e = context.thread(); e < elements; e += threads) {
      const int i = e % pivot_rows, j = e / pivot_rows;
      C sum(0.0);
      for (int k = 0; k < pivot_rows; ++k)
        sum = multiply_add(complex_of(D[k * pivot_rows + i]), complex_of(other[j * pivot_rows + k]), sum);
      set(a.strips.rows, i, first + j, first == a.first ? complex_of(D[e]) : sum);
    }
  }

 private:
  PIVOTLAB_DEVICE static RealPair<double> pair_of(const C& x) { return {x.real(), x.imag()}; }
  PIVOTLAB_DEVICE static C complex_of(const RealPair<double>& x) { return C(x.x, x.y); }
  PIVOTLAB_DEVICE static void set(const Planes& X, std::int64_t row, std::int64_t col, const C& x) {
    X.re[X.at(row, col)] = x.real();
    X.im[X.at(row, col)] = x.imag();
  }

  /// Exchanges variable k, a step of the Gauss–Jordan algorithm: after all 32 the block is its inverse.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void exchange(Context& context, int k, const Array& from, const Array& to) {
    const double inverse = 1 / from[k * pivot_rows + k].x;  // real, since the block is Hermitian
#pragma unroll
    for (int m = 0; m < own; ++m) {
      const int e = m * threads + context.thread(), i = e % pivot_rows, j = e / pivot_rows;
      const C x = complex_of(from[e]), in_row = complex_of(from[j * pivot_rows + k]),
              in_column = complex_of(from[k * pivot_rows + i]);
      const C scaled(in_row.real() * inverse, in_row.imag() * inverse);
      const C eliminated = multiply_add(negated(in_column), scaled, x);
      const C of_column(-(in_column.real() * inverse), -(in_column.imag() * inverse));
      to[e] = pair_of(i == k ? (j == k ? C(inverse) : scaled) : j == k ? of_column : eliminated);
    }
    context.sync();
  }
};

/// Completes a step: pivot rows become those of the strips, pivot columns −columns·D, all other elements
/// G − columns·rows. Grid: one warp per 16 rows of 32 columns.
struct UpdateInverse {
  using Arguments = EliminatePivotBlock::Arguments;
  static constexpr int threads = 128, warps = threads / 32, min_blocks = 3;
  static constexpr int blocks(std::int64_t order) {
    return static_cast<int>((order / 16 * (order / 32) + warps - 1) / warps);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t item = std::int64_t(context.block()) * warps + context.warp(), strips = a.G.order / 16;
    const std::int64_t row = item % strips * 16, col = item / strips * 32;
    if (col >= a.G.order) return;
    StripProduct g;
    if (row >= a.first && row < a.first + pivot_rows) {
      g.load(context, a.strips.rows, row - a.first, col);
    } else {
      if (col != a.first) g.load(context, a.G, row, col);
      for (int k = 0; k < pivot_rows; k += 16)
        g.template add<true>(context, a.strips.columns, a.strips.rows, row, k, col);
    }
    g.store(context, a.G, row, col);
  }
};

/// Computes G := G⁻¹ for a positive definite G. `strips` is memory for 128·order doubles.
template <class Executor>
void invert_positive_definite(Executor& executor, const Planes& G, double* strips) {
  const std::int64_t part = pivot_rows * G.order;
  const PivotStrips of_step{{strips, strips + part, pivot_rows}, {strips + 2 * part, strips + 3 * part, G.order}};
  for (std::int64_t first = 0; first < G.order; first += pivot_rows) {
    executor.template launch<EliminatePivotBlock>(static_cast<int>(G.order / pivot_rows),
                                                  EliminatePivotBlock::shared_bytes, {G, first, of_step});
    executor.template launch<UpdateInverse>(UpdateInverse::blocks(G.order), 0, {G, first, of_step});
  }
}

}  // namespace pivotlab::eig_device
