// SPDX-License-Identifier: BSD-3-Clause
// Declares facts about the generators of symmetric matrices from which methods estimate times.
#pragma once

#include <experiments/problems/kind.hpp>

namespace pivotlab::experiments {

/// Returns whether the generator prescribes the eigenvalues.
bool has_spectrum(const ProblemCase& matrix);

/// Returns whether the generator takes O(n³); all others are faster than reading the matrix from a file.
bool is_slow_symmetric(const ProblemCase& matrix);

}  // namespace pivotlab::experiments
