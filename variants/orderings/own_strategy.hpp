// SPDX-License-Identifier: BSD-3-Clause
// Parallel strategies from files of the user's, as values of Strategy beyond the built-in ones.
//
// A file has the pairs of a step in each line, columns from 0, "0 3 1 2"; what follows # is skipped. A step has
// disjoint pairs of all columns, and all steps together have every pair once. In names a strategy is "[FILE#DIGEST]",
// or
// "[FOLDER#DIGEST]" for all files .txt of a folder, each with the strategy of another order.
#pragma once

#include "variants/orderings/strategy_table.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>

#include <string_view>

namespace pivotlab {

/// Returns whether a text stands for a strategy of the user's: it is in brackets, or the name of a file or folder.
bool is_own_strategy(std::string_view text);

/// Returns the value of the strategy "[PATH]", "[PATH#DIGEST]" or "PATH". Throws InputError for files that cannot be
/// read, are no strategies, or have another digest.
Strategy own_strategy(std::string_view text);

/// Returns "[PATH#DIGEST]", which stays valid; empty for the built-in strategies.
std::string_view spelling_of_own(Strategy strategy);

/// Returns the table of a strategy of the user's. Throws InputError for an order that it does not have.
StrategyTable own_strategy_table(Strategy strategy, Index order);

}  // namespace pivotlab
