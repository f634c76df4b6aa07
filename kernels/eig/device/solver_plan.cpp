// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/eig/device/solver_plan.hpp"

#include "kernels/eig/device/bank_order.hpp"
#include "kernels/eig/shared/decomposition.hpp"
#include "variants/orderings/strategy.hpp"

#include <algorithm>
#include <limits>

namespace pivotlab::eig_device {
namespace {

std::vector<Pair> to_pairs(const StrategyTable& table) {
  std::vector<Pair> pairs;
  for (const PivotPair& pair : table.pairs) pairs.push_back({pair.p, pair.q});
  return pairs;
}

Form form_of(EigForm form) {
  return form == EigForm::blocked ? Form::blocked : form == EigForm::fused ? Form::fused : Form::steps;
}

}  // namespace

SolverPlan make_plan(Index n, const EigOptions& options) {
  const EigVariant& variant = options.variant;
  SolverPlan plan;
  plan.form = form_of(variant.form);
  plan.block = variant.block;
  plan.n = n;
  const Index multiple = plan.form == Form::blocked ? std::max<Index>(32, 2 * variant.block) : 32;
  plan.order = (n + multiple - 1) / multiple * multiple;
  if (plan.form == Form::blocked) {
    plan.outer = to_pairs(make_strategy_table(variant.strategy, plan.order / variant.block));
    plan.inner = to_pairs(make_strategy_table(variant.strategy, 2 * variant.block));
    plan.first_in_single = variant.mixed && !eig_detail::wants_left(options);
    if (plan.first_in_single) plan.inner_of_floats = plan.inner;
    for (std::size_t first = 0; first < plan.inner.size(); first += variant.block) {
      arrange(std::span(plan.inner).subspan(first, variant.block), banks<double>);
      if (plan.first_in_single) arrange(std::span(plan.inner_of_floats).subspan(first, variant.block), banks<float>);
    }
  } else {
    plan.outer = to_pairs(make_strategy_table(variant.strategy, std::max<Index>(2, n + n % 2)));
  }
  plan.rules = {variant.shear, variant.unitary, variant.damping};
  plan.diagonal = variant.diagonal;
  plan.exponent = variant.exponent;
  plan.balance = variant.balance;
  plan.max_sweeps = options.max_sweeps;
  plan.stop_where_stagnating = variant.finish;
  plan.tolerance = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  plan.vectors = eig_detail::wants_right(options);
  plan.basis = plan.vectors || options.triangular_form;
  plan.inverse_basis = eig_detail::wants_left(options);
  return plan;
}

BatchPlan make_batch_plan(Index n, Index count, const EigOptions& options) {
  EigOptions point = options;
  point.variant.form = EigForm::fused;
  const SolverPlan single = make_plan(n, point);
  BatchPlan plan;
  plan.n = static_cast<int>(n), plan.count = static_cast<int>(count);
  plan.strategy = single.outer;
  plan.rules = {single.rules, single.diagonal, single.balance, single.exponent, single.tolerance, single.max_sweeps};
  plan.basis = options.triangular_form || options.variant.finish;
  plan.inverse_basis = single.inverse_basis;
  plan.vectors = single.vectors;
  return plan;
}

}  // namespace pivotlab::eig_device
