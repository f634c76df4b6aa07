// SPDX-License-Identifier: BSD-3-Clause
// Kernels for whole columns before, between and after the sweeps. Grid, unless stated otherwise: one block per column.
#pragma once

#include "kernels/gsvd/device/columns.hpp"
#include "kernels/gsvd/device/gram.hpp"
#include "kernels/jacobi/device/device_solver.hpp"

namespace pivotlab::jacobi {

/// Returns the largest number of all threads, in thread 0, or NaN. `shared` has one double per thread.
template <int threads, class Context, class Array>
PIVOTLAB_DEVICE inline double largest_of_block(Context& context, const Array& shared, double x) {
  shared[context.thread()] = x;
  context.sync();
  if (context.thread() == 0)
    for (int t = 1; t < threads; ++t) x = larger_or_nan(x, shared[t]);
  return x;
}

/// Computes the largest real or imaginary part of each column of the caller's matrix in modulus.
struct LargestParts {
  struct Arguments {
    CallerMatrix matrix;
    int parts;
    std::int64_t rows;
    double* largest;  ///< [column]
  };
  static constexpr int threads = device::column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = threads * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, threads);
    const double* column = a.matrix.data + context.block() * a.matrix.stride * a.parts;
    double largest = 0;
    for (std::int64_t i = context.thread(); i < a.rows * a.parts; i += threads)
      largest = larger_or_nan(largest, absolute(column[i]));
    largest = largest_of_block<threads>(context, shared, largest);
    if (context.thread() == 0) a.largest[context.block()] = largest;
  }
};

/// Computes ‖2^exponent·g_j‖ of the caller's columns.
struct ScaledNorms {
  struct Arguments {
    CallerMatrix matrix;
    int parts;
    std::int64_t rows;
    int exponent;
    double* norms;  ///< [column]
  };
  static constexpr int threads = device::column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = device::column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, device::column_warps);
    const double* column = a.matrix.data + context.block() * a.matrix.stride * a.parts;
    double sum = 0;
    for (std::int64_t i = context.thread(); i < a.rows * a.parts; i += threads) {
      const double x = std::ldexp(column[i], a.exponent);
      sum = fused(x, x, sum);
    }
    sum = device::sum_over_block(context, shared, sum);
    if (context.thread() == 0) a.norms[context.block()] = square_root(sum);
  }
};

/// Imports columns order[0], order[1], … of the caller's matrix, multiplied by 2^exponent, into planes.
struct ImportOrdered {
  struct Arguments {
    CallerMatrix source;
    std::int64_t rows;
    int exponent;
    const int* order;
    device::Planes target;
  };
  static constexpr int threads = device::column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int parts = a.target.im == nullptr ? 1 : 2;
    const double* source = a.source.data + a.order[context.block()] * a.source.stride * parts;
    const std::int64_t at = context.block() * a.target.rows;
    for (std::int64_t i = context.thread(); i < a.rows; i += threads)
      for (int part = 0; part < parts; ++part)
        a.target.plane(part)[at + i] = std::ldexp(source[i * parts + part], a.exponent);
  }
};

/// Computes ‖g_j‖. With `noise`, columns that are not larger than their noise become zero, and cleared[j] is set to 1,
/// otherwise to 0.
struct ColumnNorms {
  struct Arguments {
    device::Planes G;
    double* norms;        ///< [column], or null
    const double* noise;  ///< [column], or null
    int* cleared;         ///< [column], with noise
  };
  static constexpr int threads = device::column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = device::column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, device::column_warps);
    const std::int64_t j = context.block();
    const double norm = square_root(device::squared_column_norm<false>(context, shared, a.G, j));
    const bool is_noise = a.noise != nullptr && !(norm == 0 || norm > a.noise[j]);
    if (is_noise) device::scale_column(context, a.G, j, 0.0);
    if (context.thread() != 0) return;
    if (a.norms != nullptr) a.norms[j] = norm;
    if (a.noise != nullptr) a.cleared[j] = is_noise;
  }
};

/// Updates largest[tile], the largest |cos| of different columns, or NaN, from the tile's Gram matrix. Grid: one block
/// per tile.
template <class Shape>
struct LargestCosine {
  static constexpr int k = Shape::order;
  struct Arguments {
    const double* sums;  ///< of Gram
    int chunks;
    double* largest;  ///< [tile]
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr int gram_bytes = Shape::real_columns * Shape::real_columns * 8;
  static constexpr int shared_bytes = gram_bytes + threads * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto gram = context.template shared<double>(0, Shape::real_columns * Shape::real_columns);
    auto shared = context.template shared<double>(gram_bytes, threads);
    const std::int64_t tile = context.block();
    device::add_chunks<Shape, threads>(context, a.sums + tile * a.chunks * device::GramLayout<Shape>::elements,
                                       a.chunks, gram);
    context.sync();
    double largest = 0;
    for (int e = context.thread(); e < k * k; e += threads) {
      const int i = e % k, j = e / k;
      if (i < j) largest = larger_or_nan(largest, cosine(gram, i, j));
    }
    largest = largest_of_block<threads>(context, shared, largest);
    if (context.thread() == 0) a.largest[tile] = larger_or_nan(a.largest[tile], largest);
  }

 private:
  template <class Array>
  PIVOTLAB_DEVICE static double cosine(const Array& gram, int i, int j) {
    double xx[Shape::parts], yy[Shape::parts], xy[Shape::parts];
    device::load_element<Shape>(gram, i, i, xx);
    device::load_element<Shape>(gram, j, j, yy);
    device::load_element<Shape>(gram, i, j, xy);
    const auto products = jacobi_products<Shape::complex>(
        PivotMatrix<double>{xx[0], yy[0], xy[0], Shape::complex ? xy[Shape::parts - 1] : 0.0});
    return products.norms == 0 ? 0.0 : products.c / products.norms;
  }
};

/// Exports columns order[0], order[1], … of planes in the layout of the caller's matrix.
struct ExportOrdered {
  struct Arguments {
    device::Planes source;
    const int* order;
    const int* row;       ///< row[i] of the target is row i of the source; null for the same rows
    const double* norms;  ///< [column of the source], its divisor unless zero; null for none
    std::int64_t rows;
    CallerMatrix target;
  };
  static constexpr int threads = device::column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int parts = a.source.im == nullptr ? 1 : 2, from = a.order[context.block()];
    double* target = a.target.data + context.block() * a.target.stride * parts;
    const double norm = a.norms == nullptr || a.norms[from] == 0 ? 1 : a.norms[from];
    for (std::int64_t i = context.thread(); i < a.rows; i += threads)
      for (int part = 0; part < parts; ++part)
        target[(a.row == nullptr ? i : a.row[i]) * parts + part] =
            a.source.plane(part)[from * a.source.rows + i] / norm;
  }
};

}  // namespace pivotlab::jacobi
