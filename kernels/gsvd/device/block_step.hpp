// SPDX-License-Identifier: BSD-3-Clause
// A step of the outer strategy: all its pivot block pairs (tiles) simultaneously.
//
//   Gram, CholeskyFactor, QrFactor  F̂, Ĝ                                    (tile_products.hpp)
//   DiagonalizeTile                 Ẑ by inner sweeps on (F̂, Ĝ)             (tile.hpp)
//   PostMultiply                    [F_p F_q], [G_p G_q], [Z_p Z_q] := …·Ẑ    (tile_products.hpp)
//
// The product with Z runs beside the next step.
#pragma once

#include "kernels/exec/exclusive.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/multiply_digits.hpp"
#include "kernels/gsvd/device/tile.hpp"
#include "kernels/gsvd/device/tile_products.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/gsvd/shared/first_sweeps.hpp"

#include <algorithm>

namespace pivotlab::device {

/// The memory of a step except the pair, and its kernels: run() launches all of them, but leaves the product with Z to
/// the next one or to finish_products(); each other function launches one. `pairs` are the pivot block pairs of the
/// step, in device memory. The plan must outlive the step.
template <class Executor, class Shape>
class BlockStep : public TileProducts<Executor, Shape> {
  using Products = TileProducts<Executor, Shape>;

 public:
  BlockStep(Executor& executor, const SolverPlan& plan, const Planes& F, const Planes& G, const Planes& Z)
      : Products(executor, plan.factor, static_cast<int>(plan.columns / Shape::order), {F, G}, {F, G, Z}),
        executor_(executor),
        plan_(plan),
        inner_strategy_(executor.template allocate<PivotPair>(plan.inner_strategy.pairs.size())),
        counters_(executor.template allocate<TileCounters>(this->tiles())) {
    executor_.upload(inner_strategy_.data(), plan.inner_strategy.pairs.data(), plan.inner_strategy.pairs.size());
  }

  void run(const PivotPair* pairs) {
    this->factor(pairs);
    this->continue_products();
    diagonalize();
    this->begin_products(pairs);
  }

  /// Does a step of F, G, Z in single precision (shared/first_sweeps.hpp); tiles without a Cholesky factor are skipped.
  /// F, G, Z and the memory must outlive the products.
  void run(const PivotPair* pairs, const PlanesOf<float> (&FGZ)[3], const DigitMemory<Executor, Shape>& memory) {
    this->gram(pairs, {FGZ[0], FGZ[1]});
    this->cholesky(pairs, {{}, {}});
    this->continue_products();
    diagonalize(gsvd_detail::rules_in_single(plan_.rules), true);
    this->begin_products_by([this, pairs, &FGZ, &memory](MatrixRange range, const Transformations& by) {
      multiply(pairs, FGZ, memory, range, by);
    });
  }

  void diagonalize() { diagonalize(plan_.rules, false); }

  using Products::post_multiply;
  /// Multiplies matrices in single precision, by two launches.
  void post_multiply(const PivotPair* pairs, const PlanesOf<float> (&FGZ)[3],
                     const DigitMemory<Executor, Shape>& memory) {
    multiply(pairs, FGZ, memory, {0, 3}, this->transformations());
  }

  void zero_counters() { executor_.fill_zero(counters_.data(), this->tiles()); }
  /// Sums the counters of all tiles since zero_counters() into *total in device memory.
  void sum_counters(TileCounters* total) {
    using Sum = ReduceCounters<TileCounters>;
    executor_.template launch<Sum>(1, Sum::shared_bytes, {counters_.data(), this->tiles(), total});
  }

 private:
  void multiply(const PivotPair* pairs, const PlanesOf<float> (&FGZ)[3], const DigitMemory<Executor, Shape>& memory,
                MatrixRange range, const Transformations& by) {
    const int items = (range.end - range.first) * this->tiles();
    executor_.template launch<SplitTransformation<Shape>>(
        items, 0, {pairs, by.elements, by.moved, memory.sizes(), memory.digits(), range});
    using Body = MultiplyDigits<Shape>;
    std::int64_t rows = 0;
    for (int i = range.first; i < range.end; ++i) rows = std::max(rows, FGZ[i].rows);
    const std::int64_t chunk_rows = Body::chunk_rows(rows, items);
    const auto chunks = static_cast<int>((rows + chunk_rows - 1) / chunk_rows);
    executor_.template launch<Body>(
        chunks * items, Body::shared_bytes,
        {{FGZ[0], FGZ[1], FGZ[2]}, pairs, memory.digits(), memory.sizes(), by.moved, range, chunks, chunk_rows});
  }

  void diagonalize(const PairRules<double>& rules, bool skip_lost) {
    plan_.enhanced ? diagonalize<true>(rules, skip_lost) : diagonalize<false>(rules, skip_lost);
  }

  template <bool enhanced>
  void diagonalize(const PairRules<double>& rules, bool skip_lost) {
    using Body = DiagonalizeTile<Shape, enhanced>;
    typename Body::Arguments a{};
    a.factors = this->factors();
    a.tiles = this->tiles();
    a.inner_strategy = inner_strategy_.data();
    a.steps = static_cast<int>(plan_.inner_strategy.steps);
    a.max_sweeps = plan_.max_inner_sweeps;
    a.prescaled = plan_.prescaled;
    a.sorting = plan_.sorting;
    a.count_lost = plan_.factor != FactorKind::qr;
    a.skip_lost = skip_lost;
    a.rules = rules;
    a.safe_independence = plan_.safe_independence;
    a.transformations = this->transformations().elements;
    a.moved = this->transformations().moved;
    a.counters = counters_.data();
    executor_.template launch<Body>(this->tiles(), exclusive_shared_bytes(executor_, this->tiles(), Body::shared_bytes),
                                    a);
  }

  Executor& executor_;
  const SolverPlan& plan_;
  Buffer<PivotPair> inner_strategy_;
  Buffer<TileCounters> counters_;
};

}  // namespace pivotlab::device
