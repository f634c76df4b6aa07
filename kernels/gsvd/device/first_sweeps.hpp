// SPDX-License-Identifier: BSD-3-Clause
// The first sweeps with F, G and Z stored in single precision, which halves the traffic of a step; sums, factors and
// transformations are those of double precision. Then F := F·Z₁ and G := G·Z₁ are formed in double precision from the
// given F and G and corrected (corrections.hpp), or nothing is changed (../shared/first_sweeps.hpp).
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/gsvd/device/block_step.hpp"
#include "kernels/gsvd/device/corrections.hpp"

#include <algorithm>
#include <cmath>
#include <pivotlab/interrupt.hpp>
#include <utility>
#include <vector>

namespace pivotlab::device {

/// Rounds F and G, scaled by powers of two so that f_j*f_j + g_j*g_j is near 1, to single precision, and sets Z to the
/// identity. Grid: one block per column.
struct BeginInSingle {
  struct Arguments {
    Planes F, G, Z;  ///< Z is diagonal
    PlanesOf<float> rough_F, rough_G, rough_Z;
    double* scale;       ///< [column]: of F and G; 0 if f_j or g_j is too small beside the other
    double* scale_of_z;  ///< [column]: of Z relative to the identity
    ColumnSizes sizes;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = column_warps * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto shared = context.template shared<double>(0, column_warps);
    const std::int64_t j = context.block();
    const double f = squared_column_norm<false>(context, shared, a.F, j);
    const double g = squared_column_norm<false>(context, shared, a.G, j);
    const double scale = scale_to_one(square_root(f + g));
    const int parts = a.Z.im == nullptr ? 1 : 2;
    for (int part = 0; part < parts; ++part) {
      round(context, a, 0, a.F, a.rough_F, part, scale);
      round(context, a, 1, a.G, a.rough_G, part, scale);
      for (std::int64_t i = context.thread(); i < a.Z.rows; i += threads)
        a.rough_Z.plane(part)[j * a.Z.rows + i] = part == 0 && i == j ? 1.0F : 0.0F;
    }
    if (context.thread() != 0) return;
    for (int part = 0; part < parts; ++part)
      a.sizes.size[(2 * parts + part) * a.sizes.columns + j] = digits::size_of(part == 0 ? 1.0F : 0.0F);
    a.scale[j] = gsvd_detail::fit_in_single(f, g) ? scale : 0.0;
    a.scale_of_z[j] = scale * a.Z.re[j * a.Z.rows + j];
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static void round(Context& context, const Arguments& a, int matrix, const Planes& Y,
                                    const PlanesOf<float>& rough, int part, double scale) {
    const std::int64_t j = context.block();
    std::int32_t size = 0;
    for (std::int64_t i = context.thread(); i < Y.rows; i += threads) {
      const auto x = static_cast<float>(Y.plane(part)[j * Y.rows + i] * scale);
      rough.plane(part)[j * Y.rows + i] = x;
      size = digits::larger(size, digits::size_of(x));
    }
    const int parts = Y.im == nullptr ? 1 : 2;
    context.raise(a.sizes.size + (matrix * parts + part) * a.sizes.columns + j, size);
  }
};

/// Computes W := diag(scale)·Z₁. Grid: one block per column.
struct ScaleRows {
  struct Arguments {
    PlanesOf<float> rough_Z;
    const double* scale;
    Planes W;
  };
  static constexpr int threads = column_threads;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t at = context.block() * a.W.rows;
    for (int part = 0; part < (a.W.im == nullptr ? 1 : 2); ++part)
      for (std::int64_t i = context.thread(); i < a.W.rows; i += threads)
        a.W.plane(part)[at + i] = a.scale[i] * static_cast<double>(a.rough_Z.plane(part)[at + i]);
  }
};

template <class Executor, class Shape>
class FirstSweeps {
 public:
  FirstSweeps(Executor& executor, const SolverPlan& plan, const Planes& F, const Planes& G, const Planes& Z)
      : executor_(executor),
        plan_(plan),
        columns_(static_cast<int>(plan.columns)),
        F_(F),
        G_(G),
        Z_(Z),
        memory_(executor.template allocate<double>(size_of(F.rows < G.rows ? G : F))),
        rough_Z_(executor, Shape::complex, Z.rows, plan.columns),
        digits_(executor, columns_),
        scales_(executor.template allocate<double>(2 * std::size_t(columns_))),
        squares_(executor.template allocate<double>(std::size_t(columns_))),
        products_(executor, plan.columns, {F, G, Z}),
        corrections_(executor, plan, F, G, Z, planes_at<double>(0, Z.rows), products_) {
    const auto rough_F = planes_at<float>(0, F.rows);
    rough_[0] = rough_F, rough_[1] = planes_at<float>(size_of(F), G.rows), rough_[2] = rough_Z_.planes();
  }

  /// Does these sweeps by `step` over the pairs of block columns, step by step, and corrects what they leave;
  /// `counters` is device memory. Z is diagonal before. Without sweeps in the result F, G and Z are as before.
  SweepsResult run(BlockStep<Executor, Shape>& step, const Buffer<PivotPair>& pairs, TileCounters* counters) {
    const auto recording = executor_.record([&] {
      step.zero_counters();
      for (std::size_t s = 0; s < pairs.size(); s += step.tiles()) step.run(pairs.data() + s, rough_, digits_);
      step.finish_products();
      step.sum_counters(counters);
    });
    auto before = stopwatch_.mark();
    digits_.zero_sizes(executor_);
    executor_.template launch<BeginInSingle>(
        columns_, BeginInSingle::shared_bytes,
        {F_, G_, Z_, rough_[0], rough_[1], rough_[2], scales_.data(), scales_.data() + columns_, digits_.sizes()});
    if (!are_positive(scales_)) return {};
    SweepsResult result;
    std::vector<SweepResult>& sweeps = result.sweeps;
    const auto left = [&] { return plan_.max_outer_sweeps - static_cast<int>(sweeps.size()); };
    bool converges = false, ended = false;
    for (std::uint64_t big = 0, previous; !ended && left() > 0 && std::ssize(sweeps) < gsvd_detail::most_in_single;) {
      throw_if_interrupted();
      executor_.replay(recording);
      const auto after = stopwatch_.mark();
      TileCounters total;
      executor_.download(&total, counters, 1);
      if (total.qr_tiles != 0) return {};
      sweeps.push_back({total, stopwatch_.seconds(before, after), true});
      before = after;
      previous = std::exchange(big, total.big);
      ended = converges;
      converges = gsvd_detail::converges_in_single(big, previous);
      ended = ended || (converges && big <= gsvd_detail::few_big);
    }
    const bool stagnated = !ended && left() > 0;
    if (sweeps.empty() || stagnated || !form_pair()) return {};
    const auto after = stopwatch_.mark();
    executor_.synchronize();
    sweeps.back().seconds += stopwatch_.seconds(before, after);
    const SweepsResult corrections = corrections_.run(left());
    sweeps.insert(sweeps.end(), corrections.sweeps.begin(), corrections.sweeps.end());
    result.converged = corrections.converged;
    executor_.template launch<ScaleColumns<false>>(columns_, ScaleColumns<false>::shared_bytes, {F_, G_, Z_, true});
    return result;
  }

 private:
  std::size_t size_of(const Planes& Y) const { return std::size_t(Shape::parts * Y.rows) * std::size_t(columns_); }

  /// Returns planes in memory_, which floats of F and G share with factors of the products in double precision.
  template <class Stored>
  PlanesOf<Stored> planes_at(std::size_t at, std::int64_t rows) const {
    Stored* const re = reinterpret_cast<Stored*>(memory_.data()) + at;
    return {re, Shape::complex ? re + rows * columns_ : nullptr, rows};
  }

  /// Computes F := F·Z₁, G := G·Z₁ and Z, if all elements of Z₁ are numbers.
  bool form_pair() {
    const Planes W = planes_at<double>(0, Z_.rows);
    executor_.template launch<ScaleRows>(columns_, 0, {rough_[2], scales_.data(), W});
    executor_.template launch<SquareColumns>(columns_, SquareColumns::shared_bytes, {W, squares_.data()});
    if (!are_positive(squares_)) return false;
    for (const Planes& Y : {F_, G_}) products_.multiply(Y, W);
    executor_.template launch<ScaleRows>(columns_, 0, {rough_[2], scales_.data() + columns_, Z_});
    return true;
  }

  /// Returns whether the first numbers, one of each column, are positive and finite.
  bool are_positive(const Buffer<double>& numbers) {
    std::vector<double> x(static_cast<std::size_t>(columns_));
    executor_.download(x.data(), numbers.data(), x.size());
    return std::ranges::all_of(x, [](double number) { return number > 0 && std::isfinite(number); });
  }

  Executor& executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  const SolverPlan& plan_;
  int columns_;
  Planes F_, G_, Z_;
  Buffer<double> memory_;
  PlaneMatrix<Executor, float> rough_Z_;
  DigitMemory<Executor, Shape> digits_;
  PlanesOf<float> rough_[3];
  Buffer<double> scales_, squares_;
  WholeProducts<Executor, Shape> products_;
  Corrections<Executor, Shape> corrections_;
};

}  // namespace pivotlab::device
