// Parallel Jacobi strategies: which pairs of (block) columns each step of a sweep transforms.
#pragma once

#include "orderings/strategy_table.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>

namespace pivotlab {

/// The table of a strategy for any even order n ≥ 2; throws InputError for other orders. Every even order has one, made
/// in time proportional to its size (n²/2 pairs; tens of milliseconds for n = 4096), so callers need no cache.
StrategyTable make_strategy_table(Strategy strategy, Index order);

/// The pairs of one column of the first half with one of the second alone, each once, in n/2 steps; n even.
StrategyTable make_table_across_halves(Index order);

}  // namespace pivotlab
