// A case of the GSVD, interpreted from the values of the axes.
#pragma once

#include <algorithm>
#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/tangent_variant.hpp>
#include <pivotlab/variant.hpp>
#include <string>

namespace pivotlab::experiments {

/// Settings of a solver with an outermost level.
struct OverRanks {
  DistributedVariant variant;
  int ranks = 1;               ///< GPUs, or groups of threads of the host
  std::string transport = {};  ///< way between GPUs: "copy", "nccl", "mpi", "host"; on the host always "copy"
};

/// The part that cases of pairs share.
struct PairCase : SolverCase {
  Index m_f = 0, m_g = 0;  ///< rows of F and G
};

struct GsvdCase : PairCase {
  std::optional<GsvdVariant> variant;     ///< Hari–Zimmermann variant; of a solver over ranks, the inner one
  std::optional<OverRanks> over_ranks;    ///< threads are then those of all ranks together
  std::optional<TangentVariant> tangent;  ///< tangent reduction; the other two are then empty
  CheckpointOptions checkpoint = {};      ///< of a solver over ranks; not part of the case

  bool is_baseline() const { return !variant && !tangent; }
  bool has_few_rows() const { return std::min(m_f, m_g) < n; }
};

/// Interprets a case, which has a value for every axis: replaces '?', sets m = 0 to n and threads = 0 to
/// default_threads(), makes names canonical, and takes shape and type of a pair in files from the files. Throws
/// InputError "<axis>: …".
GsvdCase interpret(const Case& axes);

/// Reads the numbers of rows of a generated pair. Throws InputError for fewer than n where the generator cannot make
/// them.
void read_row_counts(PairCase& result, const Case& axes);
/// Reads type, shape and digest of a pair from a file.
void read_pair_file(PairCase& result, const Case& axes);

/// Returns whether a solver's name is one of the tangent reduction: "DGT-(auto)".
bool is_tangent(std::string_view solver);

/// Returns whether the generator only draws and scales random numbers in double precision.
bool is_drawn(const GsvdCase& interpreted);

/// Returns whether σ of such a pair is computed in extended precision.
bool has_computed_truth(const GsvdCase& interpreted);

/// Returns the request to the generator of the pair.
PairRequest request_for(const GsvdCase& interpreted);

/// Returns the axes and values of a record; the inverse of interpret().
Case to_case(const GsvdCase& interpreted);

}  // namespace pivotlab::experiments
