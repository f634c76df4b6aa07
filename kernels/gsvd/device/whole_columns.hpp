// SPDX-License-Identifier: BSD-3-Clause
// Kernels for whole columns before, between and after the sweeps: import with bordering, scaling, extraction of the
// decomposition, export. Grid: one block per column.
#pragma once

#include "kernels/gsvd/device/columns.hpp"
#include "kernels/gsvd/device/noise.hpp"
#include "kernels/gsvd/shared/column_values.hpp"
#include "kernels/gsvd/shared/tolerances.hpp"

namespace pivotlab::device {

/// Divides columns of F, G and Z by √‖g_j‖² at the start of the prescaled variants, by √(‖f_j‖² + ‖g_j‖²) between
/// sweeps.
template <bool enhanced>
struct ScaleColumns {
  struct Arguments {
    Planes F, G, Z;
    bool with_f;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_warps);
    const std::int64_t j = context.block();
    double squared = squared_column_norm<enhanced>(context, shared, a.G, j);
    if (a.with_f) squared += squared_column_norm<enhanced>(context, shared, a.F, j);
    if (squared == 1) return;
    const double factor = 1.0 / square_root(squared);
    scale_column(context, a.F, j, factor);
    scale_column(context, a.G, j, factor);
    scale_column(context, a.Z, j, factor);
  }
};

/// Imports columns of the caller's matrix, real or interleaved complex, into planes. The border's columns have a one
/// below the caller's rows (section 3.1).
struct ImportColumns {
  struct Arguments {
    const double* source;  ///< columns first… of the caller's matrix, rows × count
    std::int64_t rows;
    int first;
    Planes target;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int parts = a.target.im == nullptr ? 1 : 2;
    const double* source = a.source + std::int64_t(context.block()) * a.rows * parts;
    const std::int64_t at = (a.first + std::int64_t(context.block())) * a.target.rows;
    for (std::int64_t i = context.thread(); i < a.rows; i += threads)
      for (int part = 0; part < parts; ++part) a.target.plane(part)[at + i] = source[i * parts + part];
  }
};

/// Sets ones on the diagonal from element (row, column) down: the border, or an identity.
struct SetDiagonal {
  struct Arguments {
    Planes target;
    std::int64_t row, column, count;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    for (std::int64_t i = context.block() * threads + context.thread(); i < a.count; i += context.blocks() * threads)
      a.target.re[(a.column + i) * a.target.rows + a.row + i] = 1;
  }
};

/// Exports columns order[first…] of planes in the layout of the caller's matrix.
struct ExportColumns {
  struct Arguments {
    Planes source;
    const int* order;
    std::int64_t rows;
    double* target;  ///< rows × count
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int parts = a.source.im == nullptr ? 1 : 2;
    double* target = a.target + std::int64_t(context.block()) * a.rows * parts;
    const std::int64_t at = std::int64_t(a.order[context.block()]) * a.source.rows;
    for (std::int64_t i = context.thread(); i < a.rows; i += threads)
      for (int part = 0; part < parts; ++part) target[i * parts + part] = a.source.plane(part)[at + i];
  }
};

/// The results of the extraction of one column of the decomposition.
struct ColumnResult {
  double sigma_f, sigma_g, sigma;
  int own;          ///< belongs to the pair, not to the border
  int significant;  ///< G·z is more than rounding noise
};

/// Does section 3.4 at the end of the iteration: F and G become U and V, Z is normalized, and Σ_F, Σ_G and Σ are
/// computed.
struct Extract {
  struct Arguments {
    Planes F, G, Z;
    std::int64_t order;        ///< order of the pair
    const int* row_exponents;  ///< of Z, to undo the scaling of the pair; null without scaling
    int f_exponent;            ///< F was multiplied by 2^f_exponent
    MagnitudeBound bound_g;    ///< of the original G
    ColumnResult* results;     ///< [column]
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_warps);
    const std::int64_t j = context.block();
    const double norm_f = square_root(squared_column_norm<false>(context, shared, a.F, j));
    const double g = square_root(squared_column_norm<false>(context, shared, a.G, j));
    const double scaled_f = is_null_column(norm_f, g) ? 0.0 : norm_f;
    const bool significant = stands_out(context, shared, a.G, a.Z, j, a.bound_g);

    bool in_border = false;
    for (std::int64_t i = a.order + context.thread(); i < a.Z.rows; i += threads)
      in_border |= !(a.Z.re[j * a.Z.rows + i] == 0);
    const int border_threads = context.count(in_border);

    scale_column(context, a.F, j, scaled_f != 0 ? 1.0 / scaled_f : 0.0);  // what is left of a collapsed column is noise
    scale_column(context, a.G, j, 1.0 / g);
    const ColumnValues<double> values = values_of_column(scaled_f, g, a.f_exponent);
    for (int part = 0; part < (a.Z.im == nullptr ? 1 : 2); ++part)
      for (std::int64_t i = context.thread(); i < a.Z.rows; i += threads) {
        double& x = a.Z.plane(part)[j * a.Z.rows + i];
        x *= values.factor;
        if (a.row_exponents != nullptr && i < a.order) x = std::ldexp(x, a.row_exponents[i] + values.exponent);
      }
    if (context.thread() == 0)
      a.results[j] = {values.sigma_f, values.sigma_g, values.sigma, border_threads == 0, significant};
  }
};

/// Sums counters over the tiles of a sweep. One warp; each lane sums some tiles.
template <class Counters>
struct ReduceCounters {
  struct Arguments {
    const Counters* tiles;
    int count;
    Counters* total;
  };
  static constexpr int threads = 32;
  static constexpr int min_blocks = 1;
  static constexpr int shared_bytes = 32 * sizeof(Counters);

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<Counters>(0, 32);
    Counters sum{};
    for (int tile = context.lane(); tile < a.count; tile += 32) sum.add(a.tiles[tile]);
    shared[context.lane()] = sum;
    context.sync_warp();
    if (context.lane() != 0) return;
    for (int lane = 1; lane < 32; ++lane) sum.add(shared[lane]);
    *a.total = sum;
  }
};

}  // namespace pivotlab::device
