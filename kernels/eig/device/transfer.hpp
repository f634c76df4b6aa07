// SPDX-License-Identifier: BSD-3-Clause
// Kernels for matrices of the host and of the caller. Grid: one block per column.
#pragma once

#include "kernels/eig/device/device_solver.hpp"
#include "kernels/eig/device/sums.hpp"

#include <cmath>
#include <limits>

namespace pivotlab::eig_device {

/// Computes the sizes of the columns.
struct MeasureColumns : OverColumns {
  struct Arguments {
    GivenMatrix from;
    std::int64_t n;
    double* sizes;  ///< two numbers of each column, those of ColumnSize
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t j = context.block();
    const double* column = a.from.data + j * a.from.stride * a.from.parts;
    double largest = 0, below = 0;
    for (std::int64_t e = context.thread(); e < a.n * a.from.parts; e += threads) {
      double size = std::fabs(column[e]);
      if (!(size <= std::numeric_limits<double>::max())) size = std::numeric_limits<double>::infinity();
      largest = largest < size ? size : largest;
      if (e / a.from.parts > j) below = below < size ? size : below;
    }
    largest = maximum_over_block(context, shared, largest);
    below = maximum_over_block(context, shared, below);
    if (context.thread() != 0) return;
    a.sizes[2 * j] = largest;
    a.sizes[2 * j + 1] = below;
  }
};

/// Converts real or interleaved complex numbers, times 2^exponent, to planes; the border becomes zero.
struct ImportColumns {
  struct Arguments {
    GivenMatrix from;
    std::int64_t n;
    int exponent;
    Planes to;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.to.order; i += threads) {
      const bool inside = i < a.n && j < a.n;
      const double* number = a.from.data + (j * a.from.stride + i) * a.from.parts;
      a.to.re[a.to.at(i, j)] = inside ? std::ldexp(number[0], a.exponent) : 0;
      a.to.im[a.to.at(i, j)] = inside && a.from.parts == 2 ? std::ldexp(number[1], a.exponent) : 0;
    }
  }
};

template <class R = double>
struct SetIdentity {
  struct Arguments {
    PlanesOf<R> X;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.X.order; i += threads) {
      a.X.re[a.X.at(i, j)] = i == j ? 1 : 0;
      a.X.im[a.X.at(i, j)] = 0;
    }
  }
};

/// Exports a plane without the border.
struct ExportPlane {
  struct Arguments {
    const double* from;
    std::int64_t order, n;
    double* to;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.n; i += threads) a.to[j * a.n + i] = a.from[j * a.order + i];
  }
};

/// Sets column k of the caller's matrix to D·x with norm 1, where x is column positions[k] and D = diag 2^d; 0 remains
/// 0.
struct ExportVectors : OverColumns {
  struct Arguments {
    Planes X;
    const int *d, *positions;
    std::int64_t n;
    double* to;  ///< interleaved Re and Im
    std::int64_t stride;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t from = a.positions[context.block()];
    constexpr double none = -1e9;
    double top = none;  // exponent of the largest number
    for (std::int64_t i = context.thread(); i < a.n; i += threads) {
      const double size = magnitude_1(a.X.element(i, from));
      const double exponent = size > 0 ? std::ilogb(size) + a.d[i] : none;
      top = top < exponent ? exponent : top;
    }
    top = maximum_over_block(context, shared, top);
    const auto scaled = [&](std::int64_t i) {
      const C x = a.X.element(i, from);
      const int exponent = top == none ? 0 : a.d[i] - static_cast<int>(top);
      return C(std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent));
    };
    double squares = 0;
    for (std::int64_t i = context.thread(); i < a.n; i += threads) squares += squared_magnitude(scaled(i));
    squares = sum_over_block(context, shared, squares);
    const double factor = squares > 0 ? 1 / square_root(squares) : 0;
    double* to = a.to + 2 * context.block() * a.stride;
    for (std::int64_t i = context.thread(); i < a.n; i += threads) {
      const C x = scaled(i);
      to[2 * i] = x.real() * factor;
      to[2 * i + 1] = x.imag() * factor;
    }
  }
};

}  // namespace pivotlab::eig_device
