// A case of the generalized hyperbolic singular value decomposition, interpreted from the values of the axes.
#pragma once

#include <experiments/gsvd/gsvd_case.hpp>
#include <optional>
#include <pivotlab/jacobi_variant.hpp>
#include <string>

namespace pivotlab::experiments {

/// Here m_g ≥ n.
struct GhsvdCase : PairCase {
  std::string signs;                    ///< pattern of J, one of sign_patterns
  std::optional<GhsvdVariant> variant;  ///< none for a baseline
};

/// Interprets a case, which has a value for every axis: replaces '?', sets m = 0 to n and threads = 0 to
/// default_threads(), makes names canonical, and takes shape and type of a pair in files from the files. Throws
/// InputError "<axis>: …".
GhsvdCase interpret_ghsvd(const Case& axes);

/// Returns the axes and values of a record; the inverse of interpret_ghsvd().
Case to_case(const GhsvdCase& interpreted);

}  // namespace pivotlab::experiments
