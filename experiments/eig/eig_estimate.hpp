// Estimated time and memory of an eigendecomposition.
#pragma once

#include <experiments/eig/eig_case.hpp>
#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_eig(const EigCase& eig_case);

}  // namespace pivotlab::experiments
