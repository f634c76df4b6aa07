// SPDX-License-Identifier: BSD-3-Clause
// The sections of a GSVD's record as tables of rows, and the values that they are written from.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <optional>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/gsvd_tangent.hpp>
#include <pivotlab/pair.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Holds the facts about a pair (F, G) that its record states.
struct GsvdProblemFacts {
  std::string provenance;
  std::optional<double> kappa_f = {}, kappa_g = {};
  std::optional<double> sigma_max = {}, sigma_min = {};
  bool truth = false;
  std::optional<Index> k = {}, l = {};  ///< known numbers of infinite and finite σ, unless they are 0 and n
};

/// Returns the facts about a pair; condition numbers are computed for pairs that are judged in full.
template <class T>
GsvdProblemFacts problem_facts(const Pair<T>& pair);
/// Returns the facts without condition numbers, which require the whole pair of n columns.
GsvdProblemFacts problem_facts(const std::string& provenance, const std::vector<Quad>& sigma, Index n);

/// The course of a solver by tangent reduction.
struct TangentFacts {
  std::optional<std::string> path = {};
  std::optional<int> steps = {}, newton_steps = {}, groups = {};
  std::optional<double> diagonal_span = {}, column_span = {};
  std::string fallback = {}, reason = {};
  std::optional<double> largest_estimate = {};
  std::optional<double> error_per_estimate = {};  ///< where the true σ are known
};
const Rows<TangentFacts>& tangent_rows();
/// The true σ may be unknown: `truth` is then empty.
template <class T>
TangentFacts tangent_facts(const TangentResult<T>& result, const std::vector<Quad>& truth = {});

struct GsvdConvergence {
  const std::vector<SweepCounters>& sweeps;
  std::vector<RankTimes> ranks;                 ///< only for solvers over ranks
  std::optional<TangentFacts> tangent = {};     ///< only for tangent reduction
  std::optional<RefineReport> refinement = {};  ///< only with `refine`
  std::optional<double> flops = {};  ///< only for Hari–Zimmermann on one GPU or host, of a pair that is not reduced
};

/// Returns the flops of a sweep of blocks of Hari–Zimmermann, by the products with block columns alone: of two blocks
/// of k columns together, m·k² for one triangle of each Gram matrix, 2·m·k² for each of F, G and Z; n²/(2·(k/2)²)
/// pairs. Complex flops count as four.
template <class T>
double sweep_flops(const Pair<T>& pair);

const Rows<GsvdProblemFacts>& gsvd_problem_rows();
const Rows<GsvdConvergence>& gsvd_convergence_rows();

/// The section `metrics`.
nlohmann::json to_json(const GsvdMetrics& metrics);

}  // namespace pivotlab::experiments
