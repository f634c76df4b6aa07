// SPDX-License-Identifier: BSD-3-Clause
// Corrections of all columns at once, F, G, Z := …·(I + E), that diagonalize FᴴF and GᴴG up to the square of E: Newton
// steps in place of sweeps over columns that are nearly orthogonal. With ‖g_j‖ = 1, λ_j = ‖f_j‖, f_i*f_j = λ_iλ_j·c_ij
// and g_i*g_j = d_ij, the terms of first order vanish for
//
//   E_ij = λ_j(λ_i·c_ij − λ_j·d_ij)/(λ_j² − λ_i²), i ≠ j
//
// (Ogita & Aishima, Japan J. Indust. Appl. Math. 35 (2018), for pencils). A correction counts as a sweep: it meets all
// pairs of columns, and one without big changes is the last.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/gsvd/device/columns.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/tile_products.hpp"
#include "kernels/gsvd/device/whole_products.hpp"
#include "kernels/gsvd/shared/first_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <pivotlab/interrupt.hpp>
#include <vector>

namespace pivotlab::device {

/// Computes ‖y_j‖². Grid: one block per column.
struct SquareColumns {
  struct Arguments {
    Planes Y;
    double* squares;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_warps);
    const double square = squared_column_norm<false>(context, shared, a.Y, context.block());
    if (context.thread() == 0) a.squares[context.block()] = square;
  }
};

/// Scales F, G and Z by columns and powers of two so that ‖f_j‖·‖g_j‖ is near 1: then rounding errors that are relative
/// to rows of Z and columns of E are small beside those columns of F·Z and G·Z to which they belong, up to the root of
/// the ratio of the largest and the smallest λ. Grid: one block per column.
struct EqualizeColumns {
  struct Arguments {
    Planes F, G, Z;
    const double *f, *g;  ///< [column]: ‖f_j‖², ‖g_j‖²
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block();
    const double square = square_root(a.f[j]) * square_root(a.g[j]);
    if (!(square > 0)) return;
    const double factor = scale_to_one(square_root(square));
    scale_column(context, a.F, j, factor);
    scale_column(context, a.G, j, factor);
    scale_column(context, a.Z, j, factor);
  }
};

/// Computes E in place of FᴴF, zero for columns that are orthogonal within the tolerance, and for the elements below
/// and right of the diagonal element j: sums[0][j], of squares of the largest relative changes of F and G by an
/// element; sums[1][j] and sums[2][j], the numbers of pairs of columns that change, and by more than `big`. Grid: one
/// block per column.
struct FormCorrection {
  struct Arguments {
    Planes S, M;          ///< FᴴF and GᴴG, on and below the diagonal
    const double *f, *g;  ///< [column]: ‖f_j‖², ‖g_j‖²
    double tolerance, big;
    double* sums;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t j = context.block(), n = a.S.rows;
    const double g_j = square_root(a.g[j]), lambda_j = square_root(a.f[j]) / g_j;
    double squares = 0, changes = 0, big_changes = 0;
    for (std::int64_t i = context.thread(); i < n; i += threads) {
      if (i == j)
        for (int part = 0; part < parts(a); ++part) a.S.plane(part)[j * n + j] = 0;
      if (i <= j) continue;
      const double g_i = square_root(a.g[i]), lambda_i = square_root(a.f[i]) / g_i;
      const double square = correct(a, i, j, {g_i, lambda_i}, {g_j, lambda_j});
      squares += square;
      changes += square == 0 ? 0 : 1;
      big_changes += square <= a.big * a.big ? 0 : 1;
    }
    auto shared = context.template shared<double>(0, column_warps);
    double* const sums[] = {a.sums, a.sums + n, a.sums + 2 * n};
    const double of_thread[] = {squares, changes, big_changes};
    for (int k = 0; k < 3; ++k) {
      const double sum = sum_over_block(context, shared, of_thread[k]);
      if (context.thread() == 0) sums[k][j] = sum;
    }
  }

 private:
  struct Column {
    double g, lambda;  ///< ‖g_j‖, ‖f_j‖/‖g_j‖
  };
  static PIVOTLAB_DEVICE int parts(const Arguments& a) { return a.S.im == nullptr ? 1 : 2; }

  /// Computes E_ij and E_ji. Returns the square of the largest change.
  static PIVOTLAB_DEVICE double correct(const Arguments& a, std::int64_t i, std::int64_t j, const Column& x,
                                        const Column& y) {
    const std::int64_t below = j * a.S.rows + i, above = i * a.S.rows + j;
    const double to_d = 1.0 / (x.g * y.g), to_c = to_d / (x.lambda * y.lambda);
    double c[2] = {}, d[2] = {};
    for (int part = 0; part < parts(a); ++part) {
      c[part] = a.S.plane(part)[below] * to_c;
      d[part] = a.M.plane(part)[below] * to_d;
    }
    const double least = a.tolerance * a.tolerance;
    const bool orthogonal = c[0] * c[0] + c[1] * c[1] <= least && d[0] * d[0] + d[1] * d[1] <= least;
    const double per_gap = 1.0 / ((y.lambda - x.lambda) * (y.lambda + x.lambda));
    double of_i = 0, of_j = 0;
    for (int part = 0; part < parts(a); ++part) {
      const double e_ij = orthogonal ? 0.0 : (x.lambda * c[part] - y.lambda * d[part]) * (y.lambda * per_gap);
      const double e_ji = orthogonal ? 0.0 : (y.lambda * c[part] - x.lambda * d[part]) * (-x.lambda * per_gap);
      a.S.plane(part)[below] = e_ij * (y.g / x.g);
      a.S.plane(part)[above] = (part == 0 ? e_ji : -e_ji) * (x.g / y.g);
      of_j += e_ij * e_ij;
      of_i += e_ji * e_ji;
    }
    const double ratio = x.lambda / y.lambda;
    of_j *= ratio > 1 ? ratio * ratio : 1.0;
    of_i /= ratio < 1 ? ratio * ratio : 1.0;
    return of_i > of_j ? of_i : of_j;
  }
};

template <class Executor, class Shape>
class Corrections {
 public:
  /// E is computed in E's memory, for a matrix like Z, which is free when run() is called.
  Corrections(Executor& executor, const SolverPlan& plan, const Planes& F, const Planes& G, const Planes& Z,
              const Planes& E, WholeProducts<Executor, Shape>& products)
      : executor_(executor),
        products_(products),
        rules_(plan.rules),
        columns_(static_cast<int>(plan.columns)),
        F_(F),
        G_(G),
        Z_(Z),
        E_(E),
        M_(executor, Shape::complex, plan.columns, plan.columns),
        squares_(executor.template allocate<double>(2 * std::size_t(columns_))),
        sums_(executor.template allocate<double>(3 * std::size_t(columns_))) {}

  /// Corrects the columns as long as it converges, at most `most` times. Columns have other lengths then.
  SweepsResult run(int most) {
    SweepsResult result;
    const double spread = equalize();
    double last = std::numeric_limits<double>::infinity();
    auto before = stopwatch_.mark();
    while (static_cast<int>(result.sweeps.size()) < most && !result.converged) {
      throw_if_interrupted();
      TileCounters counters{};
      const double size = form(counters);
      const double bits = gsvd_detail::bits_of_correction(size, spread);
      if (!gsvd_detail::may_correct(size, last) || !(bits <= products_.most_bits)) break;
      last = size;
      for (const Planes& Y : {F_, G_, Z_})
        if (size > 0) products_.add(Y, E_, bits);
      const auto after = stopwatch_.mark();
      executor_.synchronize();
      result.sweeps.push_back({counters, stopwatch_.seconds(before, after)});
      result.converged = counters.big == 0;
      before = after;
    }
    return result;
  }

 private:
  /// Returns the ratio of the largest and the smallest λ.
  double equalize() {
    square_columns();
    executor_.template launch<EqualizeColumns>(columns_, 0, {F_, G_, Z_, f(), g()});
    const std::vector<double> squares = downloaded(squares_);
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (int j = 0; j < columns_; ++j) {
      const double lambda = std::sqrt(squares[j]) / std::sqrt(squares[columns_ + j]);
      least = std::min(least, lambda), most = std::max(most, lambda);
    }
    return most / least;
  }

  /// Computes E. Returns a bound of its norm, relative to the lengths of the columns of F and G.
  double form(TileCounters& counters) {
    square_columns();
    products_.gram(F_, E_);
    products_.gram(G_, M_.planes());
    executor_.template launch<FormCorrection>(
        columns_, FormCorrection::shared_bytes,
        {E_, M_.planes(), f(), g(), rules_.tolerance, rules_.root_eps, sums_.data()});
    const std::vector<double> sums = downloaded(sums_);
    const auto sum = [&](int k) { return std::accumulate(&sums[k * columns_], &sums[k * columns_] + columns_, 0.0); };
    counters.transformations = static_cast<std::uint64_t>(sum(1));
    counters.big = static_cast<std::uint64_t>(sum(2));
    return std::sqrt(2 * sum(0));
  }

  void square_columns() {
    executor_.template launch<SquareColumns>(columns_, SquareColumns::shared_bytes, {F_, f()});
    executor_.template launch<SquareColumns>(columns_, SquareColumns::shared_bytes, {G_, g()});
  }
  double* f() const { return squares_.data(); }
  double* g() const { return squares_.data() + columns_; }
  std::vector<double> downloaded(const Buffer<double>& numbers) {
    std::vector<double> result(numbers.size());
    executor_.download(result.data(), numbers.data(), result.size());
    return result;
  }

  Executor& executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  WholeProducts<Executor, Shape>& products_;
  PairRules<double> rules_;
  int columns_;
  Planes F_, G_, Z_, E_;
  PlaneMatrix<Executor> M_;
  Buffer<double> squares_, sums_;
};

}  // namespace pivotlab::device
