// A case of the hyperbolic singular value decomposition, interpreted from the values of the axes.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/jacobi_variant.hpp>
#include <string>

namespace pivotlab::experiments {

struct HsvdCase : SolverCase {
  Index m = 0;                         ///< rows of G
  std::string signs;                   ///< pattern of J, one of sign_patterns
  std::optional<HsvdVariant> variant;  ///< none for a baseline
};

/// Interprets a case, which has a value for every axis: replaces '?', sets threads = 0 to default_threads(), makes
/// names canonical, and takes shape and type of a matrix in a file from the file. Throws InputError "<axis>: …", also
/// for solvers of singular values alone with signs −1.
HsvdCase interpret_hsvd(const Case& axes);

/// Returns the axes and values of a record; the inverse of interpret_hsvd().
Case to_case(const HsvdCase& interpreted);

}  // namespace pivotlab::experiments
