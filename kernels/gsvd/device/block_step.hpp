// A step of the outer strategy: all its pivot block pairs (tiles) simultaneously, by five kernels.
//
//   Gram            S_F, S_G of [F_p F_q], [G_p G_q], by chunks of rows           (gram.hpp)
//   CholeskyFactor  F̂, Ĝ                                                        (factor.hpp)
//   QrFactor        the same for tiles whose Cholesky factorization failed        (qr_factor.hpp)
//   DiagonalizeTile Ẑ by inner sweeps on (F̂, Ĝ)                                  (tile.hpp)
//   PostMultiply    [F_p F_q], [G_p G_q], [Z_p Z_q] := …·Ẑ                        (postmultiply.hpp)
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/factor.hpp"
#include "kernels/gsvd/device/gram.hpp"
#include "kernels/gsvd/device/postmultiply.hpp"
#include "kernels/gsvd/device/qr_factor.hpp"
#include "kernels/gsvd/device/tile.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::device {

/// A matrix in device memory.
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

/// Partition of the rows of products among blocks. It depends on the shape alone, so that the bits do not depend on the
/// device.
template <class Shape>
struct Partition {
  std::int64_t chunk_rows;
  int chunks;          // chunks of F and G in Gram
  int strips;          // strips of 16 rows in a chunk of PostMultiply
  int first_chunk[4];  // first chunk of F, G, Z

  static constexpr int wanted_blocks = 528;  // four per multiprocessor, of 132

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

/// The memory of a step except the pair, and its kernels: run() launches all of them in sequence, each other function
/// launches one. `pairs` are the pivot block pairs of the step, in device memory. The plan must outlive the step.
template <class Executor, class Shape>
class BlockStep {
 public:
  BlockStep(Executor& executor, const SolverPlan& plan, const Planes& F, const Planes& G, const Planes& Z)
      : executor_(executor),
        plan_(plan),
        F_(F),
        G_(G),
        Z_(Z),
        tiles_(static_cast<int>(plan.columns / Shape::order)),
        partition_(tiles_, F.rows, G.rows, Z.rows),
        inner_strategy_(allocate<PivotPair>(plan.inner_strategy.pairs.size())),
        sums_(allocate<double>(std::size_t(2) * tiles_ * partition_.chunks * GramLayout<Shape>::elements)),
        factors_(allocate<double>(std::size_t(2) * tiles_ * Shape::elements)),
        independence_(allocate<double>(std::size_t(2) * tiles_)),
        lost_(allocate<int>(std::size_t(2) * tiles_)),
        transformations_(allocate<double>(std::size_t(tiles_) * TransformationLayout<Shape>::elements)),
        moved_(allocate<int>(tiles_)),
        counters_(allocate<TileCounters>(tiles_)) {
    executor_.upload(inner_strategy_.data(), plan.inner_strategy.pairs.data(), plan.inner_strategy.pairs.size());
    while (sorted_rows_ < std::max(F.rows, G.rows)) sorted_rows_ *= 2;
    const auto slots = static_cast<std::size_t>(qr_slots());
    qr_columns_ = allocate<double>(slots * Shape::parts * Shape::order * sorted_rows_);
    qr_keys_ = allocate<double>(slots * sorted_rows_);
    qr_rows_ = allocate<int>(slots * sorted_rows_);
    if (plan.factor == FactorKind::qr) {
      const std::vector<int> all(std::size_t(2) * tiles_, 1);
      executor_.upload(lost_.data(), all.data(), all.size());
    }
  }

  int tiles() const { return tiles_; }
  const Partition<Shape>& partition() const { return partition_; }

  void run(const PivotPair* pairs) {
    if (plan_.factor != FactorKind::qr) {
      gram(pairs);
      cholesky(pairs);
    }
    qr(pairs);
    diagonalize();
    post_multiply(pairs);
  }

  void gram(const PivotPair* pairs) {
    executor_.template launch<Gram<Shape>>(
        2 * tiles_ * partition_.chunks, Gram<Shape>::shared_bytes,
        {{F_, G_}, pairs, tiles_, partition_.chunks, partition_.chunk_rows, sums_.data()});
  }

  void cholesky(const PivotPair* pairs) {
    executor_.template launch<CholeskyFactor<Shape>>(
        2 * tiles_, CholeskyFactor<Shape>::shared_bytes,
        {{F_, G_}, pairs, tiles_, sums_.data(), partition_.chunks, plan_.factor == FactorKind::pivoted, factors()});
  }

  void qr(const PivotPair* pairs) {
    executor_.template launch<QrFactor<Shape>>(qr_slots(), QrFactor<Shape>::shared_bytes,
                                               {{F_, G_},
                                                pairs,
                                                tiles_,
                                                factors(),
                                                qr_columns_.data(),
                                                qr_keys_.data(),
                                                qr_rows_.data(),
                                                static_cast<int>(sorted_rows_)});
  }

  void diagonalize() { plan_.enhanced ? diagonalize<true>() : diagonalize<false>(); }

  void post_multiply(const PivotPair* pairs) {
    const int* first = partition_.first_chunk;
    executor_.template launch<PostMultiply<Shape>>(tiles_ * first[3], PostMultiply<Shape>::shared_bytes,
                                                   {{F_, G_, Z_},
                                                    pairs,
                                                    transformations_.data(),
                                                    moved_.data(),
                                                    {first[0], first[1], first[2], first[3]},
                                                    partition_.strips});
  }

  void zero_counters() { executor_.fill_zero(counters_.data(), tiles_); }
  /// Sums the counters of all tiles since zero_counters() into *total in device memory.
  void sum_counters(TileCounters* total) {
    executor_.template launch<ReduceCounters>(1, ReduceCounters::shared_bytes, {counters_.data(), tiles_, total});
  }

 private:
  template <class T>
  Buffer<T> allocate(std::size_t count) {
    return executor_.template allocate<T>(count);
  }

  Factors factors() const { return {factors_.data(), independence_.data(), lost_.data()}; }
  int qr_slots() const { return std::min(2 * tiles_, 32); }

  template <bool enhanced>
  void diagonalize() {
    using Body = DiagonalizeTile<Shape, enhanced>;
    typename Body::Arguments a{};
    a.factors = factors();
    a.tiles = tiles_;
    a.inner_strategy = inner_strategy_.data();
    a.steps = static_cast<int>(plan_.inner_strategy.steps);
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

  Executor& executor_;
  const SolverPlan& plan_;
  Planes F_, G_, Z_;
  int tiles_;
  Partition<Shape> partition_;
  Buffer<PivotPair> inner_strategy_;
  Buffer<double> sums_, factors_, independence_;
  Buffer<int> lost_;
  Buffer<double> transformations_;
  Buffer<int> moved_;
  Buffer<TileCounters> counters_;
  std::int64_t sorted_rows_ = 1;
  Buffer<double> qr_columns_, qr_keys_;
  Buffer<int> qr_rows_;
};

/// Calls work(TileShape) for the scalar and the width (16 or 32) of a plan.
template <class Work>
auto with_shape(const SolverPlan& plan, Work&& work) {
  if (plan.complex) return plan.width == 16 ? work(TileShape<true, 16>()) : work(TileShape<true, 32>());
  return plan.width == 16 ? work(TileShape<false, 16>()) : work(TileShape<false, 32>());
}

}  // namespace pivotlab::device
