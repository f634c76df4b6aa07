// Kernels for upload and download of matrices. Grid: one block per column.
#pragma once

#include "kernels/eig/device/planes.hpp"

#include <cmath>

namespace pivotlab::eig_device {

/// Converts interleaved complex numbers, times 2^exponent, to planes; the border becomes zero.
struct ImportColumns {
  struct Arguments {
    const double* from;  ///< n × n, interleaved Re and Im
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
      a.to.re[a.to.at(i, j)] = inside ? std::ldexp(a.from[2 * (j * a.n + i)], a.exponent) : 0;
      a.to.im[a.to.at(i, j)] = inside ? std::ldexp(a.from[2 * (j * a.n + i) + 1], a.exponent) : 0;
    }
  }
};

struct SetIdentity {
  struct Arguments {
    Planes X;
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

}  // namespace pivotlab::eig_device
