// The problem of a case of the hyperbolic singular value decomposition: a matrix and signs in memory.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/hsvd/hsvd_case.hpp>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pivotlab::experiments {

/// Generates or reads the matrix of a case; a large one that is slow to generate is kept in the cache under the key.
std::unique_ptr<Problem> make_hsvd_problem(const HsvdCase& hsvd_case, std::string_view key,
                                           const std::filesystem::path& cache);

}  // namespace pivotlab::experiments
