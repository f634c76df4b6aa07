// The blocked Hari–Zimmermann algorithm as a sequence of kernels.
//
//   import F, G; border them to n = 2w·k;  Z := I;  prescaled variants: F, G, Z := …·diag(1/‖g_j‖)
//   record, once: for every step of the outer strategy, all its pivot block pairs at once
//       Gram            S_F, S_G of [F_p F_q], [G_p G_q], by chunks of rows           (gram.hpp)
//       CholeskyFactor  F̂, Ĝ                                                        (factor.hpp)
//       QrFactor        the same for tiles whose Cholesky factorization failed        (qr_factor.hpp)
//       DiagonalizeTile Ẑ by inner sweeps on (F̂, Ĝ)                                  (tile.hpp)
//       PostMultiply    [F_p F_q], [G_p G_q], [Z_p Z_q] := …·Ẑ                        (postmultiply.hpp)
//   replay until a sweep had no big transformations;  rescale F, G, Z by columns between sweeps
//   extract Σ_F, Σ_G, U, V, Z; export
//
// Nothing returns to the host within a sweep. Device memory: F, G, Z, and O(n) more.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/factor.hpp"
#include "kernels/gsvd/device/gram.hpp"
#include "kernels/gsvd/device/postmultiply.hpp"
#include "kernels/gsvd/device/qr_factor.hpp"
#include "kernels/gsvd/device/tile.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"

#include <algorithm>
#include <optional>

namespace pivotlab::device {

/// A matrix in an executor's memory.
template <class Executor>
class PlaneMatrix {
 public:
  PlaneMatrix(Executor& executor, bool complex, std::int64_t rows, std::int64_t columns) {
    planes_.rows = (rows + row_multiple - 1) / row_multiple * row_multiple;
    const auto size = static_cast<std::size_t>(planes_.rows * columns);
    memory_ = executor.template allocate<double>(size * (complex ? 2 : 1));
    executor.fill_zero(memory_.data(), memory_.size());
    planes_.re = memory_.data();
    planes_.im = complex ? memory_.data() + size : nullptr;
  }
  const Planes& planes() const { return planes_; }

 private:
  Buffer<double> memory_;
  Planes planes_;
};

/// How the rows of the products are cut among blocks: a function of the shape alone, so that the bits do not depend on
/// the device.
template <class Shape>
struct Partition {
  std::int64_t chunk_rows;
  int chunks;          // of F and G in Gram
  int strips;          // of 16 rows in a chunk of PostMultiply
  int first_chunk[4];  // of F, G, Z

  static constexpr int wanted_blocks = 528;  // four for each of 132 multiprocessors

  Partition(int tiles, std::int64_t rows_f, std::int64_t rows_g, std::int64_t rows_z) {
    const std::int64_t rows = std::max(rows_f, rows_g), unit = Gram<Shape>::strip_rows;
    const std::int64_t units = (rows + unit - 1) / unit;
    const std::int64_t wanted = std::clamp<std::int64_t>((wanted_blocks + 2 * tiles - 1) / (2 * tiles), 1, 32);
    chunk_rows = std::max<std::int64_t>((units + wanted - 1) / wanted, 1) * unit;
    chunks = static_cast<int>((rows + chunk_rows - 1) / chunk_rows);

    constexpr int warps = PostMultiply<Shape>::threads / 32;
    const std::int64_t all_strips = (rows_f + rows_g + rows_z) / 16;
    strips = warps * static_cast<int>(std::clamp<std::int64_t>(all_strips * tiles / (4 * wanted_blocks * warps), 1, 8));
    first_chunk[0] = 0;
    const std::int64_t of[3] = {rows_f, rows_g, rows_z};
    for (int i = 0; i < 3; ++i)
      first_chunk[i + 1] = first_chunk[i] + static_cast<int>((of[i] / 16 + strips - 1) / strips);
  }
};

template <class Executor, class Shape>
class Solver final : public DeviceSolver {
 public:
  template <class... ExecutorArguments>
  explicit Solver(const SolverPlan& plan, ExecutorArguments&&... arguments)
      : executor_(std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        F_(executor_, Shape::complex, plan.rows_f + plan.order - plan.n, plan.order),
        G_(executor_, Shape::complex, plan.rows_g + plan.order - plan.n, plan.order),
        Z_(executor_, Shape::complex, plan.order, plan.order),
        tiles_(static_cast<int>(plan.order / Shape::order)),
        partition_(tiles_, F_.planes().rows, G_.planes().rows, Z_.planes().rows),
        outer_(upload_pairs(plan.outer)),
        inner_(upload_pairs(plan.inner)),
        sums_(executor_.template allocate<double>(std::size_t(2) * tiles_ * partition_.chunks *
                                                  GramLayout<Shape>::elements)),
        factors_(executor_.template allocate<double>(std::size_t(2) * tiles_ * Shape::elements)),
        independence_(executor_.template allocate<double>(std::size_t(2) * tiles_)),
        lost_(executor_.template allocate<int>(std::size_t(2) * tiles_)),
        transformations_(
            executor_.template allocate<double>(std::size_t(tiles_) * TransformationLayout<Shape>::elements)),
        moved_(executor_.template allocate<int>(tiles_)),
        counters_(executor_.template allocate<TileCounters>(std::size_t(tiles_) + 1)),
        row_norms_(executor_.template allocate<double>(G_.planes().rows)),
        results_(executor_.template allocate<ColumnResult>(plan.order)),
        order_(executor_.template allocate<int>(plan.order)),
        staging_columns_(
            std::clamp<std::int64_t>((std::int64_t(64) << 20) / (8 * Shape::parts * largest_rows()), 1, plan.n)),
        staging_(executor_.template allocate<double>(std::size_t(staging_columns_) * Shape::parts * largest_rows())) {
    sorted_rows_ = 1;
    while (sorted_rows_ < std::max(F_.planes().rows, G_.planes().rows)) sorted_rows_ *= 2;
    const std::size_t slots = qr_slots();
    qr_columns_ = executor_.template allocate<double>(slots * Shape::parts * Shape::order * sorted_rows_);
    qr_keys_ = executor_.template allocate<double>(slots * sorted_rows_);
    qr_rows_ = executor_.template allocate<int>(slots * sorted_rows_);
    if (plan_.factor == FactorKind::qr) {
      const std::vector<int> all(std::size_t(2) * tiles_, 1);
      executor_.upload(lost_.data(), all.data(), all.size());
    }
  }

  void import_pair(const double* F, std::int64_t stride_f, const double* G, std::int64_t stride_g) override {
    import_matrix(F, stride_f, plan_.rows_f, F_.planes());
    import_matrix(G, stride_g, plan_.rows_g, G_.planes());
    set_diagonal(Z_.planes(), 0, 0, plan_.order);
    executor_.synchronize();
  }

  IterationResult iterate() override {
    IterationResult result;
    const auto start = stopwatch_.mark();
    const auto rows = static_cast<int>((G_.planes().rows + RowNorms::threads - 1) / RowNorms::threads);
    executor_.template launch<RowNorms>(rows, 0, {G_.planes(), plan_.order, row_norms_.data()});
    if (plan_.prescaled) scale_columns(false, plan_.enhanced);
    const auto sweep = executor_.record([&] { record_sweep(); });
    auto before = stopwatch_.mark();
    while (static_cast<int>(result.sweeps.size()) < plan_.max_outer_sweeps) {
      executor_.replay(sweep);
      const auto after = stopwatch_.mark();
      TileCounters total;
      executor_.download(&total, counters_.data() + tiles_, 1);
      result.sweeps.push_back({total, stopwatch_.seconds(before, after)});
      before = after;
      if (total.big == 0) {
        result.converged = true;
        break;
      }
      scale_columns(true, false);
    }
    extract();
    const auto end = stopwatch_.mark();
    executor_.synchronize();
    result.compute_seconds = stopwatch_.seconds(start, end);
    result.columns.resize(plan_.order);
    executor_.download(result.columns.data(), results_.data(), result.columns.size());
    return result;
  }

  void export_columns(Which which, const std::vector<int>& order, double* target, std::int64_t stride) override {
    const Planes& source = which == Which::U ? F_.planes() : which == Which::V ? G_.planes() : Z_.planes();
    const std::int64_t rows = which == Which::U ? plan_.rows_f : which == Which::V ? plan_.rows_g : plan_.n;
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
  Buffer<BlockPair> upload_pairs(const std::vector<BlockPair>& pairs) {
    auto buffer = executor_.template allocate<BlockPair>(pairs.size());
    executor_.upload(buffer.data(), pairs.data(), pairs.size());
    return buffer;
  }

  std::int64_t largest_rows() const { return std::max({plan_.rows_f, plan_.rows_g, plan_.n}); }
  int qr_slots() const { return std::min(2 * tiles_, 32); }

  /// work(first, count) for columns that fit the staging buffer.
  template <class Work>
  void for_staged_columns(std::int64_t columns, Work&& work) {
    for (std::int64_t first = 0; first < columns; first += staging_columns_)
      work(first, static_cast<int>(std::min(staging_columns_, columns - first)));
  }

  /// copy(host pointer, offset in the staging buffer, doubles): all at once where the host's columns are contiguous.
  template <class Pointer, class Copy>
  static void copy_columns(std::int64_t rows, int count, Pointer* host, std::int64_t stride, Copy&& copy) {
    const std::int64_t column = rows * Shape::parts;
    if (stride == rows) {
      copy(host, 0, column * count);
      return;
    }
    for (int j = 0; j < count; ++j) copy(host + j * stride * Shape::parts, j * column, column);
  }

  void import_matrix(const double* source, std::int64_t stride, std::int64_t rows, const Planes& target) {
    for_staged_columns(plan_.n, [&](std::int64_t first, int count) {
      copy_columns(rows, count, source + first * stride * Shape::parts, stride,
                   [&](const double* from, std::int64_t to, std::int64_t doubles) {
                     executor_.upload(staging_.data() + to, from, doubles);
                   });
      executor_.template launch<ImportColumns>(count, 0, {staging_.data(), rows, static_cast<int>(first), target});
    });
    if (plan_.order > plan_.n) set_diagonal(target, rows, plan_.n, plan_.order - plan_.n);
  }

  void set_diagonal(const Planes& target, std::int64_t row, std::int64_t column, std::int64_t count) {
    const auto blocks = static_cast<int>((count + SetDiagonal::threads - 1) / SetDiagonal::threads);
    executor_.template launch<SetDiagonal>(blocks, 0, {target, row, column, count});
  }

  void scale_columns(bool with_f, bool enhanced) {
    const auto columns = static_cast<int>(plan_.order);
    if (enhanced)
      executor_.template launch<ScaleColumns<true>>(columns, ScaleColumns<true>::shared_bytes,
                                                    {F_.planes(), G_.planes(), Z_.planes(), with_f});
    else
      executor_.template launch<ScaleColumns<false>>(columns, ScaleColumns<false>::shared_bytes,
                                                     {F_.planes(), G_.planes(), Z_.planes(), with_f});
  }

  void record_sweep() {
    executor_.fill_zero(counters_.data(), tiles_);
    const std::size_t steps = plan_.outer.size() / tiles_;
    for (std::size_t s = 0; s < steps; ++s) record_step(outer_.data() + s * tiles_);
    executor_.template launch<ReduceCounters>(1, ReduceCounters::shared_bytes,
                                              {counters_.data(), tiles_, counters_.data() + tiles_});
  }

  void record_step(const BlockPair* pairs) {
    const Factors factors{factors_.data(), independence_.data(), lost_.data()};
    if (plan_.factor != FactorKind::qr) {
      executor_.template launch<Gram<Shape>>(
          2 * tiles_ * partition_.chunks, Gram<Shape>::shared_bytes,
          {{F_.planes(), G_.planes()}, pairs, tiles_, partition_.chunks, partition_.chunk_rows, sums_.data()});
      executor_.template launch<CholeskyFactor<Shape>>(
          2 * tiles_, CholeskyFactor<Shape>::shared_bytes,
          {sums_.data(), partition_.chunks, plan_.factor == FactorKind::pivoted, factors});
    }
    executor_.template launch<QrFactor<Shape>>(qr_slots(), QrFactor<Shape>::shared_bytes,
                                               {{F_.planes(), G_.planes()},
                                                pairs,
                                                tiles_,
                                                factors,
                                                qr_columns_.data(),
                                                qr_keys_.data(),
                                                qr_rows_.data(),
                                                static_cast<int>(sorted_rows_)});
    plan_.enhanced ? diagonalize<true>(factors) : diagonalize<false>(factors);
    const int* first = partition_.first_chunk;
    executor_.template launch<PostMultiply<Shape>>(tiles_ * first[3], PostMultiply<Shape>::shared_bytes,
                                                   {{F_.planes(), G_.planes(), Z_.planes()},
                                                    pairs,
                                                    transformations_.data(),
                                                    moved_.data(),
                                                    {first[0], first[1], first[2], first[3]},
                                                    partition_.strips});
  }

  template <bool enhanced>
  void diagonalize(const Factors& factors) {
    using Body = DiagonalizeTile<Shape, enhanced>;
    typename Body::Arguments a{};
    a.factors = factors;
    a.tiles = tiles_;
    a.strategy = inner_.data();
    a.steps = static_cast<int>(plan_.inner.size() / (Shape::order / 2));
    a.max_sweeps = plan_.max_inner_sweeps;
    a.prescaled = plan_.prescaled;
    a.sorting = plan_.sorting;
    a.count_lost = plan_.factor != FactorKind::qr;
    a.rules = plan_.rules;
    a.safe_independence = plan_.safe_independence;
    a.transformations = transformations_.data();
    a.moved = moved_.data();
    a.counters = counters_.data();
    executor_.template launch<Body>(tiles_, Body::shared_bytes, a);
  }

  void extract() {
    Buffer<int> exponents;
    if (!plan_.row_exponents.empty()) {
      exponents = executor_.template allocate<int>(plan_.row_exponents.size());
      executor_.upload(exponents.data(), plan_.row_exponents.data(), plan_.row_exponents.size());
    }
    const double noise = static_cast<double>(std::max(plan_.rows_g, plan_.n)) * 2.220446049250313e-16;
    executor_.template launch<Extract>(static_cast<int>(plan_.order), Extract::shared_bytes,
                                       {F_.planes(), G_.planes(), Z_.planes(), plan_.n, exponents.data(),
                                        plan_.f_exponent, row_norms_.data(), noise, results_.data()});
    executor_.synchronize();  // the exponents end their life here
  }

  Executor executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  SolverPlan plan_;
  PlaneMatrix<Executor> F_, G_, Z_;
  int tiles_;
  Partition<Shape> partition_;
  Buffer<BlockPair> outer_, inner_;
  Buffer<double> sums_, factors_, independence_;
  Buffer<int> lost_;
  Buffer<double> transformations_;
  Buffer<int> moved_;
  Buffer<TileCounters> counters_;
  Buffer<double> row_norms_;
  Buffer<ColumnResult> results_;
  Buffer<int> order_;
  std::int64_t staging_columns_;
  Buffer<double> staging_;
  std::int64_t sorted_rows_ = 0;
  Buffer<double> qr_columns_, qr_keys_;
  Buffer<int> qr_rows_;
};

/// The solver for a plan's scalar and width, 16 or 32.
template <class Executor, class... ExecutorArguments>
std::unique_ptr<DeviceSolver> make_solver(const SolverPlan& plan, ExecutorArguments&&... arguments) {
  const auto make = [&]<class Shape>(Shape) -> std::unique_ptr<DeviceSolver> {
    return std::make_unique<Solver<Executor, Shape>>(plan, std::forward<ExecutorArguments>(arguments)...);
  };
  if (plan.complex) return plan.width == 16 ? make(TileShape<true, 16>()) : make(TileShape<true, 32>());
  return plan.width == 16 ? make(TileShape<false, 16>()) : make(TileShape<false, 32>());
}

}  // namespace pivotlab::device
