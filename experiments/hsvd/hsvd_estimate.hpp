// Expected time and memory of a case of the hyperbolic singular value decomposition.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/hsvd/hsvd_case.hpp>

namespace pivotlab::experiments {

Estimate estimate_hsvd(const HsvdCase& wanted);

}  // namespace pivotlab::experiments
