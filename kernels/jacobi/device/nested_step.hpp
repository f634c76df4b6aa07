// SPDX-License-Identifier: BSD-3-Clause
// A step of the outer strategy for blocks of 64 real columns, which consist of two halves of 32: the blocked iteration
// on the factor R of a tile of 128 columns, by the kernels for blocks of 32 (tile_step.hpp).
//
//   Gram, CholeskyFactor, QrFactor  R of [G_p G_q], 128 × 128;  V̂ := I
//   phases                          pairs of halves, on R and V̂ as on G and V:
//     within (the first step)         (p₁, p₂) and (q₁, q₂)
//     straight                        (p₁, q₁) and (p₂, q₂)
//     crossed                         (p₁, q₂) and (p₂, q₁)
//   PostMultiply                    [G_p G_q] := [G_p G_q]·V̂, V alike, beside the next step
//
// Every pair of halves meets once in a sweep, as with blocks of 32, but a step of two phases reads G twice and writes
// it once, where two steps read it four times and write it twice. R and V̂ stay in the L2 cache.
#pragma once

#include "kernels/gsvd/device/lane_columns.hpp"
#include "kernels/gsvd/device/whole_columns.hpp"
#include "kernels/jacobi/device/tile_step.hpp"

#include <array>

namespace pivotlab::jacobi {

enum class HalvesPhase { within, straight, crossed };
inline constexpr std::array halves_phases{HalvesPhase::within, HalvesPhase::straight, HalvesPhase::crossed};

/// Returns the two pairs of halves of a pair of blocks that a phase transforms. Block b has the halves 2b and 2b + 1.
inline std::array<PivotPair, 2> pairs_of_halves(HalvesPhase phase, PivotPair blocks) {
  const std::uint32_t p = 2 * blocks.p, q = 2 * blocks.q;
  switch (phase) {
    case HalvesPhase::within:
      return {{{p, p + 1}, {q, q + 1}}};
    case HalvesPhase::straight:
      return {{{p, q}, {p + 1, q + 1}}};
    default:
      return {{{p, q + 1}, {p + 1, q}}};
  }
}

/// Brings V̂ of each tile into the layout of PostMultiply, unless it is the identity, and sets it to the identity. Grid:
/// one block per tile.
template <class Shape>
struct CollectTransformation {
  using Layout = device::TransformationLayout<Shape>;
  struct Arguments {
    double* V;                ///< [tile][k × k, column-major]
    double* transformations;  ///< [tile][Layout::elements], for PostMultiply
    int* moved;               ///< [tile]
    const int* lost;          ///< [tile]: factored by QR; null to count none
    TileCounters* counters;   ///< [tile][2], added to
  };
  static constexpr int threads = 512;
  static constexpr int min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int tile = context.block(), thread = context.thread();
    double* V = a.V + std::int64_t(tile) * Shape::elements;
    if (thread == 0 && a.lost != nullptr) a.counters[2 * tile].qr_tiles += a.lost[tile] != 0;
    bool differs = false;
    for (int e = thread; e < Shape::elements; e += threads) differs |= V[e] != identity(e);
    const bool moved = context.count(differs) != 0;
    if (thread == 0) a.moved[tile] = moved;
    if (!moved) return;
    device::store_transformation<Shape, threads>(context, V, a.transformations + std::int64_t(tile) * Layout::elements);
    context.sync();
    for (int e = thread; e < Shape::elements; e += threads) V[e] = identity(e);
  }

 private:
  PIVOTLAB_DEVICE static double identity(int element) {
    return element % Shape::order == element / Shape::order ? 1.0 : 0.0;
  }
};

/// The kernels of a step and the memory between them. The plan must outlive the step.
template <class Executor>
class NestedStep {
  using Shape = device::TileShape<false, 64>;
  using Half = device::TileShape<false, 32>;

 public:
  /// The first matrix of `multiplied` is the one that is factored.
  NestedStep(Executor& executor, const SolverPlan& plan, const ColumnData& columns,
             const std::vector<device::Planes>& multiplied)
      : executor_(executor),
        count_lost_(plan.factor != device::FactorKind::qr),
        products_(executor, plan.factor, static_cast<int>(plan.order / Shape::order), {multiplied[0]}, multiplied),
        V_(executor, false, Shape::order, plan.order),
        halves_(executor, plan, columns, {{products_.factors().element, nullptr, Shape::order}, V_.planes()}),
        of_factors_(uploaded(pairs_of_factors())),
        of_g_(uploaded(pairs_of_g(plan.outer_strategy.pairs))) {
    for (std::int64_t tile = 0; tile < products_.tiles(); ++tile)
      executor_.template launch<device::SetDiagonal>(1, 0, {V_.planes(), 0, tile * Shape::order, Shape::order});
  }

  /// Runs step `index` of the outer strategy, whose pivot block pairs are in device memory; always with QR, whose
  /// launches take little of the time. The product with V is left to the next step or to finish_products() of
  /// products().
  void run(std::size_t index, const PivotPair* pairs, bool /*with_qr*/) {
    products_.factor(pairs);
    products_.continue_products();
    for (const HalvesPhase phase : halves_phases)
      if (phase != HalvesPhase::within || index == 0) {
        const auto at = static_cast<std::size_t>(phase) * halves_.products().tiles();
        halves_.run(of_factors_.data() + at, of_g_.data() + index * of_factors_.size() + at, true);
      }
    executor_.template launch<CollectTransformation<Shape>>(
        products_.tiles(), 0,
        {V_.planes().re, products_.transformations().elements, products_.transformations().moved,
         count_lost_ ? products_.factors().lost : nullptr, halves_.counters().data()});
    products_.begin_products(pairs);
  }

  device::TileProducts<Executor, Shape>& products() { return products_; }
  const Buffer<TileCounters>& counters() const { return halves_.counters(); }

 private:
  /// Returns the pairs of all phases for one step: [phase][tile][2].
  static std::vector<PivotPair> pairs_of_step(std::span<const PivotPair> blocks) {
    std::vector<PivotPair> pairs;
    for (const HalvesPhase phase : halves_phases)
      for (const PivotPair pair : blocks)
        for (const PivotPair half : pairs_of_halves(phase, pair)) pairs.push_back(half);
    return pairs;
  }

  /// The factors are one matrix, whose blocks 2t and 2t + 1 belong to tile t.
  std::vector<PivotPair> pairs_of_factors() const {
    std::vector<PivotPair> blocks;
    for (std::uint32_t tile = 0; tile < static_cast<std::uint32_t>(products_.tiles()); ++tile)
      blocks.push_back({2 * tile, 2 * tile + 1});
    return pairs_of_step(blocks);
  }

  std::vector<PivotPair> pairs_of_g(std::span<const PivotPair> outer_strategy) const {
    std::vector<PivotPair> pairs;
    const auto tiles = static_cast<std::size_t>(products_.tiles());
    for (std::size_t first = 0; first < outer_strategy.size(); first += tiles)
      for (const PivotPair pair : pairs_of_step(outer_strategy.subspan(first, tiles))) pairs.push_back(pair);
    return pairs;
  }

  Buffer<PivotPair> uploaded(const std::vector<PivotPair>& pairs) {
    auto buffer = executor_.template allocate<PivotPair>(pairs.size());
    executor_.upload(buffer.data(), pairs.data(), pairs.size());
    return buffer;
  }

  Executor& executor_;
  bool count_lost_;
  device::TileProducts<Executor, Shape> products_;
  device::PlaneMatrix<Executor> V_;  ///< V̂ of all tiles, one after the other
  TileStep<Executor, Half> halves_;
  Buffer<PivotPair> of_factors_, of_g_;
};

}  // namespace pivotlab::jacobi
