// Parallel Jacobi strategies: which pairs of (block) columns each step of a sweep transforms.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pivotlab {

struct PivotPair {
  std::uint32_t p, q;  // zero-based, p < q
  friend bool operator==(const PivotPair&, const PivotPair&) = default;
};

/// A sweep of a parallel strategy for an even order n: steps × (n/2) disjoint pairs, of a strategy all there are.
struct StrategyTable {
  Index order = 0;
  Index steps = 0;  // n − 1 (cyclic: ME, RR), n (quasi-cyclic: MM) or n/2 (across halves)
  std::vector<PivotPair> pairs;

  std::span<const PivotPair> step(Index s) const {
    return {pairs.data() + s * (order / 2), static_cast<std::size_t>(order / 2)};
  }
};

/// The table of a strategy for any even order n ≥ 2; throws InputError for other orders. Every even order has one, made
/// in time proportional to its size (n²/2 pairs; tens of milliseconds for n = 4096), so callers need no cache.
StrategyTable make_strategy_table(Strategy strategy, Index order);

/// The pairs of one column of the first half with one of the second alone, each once, in n/2 steps; n even.
StrategyTable make_table_across_halves(Index order);

}  // namespace pivotlab
