// SPDX-License-Identifier: BSD-3-Clause
// A step of the outer strategy for blocks of 16 or 32 columns: all its pivot block pairs (tiles) simultaneously.
//
//   Gram, CholeskyFactor, QrFactor  R of [G_p G_q]                      (gsvd/device/tile_products.hpp)
//   OrthogonalizeTile               V̂ by inner sweeps on (R, Ĵ)         (tile.hpp)
//   PostMultiply                    [G_p G_q] := [G_p G_q]·V̂, V alike, beside the next step
//
// Sweeps in which no tile is expected to lose a pivot leave out QrFactor; a tile that does waits for the next sweep.
#pragma once

#include "kernels/exec/exclusive.hpp"
#include "kernels/gsvd/device/tile_products.hpp"
#include "kernels/jacobi/device/tile.hpp"

#include <vector>

namespace pivotlab::jacobi {

/// Data of the columns of G, in device memory.
struct ColumnData {
  const double* signs;
  double* noise;
};

/// The kernels of a step and the memory between them. The plan must outlive the step.
template <class Executor, class Shape>
class TileStep {
 public:
  /// The first matrix of `multiplied` is the one that is factored.
  TileStep(Executor& executor, const SolverPlan& plan, const ColumnData& columns,
           const std::vector<device::Planes>& multiplied)
      : executor_(executor),
        plan_(plan),
        columns_(columns),
        products_(executor, plan.factor, static_cast<int>(plan.order / Shape::order), {multiplied[0]}, multiplied),
        inner_strategy_(executor.template allocate<PivotPair>(plan.inner_strategy.pairs.size())),
        counters_(executor.template allocate<TileCounters>(products_.tiles())) {
    executor_.upload(inner_strategy_.data(), plan.inner_strategy.pairs.data(), plan.inner_strategy.pairs.size());
  }

  /// Runs step `index` of the outer strategy, whose pivot block pairs are in device memory, but leaves the product with
  /// V to the next step or to finish_products() of products().
  void run(std::size_t /*index*/, const PivotPair* pairs, bool with_qr) {
    orthogonalize(pairs, pairs, with_qr);
    products_.begin_products(pairs);
  }

  /// Runs the kernels for pairs of blocks of the factored matrix, which are pairs `of_g` of G.
  void run(const PivotPair* pairs, const PivotPair* of_g, bool with_qr) {
    orthogonalize(pairs, of_g, with_qr);
    products_.post_multiply(pairs);
  }

  device::TileProducts<Executor, Shape>& products() { return products_; }
  const Buffer<TileCounters>& counters() const { return counters_; }

 private:
  void orthogonalize(const PivotPair* pairs, const PivotPair* of_g, bool with_qr) {
    products_.factor_by_cholesky(pairs);
    if (with_qr) products_.qr(pairs);
    products_.continue_products();
    using Body = OrthogonalizeTile<Shape>;
    typename Body::Arguments a{};
    a.factors = products_.factors();
    a.pairs = of_g;
    a.inner_strategy = inner_strategy_.data();
    a.steps = static_cast<int>(plan_.inner_strategy.steps);
    a.max_sweeps = plan_.max_inner_sweeps;
    a.fix = plan_.fix;
    a.count_lost = plan_.factor != device::FactorKind::qr;
    a.skip_lost = !with_qr;
    a.rules = plan_.rules;
    a.signs = columns_.signs;
    a.noise = columns_.noise;
    a.transformations = products_.transformations().elements;
    a.moved = products_.transformations().moved;
    a.counters = counters_.data();
    const int tiles = products_.tiles();
    executor_.template launch<Body>(tiles, exclusive_shared_bytes(executor_, tiles, Body::shared_bytes), a);
  }

  Executor& executor_;
  const SolverPlan& plan_;
  ColumnData columns_;
  device::TileProducts<Executor, Shape> products_;
  Buffer<PivotPair> inner_strategy_;
  Buffer<TileCounters> counters_;
};

}  // namespace pivotlab::jacobi
