// A case of the GSVD: from the values of the axes to what is generated and solved.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/tangent_variant.hpp>
#include <pivotlab/variant.hpp>
#include <string>

namespace pivotlab::experiments {

/// How a solver with an outermost level is run.
struct OverRanks {
  DistributedVariant variant;
  int ranks = 1;          ///< GPUs, or groups of threads of the host
  std::string transport;  ///< of stripes between GPUs: "copy", "nccl", "mpi", "host"; elsewhere always "copy"
};

struct GsvdCase : SolverCase {
  Index m_f = 0, m_g = 0;
  std::optional<GsvdVariant> variant;     ///< of Hari–Zimmermann; of a solver over ranks, the one inside
  std::optional<OverRanks> over_ranks;    ///< threads are then those of all ranks together
  std::optional<TangentVariant> tangent;  ///< of a solver by tangent reduction, which has none of the two

  bool is_baseline() const { return !variant && !tangent; }
};

/// The case that a value for every axis stands for: '?' replaced, m = 0 → n, threads = 0 → default_threads(), names
/// canonical, shape and type of a pair from files taken from there. Throws InputError "<axis>: …".
GsvdCase interpret(const Case& axes);

/// Returns whether a solver's name is one of the tangent reduction: "DGT-(auto)".
bool is_tangent(std::string_view solver);

/// For generators.
PairRequest request_for(const GsvdCase& interpreted);

/// The inverse: what a record holds.
Case to_case(const GsvdCase& interpreted);

}  // namespace pivotlab::experiments
