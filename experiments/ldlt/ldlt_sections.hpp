// SPDX-License-Identifier: BSD-3-Clause
// The sections of a symmetric indefinite factorization's record as tables of rows, and the values they are written
// from.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/ldlt/gjg_errors.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/ldlt_metrics.hpp>
#include <experiments/ldlt/ldlt_stages.hpp>
#include <optional>
#include <pivotlab/inertia.hpp>
#include <string>

namespace pivotlab::experiments {

/// Holds the facts about a matrix of order n that its record states.
struct LdltProblemFacts {
  std::string provenance;
  double largest_element = 0, norm_inf = 0;
  std::optional<double> smallest_eigenvalue = {}, largest_eigenvalue = {};  ///< moduli
  std::optional<Inertia> inertia = {};
};

/// Holds numbers that the solver counts during a factorization, and those that are computed on request.
struct LdltSolverFacts {
  std::optional<double> max_growth = {};
  std::optional<Index> swaps_1x1 = {}, swaps_2x2 = {};
  double tolerance = 0;
  std::optional<double> remainder = {};
  std::optional<LdltStages> stages = {};
  std::optional<InertiaReport> certificate = {};
  std::optional<GjgErrors> gjg = {};
  std::optional<double> flops = {};
  std::optional<std::string> refusal = {};  ///< of a variant without a search; empty where it sufficed
};

const Rows<LdltProblemFacts>& ldlt_problem_rows();
const Rows<LdltSolverFacts>& ldlt_solver_rows();
/// The object `certificate` of these metrics.
const Rows<InertiaReport>& certificate_rows();

}  // namespace pivotlab::experiments
