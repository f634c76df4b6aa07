// SPDX-License-Identifier: BSD-3-Clause
// The first approximation of V: eigenvectors of Gram matrices.
#pragma once

#include "kernels/gsvd/tangent/shared/columns.hpp"
#include "kernels/gsvd/tangent/shared/run.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace pivotlab::tangent {

/// Diagonalizes the Gram matrices of groups of columns of similar norm, and returns the groups' orders. `shifted`
/// groups begin with one of a smaller ratio, so that their cuts lie elsewhere.
template <class T, class Machine>
std::vector<std::int64_t> diagonalize_groups(Columns<T, Machine>& columns, Index n, double ratio, bool shifted) {
  std::vector<std::int64_t> orders;
  constexpr double zero = 1e-290;
  Index first = 0;
  while (first < n && columns.norm(first) > zero) {
    const double least = columns.norm(first) / (shifted && first == 0 ? std::sqrt(ratio) : ratio);
    Index end = first;
    while (end < n && columns.norm(end) >= least && columns.norm(end) > zero) ++end;
    columns.diagonalize_range(first, end);
    orders.push_back(end - first);
    first = end;
  }
  columns.place_rest(first);
  return orders;
}

/// Step 6 of the specification: columns.A = M·V of columns that are nearly orthogonal, in descending order of norms.
template <class T, class Machine>
bool first_vectors(Run<T, Machine>& run, Columns<T, Machine>& columns) {
  if (!columns.start()) return false;
  const Reals& norms = columns.norms();
  TangentReport& report = run.out.report;
  report.column_span = norms.back() > 0 ? norms.front() / norms.back() : std::numeric_limits<double>::infinity();
  constexpr double wide = 1e9;
  const bool groups = run.variant.groups == TangentGroups::on ||
                      (run.variant.groups == TangentGroups::automatic && !(report.column_span < wide));
  report.groups =
      diagonalize_groups(columns, run.n, groups ? run.variant.ratio : std::numeric_limits<double>::infinity(), false);
  columns.started();
  run.machine.mark("eigenvectors of Gram matrices", 0);
  if (!columns.sort_by_norm()) return false;
  const bool twice = run.n >= Machine::least_order_of_two_passes;
  if (groups && twice && norms.front() > run.variant.ratio * norms.back()) {
    diagonalize_groups(columns, run.n, run.variant.ratio, true);
    run.machine.mark("eigenvectors of Gram matrices, shifted groups", 0);
    if (!columns.sort_by_norm()) return false;
  }
  const auto tail = static_cast<Index>(run.variant.tail * static_cast<double>(run.n));
  if (!groups && tail > 1 && tail < run.n) {
    columns.diagonalize_range(run.n - tail, run.n);
    run.machine.mark("eigenvectors of the tail's Gram matrix", 0);
    if (!columns.sort_by_norm()) return false;
  }
  return true;
}

}  // namespace pivotlab::tangent
