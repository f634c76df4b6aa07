// SPDX-License-Identifier: BSD-3-Clause
// The small matrices of a panel of reflectors in the reduction to band form.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/two_stage/reflector_blocks.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

/// From 1/τ, the upper triangle of VᴴV and VᴴY, Y = A·V: T with I − V·T·Vᴴ = H₁·H₂⋯, and −½·Tᴴ·(VᴴY)·T, one above the
/// other in `result` (2b × b), so that W = [Y V]·result has A − V·Wᴴ − W·Vᴴ = (I − V·T·Vᴴ)ᴴ·A·(I − V·T·Vᴴ).
///
/// T grows from 1/τ inverted, by blocks of k = 1, 2, 4, …: T₁₂ = −T₁·(V₁ᴴV₂)·T₂. One block of threads; products of
/// real matrices by tensor cores, a tile of 16 × 8 for a warp. Shared memory: three matrices by columns (+ 4).
template <class T>
struct PanelTriangle {
  static constexpr int b = bandwidth, stride = b + 4;  // fragments without bank conflicts
  static constexpr int threads = 512, min_blocks = 1, warps = threads / warp_size;
  static constexpr int shared_bytes = 3 * b * stride * static_cast<int>(sizeof(T));

  struct Arguments {
    const T* inverse_tau;
    MatrixView<const T> gram, v_y;
    MatrixView<T> result;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    constexpr int size = b * stride, bytes = size * static_cast<int>(sizeof(T));
    const auto t = context.template shared<T>(0, size), x = context.template shared<T>(bytes, size),
               y = context.template shared<T>(2 * bytes, size);
    const int thread = context.thread();
    for (int e = thread; e < b * b; e += threads) {
      const int i = e % b, j = e / b;
      t[i + j * stride] = i == j ? quotient(T(1), a.inverse_tau[i]) : T(0);
      y[i + j * stride] = a.gram.data[i + j * a.gram.stride];
    }
    context.sync();
    for (int k = 1; k < 16; k *= 2) {
      const int pair = thread / (k * k), first = 2 * k * pair, i = first + thread % k, j = first + k + thread / k % k;
      const bool has_element = thread < b / 2 * k;
      if (has_element) {  // x := (V₁ᴴV₂)·T₂ of each pair of blocks
        T s(0);
        for (int l = first + k; l <= j; ++l) s = multiply_add(T(y[i + l * stride]), T(t[l + j * stride]), s);
        x[i + j * stride] = s;
      }
      context.sync();
      if (has_element) {
        T s(0);
        for (int l = i; l < first + k; ++l) s = multiply_add(T(t[i + l * stride]), T(x[l + j * stride]), s);
        t[i + j * stride] = negated(s);
      }
      context.sync();
    }
    for (int k = 16; k < b; k *= 2)
      for (int first = 0; first < b; first += 2 * k) {
        const int above = first + (first + k) * stride, below = (first + k) * (stride + 1);
        product<false>(context, y + above, t + below, k,
                       [&](int i, int j, const T& s) { x[above + i + j * stride] = s; });
        context.sync();
        product<false>(context, t + first * (stride + 1), x + above, k,
                       [&](int i, int j, const T& s) { t[above + i + j * stride] = negated(s); });
        context.sync();
      }
    for (int e = thread; e < b * b; e += threads) {
      const int i = e % b, j = e / b;
      y[i + j * stride] = a.v_y.data[i + j * a.v_y.stride];
      a.result.data[i + j * a.result.stride] = t[i + j * stride];
    }
    context.sync();
    product<false>(context, y, t, b, [&](int i, int j, const T& s) { x[i + j * stride] = s; });
    context.sync();
    product<true>(context, t, x, b,
                  [&](int i, int j, const T& s) { a.result.data[b + i + j * a.result.stride] = multiply(T(-0.5), s); });
  }

 private:
  /// Calls store(i, j, sum) for the elements of A·B or Aᴴ·B, n × n.
  template <bool adjoint, class Context, class Array, class Store>
  PIVOTLAB_DEVICE static void product(Context& context, const Array& A, const Array& B, int n, const Store& store) {
    if constexpr (is_complex<T>) {
      for (int e = context.thread(); e < n * n; e += threads) {
        const int i = e % n, j = e / n;
        T s(0);
        for (int l = 0; l < n; ++l)
          s = multiply_add(adjoint ? conjugate(T(A[l + i * stride])) : T(A[i + l * stride]), T(B[l + j * stride]), s);
        store(i, j, s);
      }
    } else {
      const int group = context.lane() / 4, in_group = context.lane() % 4;
      for (int tile = context.warp(); tile < n / 16 * (n / 8); tile += warps) {
        const int row = tile % (n / 16) * 16 + group, column = tile / (n / 16) * 8;
        double sums[4] = {};
        for (int k = in_group; k < n; k += 16) {
          double left[8], right[4];
          for (int e = 0; e < 8; ++e) {
            const int i = row + 8 * (e % 2), l = k + 4 * (e / 2);
            left[e] = adjoint ? A[l + i * stride] : A[i + l * stride];
          }
          for (int e = 0; e < 4; ++e) right[e] = B[k + 4 * e + (column + group) * stride];
          context.mma(sums, left, right);
        }
        for (int e = 0; e < 4; ++e) store(row + 8 * (e / 2), column + 2 * in_group + e % 2, sums[e]);
      }
    }
  }
};

}  // namespace pivotlab::two_stage
