// SPDX-License-Identifier: BSD-3-Clause
// Declares what methods use of pairs (F, G) beside their kind: requests to the generators, and facts about these.
#pragma once

#include <experiments/problems/kind.hpp>

namespace pivotlab::experiments {

/// F and G of any types as a pair: complex if one of them is.
AnyPair pair_of(AnyMatrix F, AnyMatrix G);

/// Returns whether the generator only draws and scales random numbers in double precision.
bool is_drawn(const ProblemCase& pair);

/// Returns whether σ of such a pair is computed in extended precision.
bool has_computed_truth(const ProblemCase& pair);

/// Returns the request to the generator of the pair; σ is wanted without signs J.
PairRequest request_for(const ProblemCase& pair, int threads = 0);

}  // namespace pivotlab::experiments
