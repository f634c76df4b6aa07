// The problem of a case of the Hermitian eigendecomposition: a matrix in memory.
#pragma once

#include <experiments/eigh/eigh_case.hpp>
#include <experiments/engine/method.hpp>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pivotlab::experiments {

/// Generates or reads the matrix of a case; a large one that is slow to generate is kept in the cache under the key.
std::unique_ptr<Problem> make_eigh_problem(const EighCase& eigh_case, std::string_view key,
                                           const std::filesystem::path& cache);

}  // namespace pivotlab::experiments
