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

/// A sweep of a parallel strategy for an even order n: steps × (n/2) disjoint pairs that together cover every pair.
struct StrategyTable {
  Index order = 0;
  Index steps = 0;  // n − 1 (cyclic: ME, RR) or n (quasi-cyclic: MM)
  std::vector<PivotPair> pairs;

  std::span<const PivotPair> step(Index s) const {
    return {pairs.data() + s * (order / 2), static_cast<std::size_t>(order / 2)};
  }
};

/// The table of a strategy for any even order n ≥ 2; throws InputError for other orders. Every even order has one, made
/// in time proportional to its size (n²/2 pairs; tens of milliseconds for n = 4096), so callers need no cache.
StrategyTable make_strategy_table(Strategy strategy, Index order);

}  // namespace pivotlab
