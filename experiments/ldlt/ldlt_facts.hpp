// SPDX-License-Identifier: BSD-3-Clause
// Facts about a solution that `solve ldlt` prints.
#pragma once

#include <experiments/generic/solve.hpp>
#include <experiments/ldlt/ldlt_solved.hpp>

namespace pivotlab::experiments {

/// Returns the facts about a solution of A·X = B, with A of order n and a B with so many columns.
SolutionFacts ldlt_facts(Index n, Index columns, const LdltOutcome& solved, const LdltJudged& judged);

}  // namespace pivotlab::experiments
