// SPDX-License-Identifier: BSD-3-Clause
// Computes eigenvectors of T = triu A by blocked back substitution, and those of the matrix from them.
//
//   T·y = λ_k·y for all k at once, by blocks of 32 rows from the last to the first:
//     solve the block's rows (SolveRows), then add their part to the sums of all rows above (UpdateSums)
//   y_k := y_k/‖y_k‖;  V := E·Y
//
// Divisors are kept above ε·max|T|, and a growing column is scaled down during substitution, as on the host.
#pragma once

#include "kernels/eig/device/products.hpp"
#include "kernels/eig/device/sums.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

namespace pivotlab::eig_device {

inline constexpr int solve_rows = 32;

/// Returns 2^−⌊log₂ x⌋ of a normal x.
PIVOTLAB_DEVICE inline double power_near_inverse(double x) {
  return std::ldexp(1.0, -std::ilogb(x));
}

/// Solves a block's rows. Grid: one warp per column from `first` on.
struct SolveRows {
  struct Arguments {
    Planes T, Y;         ///< Y: the sums of these rows become their solutions
    std::int64_t first;  ///< row
    double least;        ///< smallest divisor
  };
  static constexpr int threads = 256, columns = threads / 32;
  static constexpr int min_blocks = 2;
  static constexpr int shared_bytes = 16 * solve_rows * solve_rows;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto re = context.template shared<double>(0, solve_rows * solve_rows);
    const auto im = context.template shared<double>(8 * solve_rows * solve_rows, solve_rows * solve_rows);
    for (int e = context.thread(); e < solve_rows * solve_rows; e += threads) {
      const C x = a.T.element(a.first + e % solve_rows, a.first + e / solve_rows);
      re[e] = x.real();
      im[e] = x.imag();
    }
    context.sync();

    const std::int64_t k = a.first + std::int64_t(context.block()) * columns + context.warp();
    const std::int64_t row = a.first + context.lane();
    const C minus_inverse = negated(quotient(C(1.0), divisor(a, row, k)));
    C sum = a.Y.element(row, k), y(row == k ? 1.0 : 0.0);
    for (int i = solve_rows - 1; i >= 0; --i) {
      if (i == context.lane() && row < k) y = multiply(sum, minus_inverse);
      const double latest_re = context.shuffle(y.real(), i);
      const double latest_im = context.shuffle(y.imag(), i);
      const C latest(latest_re, latest_im);
      const int at = i * solve_rows + context.lane();
      if (context.lane() < i) sum = multiply_add(C(re[at], im[at]), latest, sum);
      if (magnitude_1(latest) < 0x1p128) continue;
      const double down = power_near_inverse(magnitude_1(latest));
      sum = C(sum.real() * down, sum.imag() * down);
      y = C(y.real() * down, y.imag() * down);
      scale_others(context, a, k, down);
    }
    a.Y.re[a.Y.at(row, k)] = y.real();
    a.Y.im[a.Y.at(row, k)] = y.imag();
  }

 private:
  PIVOTLAB_DEVICE static C divisor(const Arguments& a, std::int64_t row, std::int64_t k) {
    const C d = sum(a.T.element(row, row), negated(a.T.element(k, k)));
    return modulus(d) < a.least ? C(a.least) : d;
  }

  /// Scales the rows of column k of Y outside of the block.
  template <class Context>
  PIVOTLAB_DEVICE static void scale_others(Context& context, const Arguments& a, std::int64_t k, double factor) {
    for (std::int64_t i = context.lane(); i < a.Y.order; i += 32) {
      if (i >= a.first && i < a.first + solve_rows) continue;
      a.Y.re[a.Y.at(i, k)] *= factor;
      a.Y.im[a.Y.at(i, k)] *= factor;
    }
  }
};

/// Adds T·(rows first… of Y) to the rows above `first` of Y, in the columns from `first` on. Grid: one warp per 16 rows
/// of 32 columns.
struct UpdateSums {
  struct Arguments {
    Planes T, Y;
    std::int64_t first;
  };
  static constexpr int threads = 128, warps = threads / 32;
  static constexpr int min_blocks = 3;
  static constexpr int blocks(std::int64_t order, std::int64_t first) {
    return static_cast<int>((first / 16 * ((order - first) / 32) + warps - 1) / warps);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t item = std::int64_t(context.block()) * warps + context.warp(), strips = a.first / 16;
    const std::int64_t row = item % strips * 16, col = a.first + item / strips * 32;
    if (col >= a.Y.order) return;
    StripProduct y;
    y.load(context, a.Y, row, col);
    for (int k = 0; k < solve_rows; k += 16) y.add(context, a.T, a.Y, row, a.first + k, col);
    y.store(context, a.Y, row, col);
  }
};

/// Computes V := E·Y, where Y is upper triangular in blocks of 32. Grid: one warp per 16 rows of 32 columns, longest
/// products first.
struct MultiplyBasis {
  struct Arguments {
    Planes E, Y, V;
  };
  static constexpr int threads = 128, warps = threads / 32;
  static constexpr int min_blocks = 3;
  static constexpr int blocks(std::int64_t order) {
    return static_cast<int>((order / 16 * (order / 32) + warps - 1) / warps);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t item = std::int64_t(context.block()) * warps + context.warp(), strips = a.E.order / 16;
    const std::int64_t row = item % strips * 16, col = a.E.order - 32 - item / strips * 32;
    if (col < 0) return;
    StripProduct v;
    for (std::int64_t k = 0; k < col + 32; k += 16) v.add(context, a.E, a.Y, row, k, col);
    v.store(context, a.V, row, col);
  }
};

/// Normalizes columns, x := x/‖x‖₂, for elements of any size; 0 remains 0. Grid: one block per column.
struct NormalizeColumns : OverColumns {
  struct Arguments {
    Planes X;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t j = context.block();
    double largest = 0;
    for (std::int64_t i = context.thread(); i < a.X.order; i += threads) {
      const double size = magnitude_1(a.X.element(i, j));
      largest = largest < size ? size : largest;
    }
    largest = maximum_over_block(context, shared, largest);
    if (!(largest > 0)) return;
    const double near_one = power_near_inverse(largest);
    double squares = 0;
    for (std::int64_t i = context.thread(); i < a.X.order; i += threads) {
      const C x = a.X.element(i, j);
      squares += squared_magnitude(C(x.real() * near_one, x.imag() * near_one));
    }
    const double factor = 1 / square_root(sum_over_block(context, shared, squares));
    for (std::int64_t i = context.thread(); i < a.X.order; i += threads) {
      a.X.re[a.X.at(i, j)] *= near_one * factor;
      a.X.im[a.X.at(i, j)] *= near_one * factor;
    }
  }
};

}  // namespace pivotlab::eig_device
