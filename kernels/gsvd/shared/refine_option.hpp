// SPDX-License-Identifier: BSD-3-Clause
// The option `refine` of variants: what a refinement (pivotlab/refine.hpp) changes of a result.
#pragma once

#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/numerics/order.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/refine.hpp>
#include <pivotlab/refine_report.hpp>
#include <pivotlab/status.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pivotlab::refine_option {

/// Throws NotSupported: a refinement has other scalars.
[[noreturn]] inline void refuse_scalar() {
  throw NotSupported("option refine: its scalars are double and std::complex<double>; take a variant without refine");
}

inline RefineOptions options_for(Backend backend, int threads) {
  return {.backend = backend == Backend::cuda ? backend : Backend::host, .threads = threads};
}

/// Says that a result is not refined: in its report and, if it has passed, in its message.
template <class Result>
void refuse(const std::string& why, Result& result) {
  result.refinement.refusal = why;
  if (result.status == Status::passed) result.message = "not refined: " + why;
}

/// Returns what refine() returns for a result that has passed; nothing where it is refused.
template <class Result, class Refine>
auto attempt(Result& result, const Refine& refine) -> std::optional<decltype(refine())> {
  if (result.status != Status::passed) {
    refuse("the solver has not passed", result);
    return std::nullopt;
  }
  try {
    RefineReport& report = result.refinement;
    auto refined = refine();
    report.used = true, report.steps = refined.steps, report.seconds = refined.compute_seconds;
    report.determined = std::ranges::count(refined.determined, true);
    for (std::size_t j = 0; j < refined.values.size(); ++j)
      if (refined.determined[j] && refined.values[j] != 0)
        report.largest_bound = std::max(report.largest_bound, refined.bound[j] / std::fabs(refined.values[j]));
    return refined;
  } catch (const InputError& refusal) {
    refuse(refusal.what(), result);
    return std::nullopt;
  }
}

/// Returns a bound of the relative error of a value rounded to double, at most `most`; 0 for a zero that is certain.
template <class T>
double relative_bound(const Refined<T>& refined, std::size_t j, double most) {
  const double size = std::fabs(refined.values[j]);
  if (size == 0) return refined.bound[j] == 0 ? 0 : most;
  const double relative = (refined.bound[j] + std::fabs(refined.values_lo[j])) / size + 0x1p-53;
  return relative < most ? relative : most;  // that of an infinite value is NaN
}

/// Takes descending values with `factor` times their bounds as estimates, unless the estimate of the solver's value is
/// less or the value is nothing but noise; without estimates of the solver's takes all but noise. take(j) is called for
/// each value that is taken. Values still descend.
template <class T, class Take>
void take_values(const Refined<T>& refined, double factor, double most, std::vector<double>& values,
                 std::vector<double>& estimate, RefineReport& report, const Take& take) {
  const std::size_t n = values.size();
  if (estimate.empty()) estimate.assign(n, std::numeric_limits<double>::infinity());
  std::vector<bool> kept(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double bound = std::min(factor * relative_bound(refined, j, most), most);
    kept[j] = estimate[j] < bound || 10 * bound >= 1;
    report.kept += kept[j] && values[j] != 0 && 10 * estimate[j] < 1;
    if (kept[j]) continue;
    values[j] = refined.values[j], estimate[j] = bound;
    take(j);
  }
  for (std::size_t j = 1; j < n; ++j)
    if (kept[j]) values[j] = std::min(values[j], values[j - 1]);
  for (std::size_t j = n; j-- > 1;)
    if (kept[j - 1]) values[j - 1] = std::max(values[j - 1], values[j]);
}

/// Puts σ in descending order.
template <class T>
void sort_sigma(GsvdResult<T>& r) {
  const std::vector<Index> order = descending_indices(r.sigma);
  if (std::ranges::is_sorted(order)) return;
  for (auto* values : {&r.sigma, &r.sigma_f, &r.sigma_g}) *values = permuted(*values, order);
  for (Matrix<T>* factor : {&r.U, &r.V, &r.Z}) *factor = permuted(*factor, order);
  const Matrix<T> X = r.X;
  for (Index k = 0; k < X.cols(); ++k)
    for (Index j = 0; j < X.rows(); ++j) r.X(j, k) = X(order[j], k);
}

/// Refines the decomposition of a pair. `estimate` is that of errors of σ relative to it, which may be empty, and
/// becomes their bounds.
template <class T>
void refine_pair(MatrixView<const T> F, MatrixView<const T> G, Backend backend, int threads, GsvdResult<T>& result,
                 std::vector<double>& estimate) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    sort_sigma(result);
    const auto refine = [&] { return refine_gsvd<T>(F, G, result.Z, options_for(backend, threads)); };
    auto refined = attempt(result, refine);
    if (!refined) return;
    const auto take = [&](std::size_t j) {
      result.sigma_f[j] = refined->sigma_f[j], result.sigma_g[j] = refined->sigma_g[j];
    };
    const double unknown = std::numeric_limits<double>::infinity();
    take_values(*refined, 1, unknown, result.sigma, estimate, result.refinement, take);
    result.compute_seconds += result.refinement.seconds;
    if (result.refinement.kept > 0) return;
    result.U = std::move(refined->U), result.V = std::move(refined->V), result.Z = std::move(refined->vectors);
    if (result.X.size() > 0) result.X = inverse_of_z<T>(F, G, result.U, result.V, result);
  } else {
    refuse_scalar();
  }
}

}  // namespace pivotlab::refine_option
