// The problem of a case of the GSVD: a pair in memory.
#pragma once

#include <experiments/engine/method.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pivotlab::experiments {

/// Generates or reads the pair of a case. A large generated pair is kept as <cache>/<key>-<commit>.h5 and read from
/// there the next time; the commit is in the name because another version may generate other bits.
std::unique_ptr<Problem> make_gsvd_problem(const GsvdCase& gsvd_case, std::string_view key,
                                           const std::filesystem::path& cache);

}  // namespace pivotlab::experiments
