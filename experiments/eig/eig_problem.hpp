// The problem of a case of the eigendecomposition: generates or reads it, decomposes it by a variant or a baseline, and
// judges the result.
#pragma once

#include <experiments/eig/eig_case.hpp>
#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

/// `key` names the problem in the cache.
std::unique_ptr<Problem> make_eig_problem(const EigCase& eig_case, std::string_view key,
                                          const std::filesystem::path& cache);

}  // namespace pivotlab::experiments
