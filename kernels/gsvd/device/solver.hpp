// SPDX-License-Identifier: BSD-3-Clause
// The blocked Hari–Zimmermann algorithm as a sequence of kernels.
//
//   import F, G; border them to n = 2w·k;  Z := I;  prescaled variants: F, G, Z := …·diag(1/‖g_j‖)
//   variants with mixed: first sweeps with F, G, Z stored in single precision (first_sweeps.hpp)
//   record, once: every step of the outer strategy, all its pivot block pairs at once (block_step.hpp)
//   replay until a sweep had no big transformations;  after each, clear columns of F that consist of rounding noise;
//     rescale F, G, Z by columns
//   extract Σ_F, Σ_G, U, V, Z; export
//
// The host reads only counters and flags, after each sweep, unless F is rank deficient. Device memory: F, G, Z, and
// O(n) more; with mixed as much again and half of it. With several ranks a solver holds two stripes instead of the
// pair; kernels/gsvd/distributed controls its steps.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/gsvd/device/block_step.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/first_sweeps.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/gsvd/shared/convergence.hpp"
#include "kernels/gsvd/shared/tolerances.hpp"

#include <algorithm>
#include <optional>
#include <pivotlab/interrupt.hpp>
#include <utility>

namespace pivotlab::device {

template <class Executor, class Shape>
class Solver final : public DeviceSolver {
 public:
  template <class... ExecutorArguments>
  explicit Solver(const SolverPlan& plan, ExecutorArguments&&... arguments)
      : executor_(std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        F_(executor_, Shape::complex, bordered(plan.rows_f), plan.columns),
        G_(executor_, Shape::complex, bordered(plan.rows_g), plan.columns),
        Z_(executor_, Shape::complex, plan.order, plan.columns),
        step_(executor_, plan_, F_.planes(), G_.planes(), Z_.planes()),
        outer_strategy_{upload_pairs(plan.outer_strategy), {}},
        across_{upload_pairs(plan.across), {}},
        counters_(executor_.template allocate<TileCounters>(1)),
        bounds_{executor_.template allocate<double>(F_.planes().rows + plan.order),
                executor_.template allocate<double>(G_.planes().rows + plan.order)},
        doubtful_(executor_.template allocate<int>(plan.columns)),
        results_(executor_.template allocate<ColumnResult>(plan.columns)),
        order_(executor_.template allocate<int>(plan.columns)),
        staging_columns_(
            std::clamp<std::int64_t>((std::int64_t(64) << 20) / (8 * Shape::parts * largest_rows()), 1, plan.columns)),
        staging_(executor_.template allocate<double>(std::size_t(staging_columns_) * Shape::parts * largest_rows())) {
    if (plan.first_in_single) first_sweeps_.emplace(executor_, plan_, F_.planes(), G_.planes(), Z_.planes());
    if (!plan.spare_stripe) return;
    for (const auto* Y : {&F_, &G_, &Z_})
      spare_.emplace_back(executor_, Shape::complex, Y->planes().rows, plan.columns / 2);
  }

  void import_pair(const double* F, std::int64_t stride_f, const double* G, std::int64_t stride_g) override {
    import_matrix(F, stride_f, plan_.rows_f, plan_.n, F_.planes());
    import_matrix(G, stride_g, plan_.rows_g, plan_.n, G_.planes());
    if (plan_.order > plan_.n)
      for (const auto& [rows, Y] : {std::pair{plan_.rows_f, F_.planes()}, std::pair{plan_.rows_g, G_.planes()}})
        set_diagonal(Y, rows, plan_.n, plan_.order - plan_.n);
    set_diagonal(Z_.planes(), 0, 0, plan_.order);
    executor_.synchronize();
  }

  IterationResult iterate(const NoiseJudge& noise_among) override {
    IterationResult result;
    const auto start = stopwatch_.mark();
    find_bound(F_.planes(), bound_f());
    find_bound(G_.planes(), bound_g());
    prescale();
    if (first_sweeps_)
      static_cast<SweepsResult&>(result) = first_sweeps_->run(step_, outer_strategy_.tiles, counters_.data());
    if (result.converged) {
      if (const auto doubtful = doubtful_columns(); !doubtful.empty()) clear_columns(noise_among(doubtful));
    } else {
      const SweepsResult rest = sweep(plan_.max_outer_sweeps - static_cast<int>(result.sweeps.size()), noise_among);
      result.converged = rest.converged;
      result.sweeps.insert(result.sweeps.end(), rest.sweeps.begin(), rest.sweeps.end());
    }
    launch_extract();
    const auto end = stopwatch_.mark();
    executor_.synchronize();
    result.compute_seconds = stopwatch_.seconds(start, end);
    result.columns = extracted();
    return result;
  }

  void import_stripes(const double* F, const double* G, const std::int64_t (&first)[2]) override {
    import_matrix(F, bordered(plan_.rows_f), bordered(plan_.rows_f), plan_.columns, F_.planes());
    import_matrix(G, bordered(plan_.rows_g), bordered(plan_.rows_g), plan_.columns, G_.planes());
    const std::int64_t width = plan_.columns / 2;
    for (int place = 0; place < 2; ++place) set_diagonal(Z_.planes(), first[place], place * width, width);
    executor_.synchronize();
  }

  void set_noise_bound(const std::vector<double>& rows, const std::vector<double>& columns) override {
    for (auto& bound : bounds_)
      executor_.fill_zero(bound.data(), bound.size());  // including padded rows, and the
                                                        // bound of G
    const MagnitudeBound bound = bound_f();
    executor_.upload(bound.rows, rows.data(), rows.size());
    executor_.upload(bound.columns, columns.data(), columns.size());
  }

  void prescale() override {
    if (plan_.prescaled) scale_columns(false, plan_.enhanced);
  }

  SweepsResult sweep(int max_sweeps, const NoiseJudge& noise_among) override {
    return sweep(outer_strategy_, max_sweeps, noise_among);
  }
  SweepsResult sweep_across(const NoiseJudge& noise_among) override { return sweep(across_, 1, noise_among); }

  std::vector<int> doubtful_columns() override {
    find_doubtful();
    return flagged_columns();
  }

  void clear_columns(const std::vector<int>& columns) override {
    if (columns.empty()) return;
    executor_.upload(order_.data(), columns.data(), columns.size());
    executor_.template launch<ClearColumns>(static_cast<int>(columns.size()), 0, {F_.planes(), order_.data()});
  }

  std::vector<StripePart> stripe(int place) override {
    executor_.synchronize();
    return parts_of(place);
  }

  void copy_stripe(int from, int to) override {
    const auto source = parts_of(from), target = parts_of(to);
    for (std::size_t k = 0; k < source.size(); ++k) executor_.copy(target[k].data, source[k].data, source[k].size);
  }

  void swap_stripes() override {
    const auto first = parts_of(0), second = parts_of(1);
    for (std::size_t k = 0; k < first.size(); ++k)
      for (std::size_t at = 0; at < first[k].size; at += staging_.size()) {
        const std::size_t count = std::min(staging_.size(), first[k].size - at);
        executor_.copy(staging_.data(), first[k].data + at, count);
        executor_.copy(first[k].data + at, second[k].data + at, count);
        executor_.copy(second[k].data + at, staging_.data(), count);
      }
  }

  void download_stripe(int place, double* to) override {
    for (const StripePart& part : parts_of(place)) {
      executor_.download(to, part.data, part.size);
      to += part.size;
    }
  }

  void upload_stripe(int place, const double* from) override {
    for (const StripePart& part : parts_of(place)) {
      executor_.upload(part.data, from, part.size);
      from += part.size;
    }
  }

  std::vector<ColumnResult> extract() override {
    launch_extract();
    executor_.synchronize();
    return extracted();
  }

  void export_columns(Which which, const std::vector<int>& order, std::int64_t rows, double* target,
                      std::int64_t stride) override {
    const Planes& source = which == Which::U ? F_.planes() : which == Which::V ? G_.planes() : Z_.planes();
    executor_.upload(order_.data(), order.data(), order.size());
    for_staged_columns(static_cast<std::int64_t>(order.size()), [&](std::int64_t first, int count) {
      executor_.template launch<ExportColumns>(count, 0, {source, order_.data() + first, rows, staging_.data()});
      copy_columns(rows, count, target + first * stride * Shape::parts, stride,
                   [&](double* to, std::int64_t from, std::int64_t doubles) {
                     executor_.download(to, staging_.data() + from, doubles);
                   });
    });
  }

 private:
  /// The pairs of a strategy, step by step, and the kernels of a sweep after they have been recorded.
  struct Pairs {
    Buffer<PivotPair> tiles;
    std::optional<typename Executor::Recording> sweep;
  };

  SweepsResult sweep(Pairs& pairs, int max_sweeps, const NoiseJudge& noise_among) {
    SweepsResult result;
    if (!pairs.sweep) pairs.sweep.emplace(executor_.record([&] { record_sweep(pairs.tiles); }));
    auto before = stopwatch_.mark();
    while (static_cast<int>(result.sweeps.size()) < max_sweeps) {
      throw_if_interrupted();
      executor_.replay(*pairs.sweep);
      const auto after = stopwatch_.mark();
      TileCounters total;
      executor_.download(&total, counters_.data(), 1);
      result.sweeps.push_back({total, stopwatch_.seconds(before, after)});
      before = after;
      const std::vector<int> doubtful = flagged_columns();
      if (!doubtful.empty()) clear_columns(noise_among(doubtful));
      if (gsvd_detail::has_converged(result.sweeps, &SweepResult::counters)) {
        result.converged = true;
        break;
      }
      scale_columns(true, false);
    }
    return result;
  }

  Buffer<PivotPair> upload_pairs(const StrategyTable& table) {
    auto buffer = executor_.template allocate<PivotPair>(table.pairs.size());
    executor_.upload(buffer.data(), table.pairs.data(), table.pairs.size());
    return buffer;
  }

  std::int64_t bordered(std::int64_t rows) const { return rows + plan_.order - plan_.n; }
  std::int64_t largest_rows() const { return std::max({bordered(plan_.rows_f), bordered(plan_.rows_g), plan_.order}); }

  /// Returns the parts of a stripe of F, G and Z, the imaginary part after the real one.
  std::vector<StripePart> parts_of(int place) const {
    const Planes of_pair[] = {F_.planes(), G_.planes(), Z_.planes()};
    std::vector<StripePart> parts;
    for (std::size_t k = 0; k < 3; ++k) {
      const Planes& Y = place == 2 ? spare_[k].planes() : of_pair[k];
      const std::int64_t size = Y.rows * (plan_.columns / 2), at = place == 2 ? 0 : place * size;
      for (int part = 0; part < Shape::parts; ++part)
        parts.push_back({Y.plane(part) + at, static_cast<std::size_t>(size)});
    }
    return parts;
  }

  /// Calls work(first, count) for ranges of columns that fit the staging buffer.
  template <class Work>
  void for_staged_columns(std::int64_t columns, Work&& work) {
    for (std::int64_t first = 0; first < columns; first += staging_columns_)
      work(first, static_cast<int>(std::min(staging_columns_, columns - first)));
  }

  /// Calls copy(host pointer, offset in the staging buffer, doubles): once if the host's columns are contiguous.
  template <class Pointer, class Copy>
  static void copy_columns(std::int64_t rows, int count, Pointer* host, std::int64_t stride, Copy&& copy) {
    const std::int64_t column = rows * Shape::parts;
    if (stride == rows) {
      copy(host, 0, column * count);
      return;
    }
    for (int j = 0; j < count; ++j) copy(host + j * stride * Shape::parts, j * column, column);
  }

  void import_matrix(const double* source, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                     const Planes& target) {
    for_staged_columns(columns, [&](std::int64_t first, int count) {
      copy_columns(rows, count, source + first * stride * Shape::parts, stride,
                   [&](const double* from, std::int64_t to, std::int64_t doubles) {
                     executor_.upload(staging_.data() + to, from, doubles);
                   });
      executor_.template launch<ImportColumns>(count, 0, {staging_.data(), rows, static_cast<int>(first), target});
    });
  }

  void set_diagonal(const Planes& target, std::int64_t row, std::int64_t column, std::int64_t count) {
    const auto blocks = static_cast<int>((count + SetDiagonal::threads - 1) / SetDiagonal::threads);
    executor_.template launch<SetDiagonal>(blocks, 0, {target, row, column, count});
  }

  void scale_columns(bool with_f, bool enhanced) {
    const auto columns = static_cast<int>(plan_.columns);
    if (enhanced)
      executor_.template launch<ScaleColumns<true>>(columns, ScaleColumns<true>::shared_bytes,
                                                    {F_.planes(), G_.planes(), Z_.planes(), with_f});
    else
      executor_.template launch<ScaleColumns<false>>(columns, ScaleColumns<false>::shared_bytes,
                                                     {F_.planes(), G_.planes(), Z_.planes(), with_f});
  }

  void record_sweep(const Buffer<PivotPair>& tiles) {
    step_.zero_counters();
    for (std::size_t s = 0; s < tiles.size(); s += step_.tiles()) step_.run(tiles.data() + s);
    step_.finish_products();
    step_.sum_counters(counters_.data());
    find_doubtful();
  }

  void find_doubtful() {
    executor_.template launch<FindDoubtfulColumns>(static_cast<int>(plan_.columns), FindDoubtfulColumns::shared_bytes,
                                                   {F_.planes(), Z_.planes(), bound_f(), doubtful_.data()});
  }

  MagnitudeBound bound_f() { return bound(F_.planes().rows, bounds_[0].data()); }
  MagnitudeBound bound_g() { return bound(G_.planes().rows, bounds_[1].data()); }
  MagnitudeBound bound(std::int64_t rows, double* memory) const {
    return {memory, memory + rows, noise_level<double>(rows, plan_.n)};
  }

  void find_bound(const Planes& Y, const MagnitudeBound& bound) {
    const auto blocks = static_cast<int>((Y.rows + BoundRows::threads - 1) / BoundRows::threads);
    executor_.template launch<BoundRows>(blocks, 0, {Y, plan_.order, bound});
    executor_.template launch<BoundColumns>(static_cast<int>(plan_.order), BoundColumns::shared_bytes, {Y, bound});
  }

  /// Returns the columns that find_doubtful() has marked.
  std::vector<int> flagged_columns() {
    std::vector<int> flags(static_cast<std::size_t>(plan_.columns)), flagged;
    executor_.download(flags.data(), doubtful_.data(), flags.size());
    for (std::size_t j = 0; j < flags.size(); ++j)
      if (flags[j] != 0) flagged.push_back(static_cast<int>(j));
    return flagged;
  }

  void launch_extract() {
    Buffer<int> exponents;
    if (!plan_.row_exponents.empty()) {
      exponents = executor_.template allocate<int>(plan_.row_exponents.size());
      executor_.upload(exponents.data(), plan_.row_exponents.data(), plan_.row_exponents.size());
    }
    executor_.template launch<Extract>(static_cast<int>(plan_.columns), Extract::shared_bytes,
                                       {F_.planes(), G_.planes(), Z_.planes(), plan_.n, exponents.data(),
                                        plan_.f_exponent, bound_g(), results_.data()});
    executor_.synchronize();  // the exponents are released here
  }

  std::vector<ColumnResult> extracted() {
    std::vector<ColumnResult> columns(static_cast<std::size_t>(plan_.columns));
    executor_.download(columns.data(), results_.data(), columns.size());
    return columns;
  }

  Executor executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  SolverPlan plan_;
  PlaneMatrix<Executor> F_, G_, Z_;
  std::vector<PlaneMatrix<Executor>> spare_;  // for a stripe of F, G and Z, if the plan requires it
  BlockStep<Executor, Shape> step_;
  std::optional<FirstSweeps<Executor, Shape>> first_sweeps_;
  Pairs outer_strategy_, across_;
  Buffer<TileCounters> counters_;
  Buffer<double> bounds_[2];
  Buffer<int> doubtful_;
  Buffer<ColumnResult> results_;
  Buffer<int> order_;
  std::int64_t staging_columns_;
  Buffer<double> staging_;
};

/// Makes the solver for the scalar and the width (16 or 32) of a plan.
template <class Executor, class... ExecutorArguments>
std::unique_ptr<DeviceSolver> make_solver(const SolverPlan& plan, ExecutorArguments&&... arguments) {
  return with_shape(plan, [&]<class Shape>(Shape) -> std::unique_ptr<DeviceSolver> {
    return std::make_unique<Solver<Executor, Shape>>(plan, std::forward<ExecutorArguments>(arguments)...);
  });
}

}  // namespace pivotlab::device
