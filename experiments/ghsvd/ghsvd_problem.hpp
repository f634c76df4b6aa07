// The problem of a case of the generalized hyperbolic singular value decomposition: a pair and signs in memory.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/ghsvd/ghsvd_case.hpp>
#include <memory>

namespace pivotlab::experiments {

/// Generates or reads the pair of a case, and computes its true eigenvalues where ghsvd_truth() does.
std::unique_ptr<Problem> make_ghsvd_problem(const GhsvdCase& ghsvd_case);

}  // namespace pivotlab::experiments
