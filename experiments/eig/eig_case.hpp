// A case of the eigendecomposition, interpreted from the values of the axes.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>
#include <string>

namespace pivotlab::experiments {

struct EigCase : SolverCase {
  std::optional<EigVariant> variant;  ///< none for a baseline
  bool left = false;                  ///< whether left eigenvectors are computed, too
};

/// Interprets a case, which has a value for every axis: replaces '?', sets threads = 0 to default_threads(), makes
/// names canonical, and takes order and type of a matrix in a file from the file. Throws InputError "<axis>: …".
EigCase interpret_eig(const Case& axes);

/// Returns the axes and values of a record; the inverse of interpret_eig().
Case to_case(const EigCase& interpreted);

}  // namespace pivotlab::experiments
