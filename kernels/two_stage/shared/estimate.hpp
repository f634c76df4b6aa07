// SPDX-License-Identifier: BSD-3-Clause
// The estimated errors of eigenvalues that are accurate relative to the norm of their matrix.
#pragma once

#include "kernels/exec/portable.hpp"

#include <limits>
#include <pivotlab/matrix.hpp>

namespace pivotlab::two_stage {

/// Returns the estimated relative error of an eigenvalue of this modulus, at most 1: 2·(n + 4)·2⁻⁵³·‖A‖₂/|λ|. The error
/// has been at most 0.52 times as large for n up to 128, and residuals on a GPU up to n = 16384 are smaller
/// (docs/notebook/eigh-two-stage.md). So small eigenvalues of graded matrices are marked as noise.
PIVOTLAB_DEVICE inline double estimated_error(double size, double norm, Index n) {
  if (norm == 0) return 0;
  const double error = double(2 * (n + 4)) * 0x1p-53 * norm + std::numeric_limits<double>::denorm_min();
  return error < size ? error / size : 1;
}

}  // namespace pivotlab::two_stage
