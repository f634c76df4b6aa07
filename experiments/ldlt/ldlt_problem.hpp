// The problem of a case of the symmetric indefinite factorization: a matrix in memory.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/ldlt/ldlt_case.hpp>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pivotlab::experiments {

/// Generates or reads the matrix of a case; a large one that is slow to generate is kept in the cache under
/// the key.
std::unique_ptr<Problem> make_ldlt_problem(const LdltCase& ldlt_case, std::string_view key,
                                           const std::filesystem::path& cache);

}  // namespace pivotlab::experiments
