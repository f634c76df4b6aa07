// Estimated time and memory of a GSVD.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/gsvd/gsvd_case.hpp>

namespace pivotlab::experiments {

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_gsvd(const GsvdCase& gsvd_case);

}  // namespace pivotlab::experiments
