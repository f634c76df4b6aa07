// What a symmetric indefinite factorization will take.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/ldlt/ldlt_case.hpp>

namespace pivotlab::experiments {

/// Whether a matrix of this generator takes O(n³) to make; all others are made sooner than they are read.
bool is_slow_to_generate(const std::string& generator);

/// Operation counts times rates of a current x86-64 core or an H200; good to a factor of a few.
Estimate estimate_ldlt(const LdltCase& ldlt_case);

}  // namespace pivotlab::experiments
