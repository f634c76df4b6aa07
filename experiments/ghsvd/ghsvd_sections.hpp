// SPDX-License-Identifier: BSD-3-Clause
// The sections of a generalized hyperbolic singular value decomposition's record as tables of rows, and the values they
// are written from.
#pragma once

#include <cstdint>
#include <experiments/engine/section.hpp>
#include <optional>
#include <pivotlab/ghsvd.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Holds the facts about a pair and its signs that its record states.
struct GhsvdProblemFacts {
  std::string provenance;
  double norm_f = 0, norm_g = 0;
  std::int64_t negative_signs = 0;                                          ///< in J
  std::optional<double> smallest_eigenvalue = {}, largest_eigenvalue = {};  ///< true moduli
};

/// Holds what a record states of a run of a variant.
struct GhsvdConvergence {
  Index rank = 0;
  std::vector<HsvdSweep> sweeps;
  std::optional<std::int64_t> tangent_bits = {};  ///< these four only with a tangent reduction
  std::optional<std::string> factored_on = {};
  std::optional<double> reduction_seconds = {}, factor_seconds = {};
  double sweep_seconds = 0;

  template <class T>
  explicit GhsvdConvergence(const GhsvdResult<T>& r) : rank(r.rank), sweeps(r.sweeps), sweep_seconds(r.sweep_seconds) {
    if (r.tangent_bits == 0) return;
    tangent_bits = r.tangent_bits;
    factored_on = std::string(to_string(r.factored_on));
    reduction_seconds = r.reduction_seconds;
    factor_seconds = r.factor_seconds;
  }
};

const Rows<GhsvdProblemFacts>& ghsvd_problem_rows();
const Rows<GhsvdConvergence>& ghsvd_convergence_rows();

}  // namespace pivotlab::experiments
