// SPDX-License-Identifier: BSD-3-Clause
// Triangular systems in double-double on a device, by recursion over products.
#pragma once

#include "kernels/extended/product.hpp"

namespace pivotlab::extended {

enum class Triangle { lower, upper };
enum class Diagonal { unit, general };
/// Structure of the right-hand sides: `upper`, zero below the diagonal; `lower`, the last columns, as many as there are
/// rows, are zero above the diagonal; `full`, no structure.
enum class Sides { upper, lower, full };

namespace detail {

/// Computes B := T⁻¹·B for T of order at most 32. One warp per column, one lane per row.
template <class E, Triangle triangle, Diagonal diagonal>
struct SolveSmall {
  struct Arguments {
    MatrixView<const E> T;
    MatrixView<E> B;
  };
  static constexpr int threads = 128, min_blocks = 1;
  static constexpr int warps = threads / 32;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index n = a.T.rows, j = Index(context.block()) * warps + context.warp();
    const int i = context.lane();
    if (j >= a.B.cols) return;  // the whole warp returns
    E x = i < n ? at(a.B, i, j) : E(0);
    for (Index step = 0; step < n; ++step) {
      const Index k = triangle == Triangle::lower ? step : n - 1 - step;
      if constexpr (diagonal == Diagonal::general)
        if (i == k) x /= at(a.T, k, k);
      const E solved = broadcast(context, x, static_cast<int>(k));
      if (triangle == Triangle::lower ? i > k && i < n : i < k) x -= at(a.T, i, k) * solved;
    }
    if (i < n) at(a.B, i, j) = x;
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static DoubleDouble broadcast(Context& context, const DoubleDouble& x, int lane) {
    const double hi = context.shuffle(x.hi(), lane), lo = context.shuffle(x.lo(), lane);
    return DoubleDouble::from_parts(hi, lo);
  }
  template <class Context>
  PIVOTLAB_DEVICE static E broadcast(Context& context, const std::complex<DoubleDouble>& x, int lane) {
    const DoubleDouble re = broadcast(context, x.real(), lane), im = broadcast(context, x.imag(), lane);
    return E(re, im);
  }
};

}  // namespace detail

/// Computes B := T⁻¹·B; the other triangle of T, and a unit diagonal, are not read.
template <Triangle triangle, Diagonal diagonal, class Machine, class E>
void solve_triangular(ExtendedProduct<Machine>& product, MatrixView<const E> T, MatrixView<E> B,
                      Sides sides = Sides::full) {
  const Index n = T.rows;
  if (n == 0 || B.cols == 0) return;
  if (n <= 32) {
    using Body = detail::SolveSmall<E, triangle, diagonal>;
    product.machine().executor.template launch<Body>(static_cast<int>((B.cols + Body::warps - 1) / Body::warps), 0,
                                                     {T, B});
    return;
  }
  const Index half = (n / 2 + 31) / 32 * 32, rest = n - half;  // blocks of 32 are the fastest
  const Index skipped = sides == Sides::upper ? half : 0;
  const MatrixView<const E> T1 = T.block(0, 0, half, half), T2 = T.block(half, half, rest, rest);
  const MatrixView<E> B1 = B.block(0, 0, half, B.cols), B2 = B.block(half, skipped, rest, B.cols - skipped);
  if constexpr (triangle == Triangle::lower) {
    const Sides known = sides == Sides::lower ? Sides::lower : Sides::full;
    const Index count = B.cols - (sides == Sides::lower ? rest : 0);  // B1 is zero after these
    const MatrixView<E> solved = B1.cols_range(0, count);
    solve_triangular<triangle, diagonal>(product, T1, solved, known);
    product.template subtract<E>(T.block(half, 0, rest, half), MatrixView<const E>(solved),
                                 B.block(half, 0, rest, count));
    solve_triangular<triangle, diagonal>(product, T2, B.block(half, 0, rest, B.cols), known);
  } else {
    solve_triangular<triangle, diagonal>(product, T2, B2, sides);
    product.template subtract<E>(T.block(0, half, half, rest), MatrixView<const E>(B2),
                                 B.block(0, skipped, half, B.cols - skipped));
    solve_triangular<triangle, diagonal>(product, T1, B1, sides);
  }
}

}  // namespace pivotlab::extended
