// A case of the Hermitian eigendecomposition, interpreted from the values of the axes.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/eigh.hpp>
#include <string>

namespace pivotlab::experiments {

struct EighCase : SolverCase {
  std::optional<EighVariant> variant;  ///< none for a baseline
};

/// Interprets a case, which has a value for every axis: replaces '?', sets threads = 0 to default_threads(), makes
/// names canonical, and takes order and type of a matrix in a file from the file. Throws InputError "<axis>: …".
EighCase interpret_eigh(const Case& axes);

/// Returns the axes and values of a record; the inverse of interpret_eigh().
Case to_case(const EighCase& interpreted);

}  // namespace pivotlab::experiments
