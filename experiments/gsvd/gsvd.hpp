// SPDX-License-Identifier: BSD-3-Clause
// The GSVD as a method of the engine.
#pragma once

#include <algorithm>
#include <experiments/commands/command_description.hpp>
#include <experiments/common/solver_case.hpp>
#include <memory>
#include <optional>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/tangent_variant.hpp>
#include <pivotlab/variant.hpp>
#include <string>

namespace pivotlab {
class Transport;
}

namespace pivotlab::experiments {

/// Settings of a solver with an outermost level.
struct OverRanks {
  DistributedVariant variant;
  int ranks = 1;               ///< GPUs, or groups of threads of the host
  std::string transport = {};  ///< way between GPUs: "copy", "nccl", "mpi", "host"; on the host always "copy"
};

/// `variant` is that of Hari–Zimmermann; of a solver over ranks, the inner one.
struct GsvdCase : VariantCase<GsvdVariant> {
  std::optional<OverRanks> over_ranks;    ///< threads are then those of all ranks together
  std::optional<TangentVariant> tangent;  ///< tangent reduction; the other two are then empty
  CheckpointOptions checkpoint = {};      ///< of a solver over ranks; not part of the case

  bool has_few_rows() const { return std::min(m_f, m_g) < n; }
};

/// Interprets a case; see interpret() in experiments/generic/experiment.hpp.
GsvdCase interpret_gsvd(const Case& axes);

/// Returns the canonical name of a variant, in which '?' stands for the letter of the type, and adds it to the case.
std::string read_variant(GsvdCase& read, std::string name);

/// Returns whether a solver's name is one of the tangent reduction: "DGT-(auto)".
bool is_tangent(std::string_view solver);

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_gsvd(const GsvdCase& gsvd_case);

/// Up to this dimension every rank generates the whole pair, and the first rank gathers the whole decomposition and
/// judges it like that of a single process. Above it, a rank has only its columns, and all ranks judge by random
/// vectors.
inline constexpr Index whole_limit = 4096;

/// Implements Method::make_problem_over(): each process has its columns of the pair. Pairs above `limit` are not kept
/// whole on a rank.
std::unique_ptr<Problem> make_gsvd_problem_over(Transport& ranks, const GsvdCase& gsvd_case, Index limit = whole_limit);

/// Axes: type, n, m_f, m_g, generator, seed, solver (a variant or a baseline), backend, threads.
const Method& gsvd_method();

/// The command `solve gsvd` over ranks, for a pair in one HDF5 file of which each rank reads its columns.
std::shared_ptr<const CommandDescription> solve_gsvd_command_over(Transport& ranks);

}  // namespace pivotlab::experiments
