// A case of the symmetric indefinite factorization: from the values of the axes to what is generated and factored.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>

namespace pivotlab::experiments {

struct LdltCase : SolverCase {
  Symmetry symmetry = Symmetry::hermitian;  ///< symmetric for real matrices
  std::optional<LdltVariant> variant;       ///< nothing for a baseline
  LdltStorage storage = LdltStorage::packed;
  double tolerance = 0;  ///< what counts as zero, relative to max|A|
  bool gjg = false;      ///< G·J·G* beside its computation in Quad, too
};

std::string_view to_string(Symmetry symmetry);
std::string_view to_string(LdltStorage storage);

/// The case that a value for every axis stands for: '?' replaced, threads = 0 → default_threads(), names canonical,
/// order, type and symmetry of a matrix from a file taken from there. Throws InputError "<axis>: …".
LdltCase interpret_ldlt(const Case& axes);

/// The inverse: what a record holds.
Case to_case(const LdltCase& interpreted);

}  // namespace pivotlab::experiments
