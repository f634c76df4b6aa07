// Expected time and memory of a case of the Hermitian eigendecomposition.
#pragma once

#include <experiments/eigh/eigh_case.hpp>
#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

Estimate estimate_eigh(const EighCase& wanted);

}  // namespace pivotlab::experiments
