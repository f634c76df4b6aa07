// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gsvd/device/solver_plan.hpp"

#include "kernels/gsvd/shared/tolerances.hpp"
#include "variants/orderings/strategy.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::device {

SolverPlan make_plan(bool complex, Index m_f, Index m_g, Index n, const GsvdOptions& options) {
  const GsvdVariant& variant = options.variant;
  if (variant.width != 16 && variant.width != 32)
    throw NotSupported("w=" + std::to_string(variant.width) + ": the kernels have block widths 16 and 32");
  const Index tile = 2 * variant.width;
  SolverPlan plan;
  plan.complex = complex;
  plan.width = variant.width;
  plan.rows_f = m_f, plan.rows_g = m_g, plan.n = n;
  plan.order = (n + tile - 1) / tile * tile;
  plan.columns = plan.order;
  plan.outer_strategy = make_strategy_table(variant.outer, plan.columns / variant.width);
  plan.inner_strategy = make_strategy_table(variant.inner, tile);
  plan.enhanced = variant.enhanced_dots, plan.prescaled = variant.prescaled, plan.sorting = variant.sorting;
  plan.factor = static_cast<FactorKind>(variant.factor);
  plan.rules = pair_rules<double>(tile, variant.criterion == Criterion::C2);
  plan.safe_independence = safe_independence<double>();
  plan.max_inner_sweeps = variant.blocking == Blocking::BO ? 1 : options.max_inner_sweeps;
  plan.max_outer_sweeps = options.max_outer_sweeps;
  plan.first_in_single = variant.mixed;
  return plan;
}

SolverPlan make_stripes_plan(bool complex, Index m_f, Index m_g, Index n, Index order, Index columns, bool across,
                             const GsvdOptions& options) {
  SolverPlan plan = make_plan(complex, m_f, m_g, columns, options);
  plan.n = n, plan.order = order;
  plan.first_in_single = false;
  if (across) plan.across = make_table_across_halves(columns / options.variant.width);
  return plan;
}

}  // namespace pivotlab::device
