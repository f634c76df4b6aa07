// The symmetric indefinite factorization as a method of the engine.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <experiments/common/solver_case.hpp>
#include <memory>
#include <optional>
#include <pivotlab/ldlt.hpp>

namespace pivotlab::experiments {

struct LdltCase : SolverCase {
  std::optional<LdltVariant> variant;  ///< none for a baseline
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

/// Writes the axes that only this method has; the inverse of interpret_ldlt().
void write_axes(const LdltCase& interpreted, Case& axes);

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_ldlt(const LdltCase& ldlt_case);

std::unique_ptr<Problem> make_ldlt_problem(AnySymmetric matrix);

/// Axes: type, symmetry, n, generator, seed, solver (a variant or a baseline), storage, tolerance, gjg, backend,
/// threads.
const Method& ldlt_method();

/// The command `pivotlab solve ldlt`, for a symmetric matrix and right-hand sides from files.
std::shared_ptr<const CommandDescription> solve_ldlt_command();

}  // namespace pivotlab::experiments
