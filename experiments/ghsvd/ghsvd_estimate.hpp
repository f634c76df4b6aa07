// Expected time and memory of a case of the generalized hyperbolic singular value decomposition.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/ghsvd/ghsvd_case.hpp>

namespace pivotlab::experiments {

Estimate estimate_ghsvd(const GhsvdCase& wanted);

}  // namespace pivotlab::experiments
