// A case of the eigendecomposition: from the values of the axes to what is generated and decomposed.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>
#include <string>

namespace pivotlab::experiments {

struct EigCase : SolverCase {
  std::optional<EigVariant> variant;  ///< nothing for a baseline
  bool left = false;                  ///< left eigenvectors, too
};

/// The case that a value for every axis stands for: '?' replaced, threads = 0 → default_threads(), names canonical,
/// order and type of a matrix from a file taken from there. Throws InputError "<axis>: …".
EigCase interpret_eig(const Case& axes);

/// The inverse: what a record holds.
Case to_case(const EigCase& interpreted);

}  // namespace pivotlab::experiments
