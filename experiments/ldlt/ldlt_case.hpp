// A case of the symmetric indefinite factorization, interpreted from the values of the axes.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <string>

namespace pivotlab::experiments {

struct LdltCase : SolverCase {
  Symmetry symmetry = Symmetry::hermitian;  ///< symmetric for real matrices
  std::optional<LdltVariant> variant;       ///< none for a baseline
  LdltStorage storage = LdltStorage::packed;
  double tolerance = 0;  ///< elements up to this count as zero, relative to max|A|
  bool gjg = false;      ///< whether to compare G·J·G* with its computation in Quad
};

std::string_view to_string(Symmetry symmetry);
std::string_view to_string(LdltStorage storage);

/// Interprets a case, which has a value for every axis: replaces '?', sets threads = 0 to default_threads(), makes
/// names canonical, and takes order, type and symmetry of a matrix in a file from the file. Throws InputError "<axis>:
/// …".
LdltCase interpret_ldlt(const Case& axes);

/// Returns the axes and values of a record; the inverse of interpret_ldlt().
Case to_case(const LdltCase& interpreted);

}  // namespace pivotlab::experiments
