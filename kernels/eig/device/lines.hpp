// SPDX-License-Identifier: BSD-3-Clause
// Kernels for whole rows and columns: diagonal transformations (balancing before the first sweep, and at the end
// of each), norms.
#pragma once

#include "kernels/eig/device/sums.hpp"
#include "kernels/eig/shared/diagonal.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

namespace pivotlab::eig_device {

/// Sums over columns and rows without the diagonal: sums of squares, or of |Re| + |Im|. Grid: one block per column,
/// then one block per 32 rows.
template <bool squares, class R = double>
struct SumLines {
  struct Arguments {
    PlanesOf<R> A;
    double *columns, *rows;  ///< [order]
  };
  static constexpr int threads = line_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = 8 * line_threads;
  static constexpr int blocks(std::int64_t order) { return static_cast<int>(order + order / 32); }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_threads);
    const std::int64_t order = a.A.order;
    double sum = 0;
    if (context.block() < order) {
      const std::int64_t j = context.block();
      for (std::int64_t i = context.thread(); i < order; i += threads) sum += i == j ? 0 : measure(a.A.in_double(i, j));
      sum = sum_over_block(context, shared, sum);
      if (context.thread() == 0) a.columns[j] = sum;
    } else {
      const std::int64_t i = (context.block() - order) * 32 + context.lane();
#pragma unroll 8  // eight columns are loaded at once
      for (std::int64_t j = context.warp(); j < order; j += line_warps)
        sum += i == j ? 0 : measure(a.A.in_double(i, j));
      shared[context.thread()] = sum;
      context.sync();
      if (context.warp() != 0) return;
      for (int warp = 1; warp < line_warps; ++warp) sum += shared[warp * 32 + context.lane()];
      a.rows[i] = sum;
    }
  }

 private:
  PIVOTLAB_DEVICE static double measure(const C& x) {
    return squares ? squared_magnitude(x) : magnitude_1(x);
  }
};

/// √ε of a type.
template <class R>
inline constexpr double root_epsilon = sizeof(R) == sizeof(double) ? 0x1p-26 : 0x1.6a09e6p-12;

/// Returns √ε·‖A‖_F.
PIVOTLAB_DEVICE inline double noise_of(double norm_squared, double root_epsilon = 0x1p-26) {
  return root_epsilon * square_root(norm_squared);
}

/// Computes t_j and 1/t_j, its inverse up to rounding.
struct DiagonalParameters {
  struct Arguments {
    const double *columns, *rows;
    std::int64_t order;
    const double* norm_squared;  ///< ‖A‖_F² before the sweep
    double root_epsilon;
    double exponent;
    double *t, *inverse;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = std::int64_t(context.block()) * threads + context.thread();
    if (j >= a.order) return;
    const double noise = noise_of(*a.norm_squared, a.root_epsilon);
    a.t[j] = eig_detail::diagonal_parameter(a.columns[j], a.rows[j], noise, a.exponent);
    a.inverse[j] = 1 / a.t[j];
  }
};

/// Computes the parameters rounded to powers of two, and adds their exponents to d.
struct BalancingParameters {
  struct Arguments {
    const double *columns, *rows;
    std::int64_t order;
    double *t, *inverse;
    int* d;
  };
  static constexpr int threads = 64;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = std::int64_t(context.block()) * threads + context.thread();
    if (j >= a.order) return;
    const int exponent = eig_detail::balancing_exponent(a.columns[j], a.rows[j]);
    a.d[j] += exponent;
    a.t[j] = std::ldexp(1.0, exponent);
    a.inverse[j] = std::ldexp(1.0, -exponent);
  }
};

/// Computes A := D⁻¹·A·D, E := E·D, E⁻ᵀ := E⁻ᵀ·D⁻¹. Grid: one block per column of each matrix.
template <class R = double>
struct ScaleLines {
  struct Arguments {
    PlanesOf<R> A, E, inverse_transposed;  ///< null if not requested
    const double *t, *inverse;
  };
  static constexpr int threads = line_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t order = a.A.order, j = context.block() % order;
    const auto matrix = context.block() / order;
    const PlanesOf<R>& X = matrix == 0 ? a.A : matrix == 1 && a.E.re != nullptr ? a.E : a.inverse_transposed;
    const bool of_inverse = X.re == a.inverse_transposed.re;
    const double factor = of_inverse ? a.inverse[j] : a.t[j];
    for (std::int64_t i = context.thread(); i < order; i += threads) {
      const double both = matrix != 0 ? factor : i == j ? 1 : factor * a.inverse[i];
      X.re[X.at(i, j)] = R(X.re[X.at(i, j)] * both);
      X.im[X.at(i, j)] = R(X.im[X.at(i, j)] * both);
    }
  }
};

/// Finds the largest part of every column.
struct FindLargestParts : OverColumns {
  struct Arguments {
    Planes A;
    double* largest;  ///< [order]
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t j = context.block();
    double largest = 0;
    for (std::int64_t i = context.thread(); i < a.A.order; i += threads) {
      const double re = absolute(a.A.re[a.A.at(i, j)]), im = absolute(a.A.im[a.A.at(i, j)]);
      const double larger = re < im ? im : re;
      largest = largest < larger ? larger : largest;
    }
    largest = maximum_over_block(context, shared, largest);
    if (context.thread() == 0) a.largest[j] = largest;
  }
};

/// Computes A := 2^exponent·A with its largest part in [1, 2).
struct ScaleToOne : OverColumns {
  struct Arguments {
    Planes A;
    const double* largest;  ///< [order]
    int* exponent;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    double largest = 0;
    for (std::int64_t j = context.thread(); j < a.A.order; j += threads)
      largest = largest < a.largest[j] ? a.largest[j] : largest;
    largest = maximum_over_block(context, shared, largest);
    const int exponent = largest > 0 ? -std::ilogb(largest) : 0;
    const std::int64_t j = context.block();
    for (std::int64_t i = context.thread(); i < a.A.order; i += threads) {
      double& re = a.A.re[a.A.at(i, j)];
      double& im = a.A.im[a.A.at(i, j)];
      re = std::ldexp(re, exponent);
      im = std::ldexp(im, exponent);
    }
    if (j == 0 && context.thread() == 0) *a.exponent = exponent;
  }
};

/// Norms of an iterate.
struct Norms {
  double squared;        ///< ‖A‖_F²
  double lower_squared;  ///< sum of squares of the strictly lower part
  double off_squared;    ///< without the diagonal
  double largest_upper;  ///< largest modulus in the upper triangle
  double largest_tau;    ///< since τ was last cleared
};
inline constexpr int norms_doubles = sizeof(Norms) / sizeof(double);

/// Sums over the parts of columns, [part][column]; copies the diagonal.
template <class R = double>
struct SumParts : OverColumns {
  struct Arguments {
    PlanesOf<R> A;
    double* sums;      ///< [upper, diagonal, lower, largest square of upper and diagonal][order]
    double* diagonal;  ///< [order][2]
  };

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t j = context.block(), order = a.A.order;
    double upper = 0, lower = 0, largest = 0;
    for (std::int64_t i = context.thread(); i < order; i += threads) {
      const double square = squared_magnitude(a.A.in_double(i, j));
      upper += i < j ? square : 0;
      lower += i > j ? square : 0;
      largest = i <= j && largest < square ? square : largest;
    }
    upper = sum_over_block(context, shared, upper);
    lower = sum_over_block(context, shared, lower);
    largest = maximum_over_block(context, shared, largest);
    if (context.thread() != 0) return;
    a.sums[j] = upper;
    a.sums[order + j] = squared_magnitude(a.A.in_double(j, j));
    a.sums[2 * order + j] = lower;
    a.sums[3 * order + j] = largest;
    a.diagonal[2 * j] = a.A.re[a.A.at(j, j)];
    a.diagonal[2 * j + 1] = a.A.im[a.A.at(j, j)];
  }
};

/// Combines the sums of columns to norms. Grid: one block.
struct CollectNorms {
  struct Arguments {
    const double* sums;  ///< of SumParts
    std::int64_t order;
    const double* taus_squared;
    int tau_count;
    double* norms;  ///< Norms
  };
  static constexpr int threads = line_threads;
  static constexpr int min_blocks = 1;
  static constexpr int shared_bytes = sum_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto shared = context.template shared<double>(0, line_warps);
    double parts[3];
    for (int part = 0; part < 3; ++part) {
      double sum = 0;
      for (std::int64_t j = context.thread(); j < a.order; j += threads) sum += a.sums[part * a.order + j];
      parts[part] = sum_over_block(context, shared, sum);
    }
    double largest = 0, tau_squared = 0;
    for (std::int64_t j = context.thread(); j < a.order; j += threads)
      largest = largest < a.sums[3 * a.order + j] ? a.sums[3 * a.order + j] : largest;
    for (int k = context.thread(); k < a.tau_count; k += threads)
      tau_squared = tau_squared < a.taus_squared[k] ? a.taus_squared[k] : tau_squared;
    largest = maximum_over_block(context, shared, largest);
    tau_squared = maximum_over_block(context, shared, tau_squared);
    if (context.thread() != 0) return;
    const double off = parts[0] + parts[2];
    const double norms[norms_doubles] = {off + parts[1], parts[2], off, square_root(largest), square_root(tau_squared)};
    for (int i = 0; i < norms_doubles; ++i) a.norms[i] = norms[i];
  }
};

}  // namespace pivotlab::eig_device
