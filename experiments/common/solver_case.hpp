// SPDX-License-Identifier: BSD-3-Clause
// The part that the cases of the built-in methods share: a problem by a generator or from a file, and a solver, which
// is a variant of the method, a baseline ("lapack:dsytrf") or a solver of the user's ("study.py:mine").
#pragma once

#include <experiments/engine/value.hpp>
#include <experiments/problems/kind.hpp>
#include <functional>
#include <optional>
#include <pivotlab/baselines.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Returns whether a solver is a baseline or the user's; names of variants never hold a colon.
inline bool is_baseline(std::string_view solver) {
  return solver.find(':') != std::string_view::npos;
}

struct SolverCase : ProblemCase {
  std::string solver = {};  ///< canonical name of a variant, of a baseline or of a solver of the user's
  /// "host", "emulation" or "cuda"; for a baseline its library: "lapack", "cusolver"; for the user's solvers "own"
  std::string backend = {};
  std::string solver_digest = {};  ///< of the files of a solver of the user's, so that other content is another case
  int threads = 1;                 ///< threads of the host; 1 for solvers on the GPU
  Index batch = 1;                 ///< problems that are solved at once; above 1, the case has the axis `batch`

  bool on_gpu() const { return backend == "cuda" || backend == "cusolver"; }
  bool by_baseline() const { return is_baseline(solver); }  ///< or by a solver of the user's
  bool by_own() const { return !solver_digest.empty(); }
};

/// The case of a method whose variants are of the type V.
template <class V>
struct VariantCase : SolverCase {
  std::optional<V> variant = {};  ///< none for a baseline
};

/// Reads solver, backend and threads, where 0 stands for all cores. The digest of a solver of the user's is computed
/// once in a process unless the case has it: then it is canonical. In a baseline's name '?' is the letter of the type;
/// `baselines` are those of the problem's type. read_variant(name) reads the name of a variant and returns the
/// canonical one.
void read_solver(SolverCase& result, const Case& axes, const std::vector<BaselineInfo>& baselines,
                 const std::function<std::string(const std::string&)>& read_variant);

/// The axes of a record that all methods with this kind of problems have; the inverse of read_problem() and
/// read_solver().
Case to_case(std::string_view method, const KindOfProblem& kind, const SolverCase& interpreted);

/// Returns the library of a baseline: "lapack" of "lapack:dsytrf".
std::string library_of(std::string_view baseline);

/// Returns the baseline of this type whose name has '?' for the letter of the type. LAPACK calls symmetric what is
/// Hermitian in the complex case, and orthogonal what is unitary, so that "?sy" and "?he", "?sp" and "?hp", "?or" and
/// "?un" mean the same here.
std::string baseline_of_type(std::string name, ScalarType type, Symmetry symmetry = Symmetry::hermitian);

}  // namespace pivotlab::experiments
