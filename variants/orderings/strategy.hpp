// SPDX-License-Identifier: BSD-3-Clause
// Parallel Jacobi strategies: the pairs of (block) columns that each step of a sweep transforms.
#pragma once

#include "variants/orderings/strategy_table.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>

namespace pivotlab {

/// Returns the table of a strategy for any even order n ≥ 2. Throws InputError for other orders. Takes time
/// proportional to the table's size (n²/2 pairs; tens of milliseconds for n = 4096), so callers need no cache.
StrategyTable make_strategy_table(Strategy strategy, Index order);

/// Returns the pairs of one column of the first half with one of the second half, each once, in n/2 steps; n even.
StrategyTable make_table_across_halves(Index order);

}  // namespace pivotlab
