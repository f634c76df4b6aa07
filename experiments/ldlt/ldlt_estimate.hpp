// Estimated time and memory of a symmetric indefinite factorization.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/ldlt/ldlt_case.hpp>

namespace pivotlab::experiments {

/// Returns whether this generator takes O(n³); all others are faster than reading the matrix from a file.
bool is_slow_to_generate(const std::string& generator);

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_ldlt(const LdltCase& ldlt_case);

}  // namespace pivotlab::experiments
