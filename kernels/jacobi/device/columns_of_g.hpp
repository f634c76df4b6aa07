// SPDX-License-Identifier: BSD-3-Clause
// A = G·J·G* from D of P·A·Pᵀ = M·D·M*, whose M is in device memory.
#pragma once

#include "kernels/jacobi/device/eigh_device.hpp"
#include "kernels/ldlt/shared/block.hpp"
#include "kernels/ldlt/shared/scaled_rank.hpp"

#include <algorithm>
#include <cmath>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// The columns of G as functions of those of M, before the rank test.
template <class T>
struct SignedColumns {
  std::vector<SignedColumn<T>> of_g;
  std::vector<int> J;
  std::vector<int> leading;  ///< for row i of M: the columns of G before the pivot of this row
  bool singular = false;     ///< an element of D is zero, or D has not all rows
};

/// Computes them from D, as LdltFactorization::gjg() does. M is not used.
template <class T>
SignedColumns<T> columns_of_g(const LdltFactorization<T>& f) {
  SignedColumns<T> result;
  const auto add = [&](Index first, bool pair, const T& upper, const T& lower, double eigenvalue, Index leading) {
    const double root = std::sqrt(std::fabs(eigenvalue));
    result.of_g.push_back({first, pair, upper * root, lower * root});
    result.J.push_back(eigenvalue > 0 ? 1 : -1);
    result.leading.push_back(static_cast<int>(leading));
    result.singular |= !(root > 0);
  };
  for (const auto& stage : f.stages) {
    const Index k = stage.first;
    if (stage.size == 1) {
      add(k, false, T(1), T(0), real_part(f.diagonal[k]), k);
      continue;
    }
    const ldlt_detail::HermitianSpectrum<T> spectrum({f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1]});
    for (const int e : {0, 1})
      add(k, true, spectrum.Q[0][e], spectrum.Q[1][e], e == 0 ? spectrum.positive : spectrum.negative, k);
  }
  const Index n = std::ssize(f.diagonal);
  while (std::ssize(result.of_g) < n) add(std::ssize(result.of_g), false, T(1), T(0), 0, 0);
  return result;
}

/// Returns whether the noise test may set a pivot to zero. rows[i] is the norm of row i of G before this pivot; twice
/// of it is above the test's ρ_i.
template <class T>
bool may_have_noise_pivots(const LdltFactorization<T>& f, const std::vector<double>& rows) {
  const auto square = [&](Index i) { return 4 * rows[i] * rows[i]; };
  return std::ranges::any_of(
      f.stages, [&](const auto& stage) { return ldlt_detail::may_be_noise(f, stage.first, stage.size, square); });
}

}  // namespace pivotlab::jacobi
