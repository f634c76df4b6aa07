// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues beyond the digits of a result, from its residuals alone: Rayleigh quotients, with bounds that need no
// other eigensolver, so that they judge any solver.
//
// For a Hermitian H, a unit vector x and ρ = x*Hx, an eigenvalue is within ‖Hx − ρx‖²/g of ρ if all others are at least
// g from ρ (Temple, Kato; Parlett, The Symmetric Eigenvalue Problem, theorem 11.7.1). The others are kept away by
// enclosures of all eigenvalues within `enclosure` of the computed ones, which residuals and orthogonality of all
// vectors give (docs/notebook/refinement.md). In clusters, where g is not positive, only the enclosure is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pivotlab::experiments {

/// Rayleigh quotients of approximate eigenvectors, in the order of the values that they belong to.
struct RayleighQuotients {
  std::vector<double> values = {};     ///< computed, in descending order
  std::vector<double> changes = {};    ///< quotient − value, rounded
  std::vector<double> residuals = {};  ///< bounds of ‖Hx − ρx‖ for unit x
  std::vector<double> rounding = {};   ///< bounds of the errors of changes
  double enclosure = 0;                ///< every eigenvalue of H is within this of its computed value
  /// The largest eigenvalue of H that belongs to no value, all of which are larger.
  double next = -std::numeric_limits<double>::infinity();
};

/// Returns bounds of the distances of the true eigenvalues from values + changes.
inline std::vector<double> bounds_of(const RayleighQuotients& q) {
  constexpr double room = 1 + 0x1p-20;
  std::vector<double> bounds;
  for (std::size_t j = 0; j < q.values.size(); ++j) {
    const double rho = q.values[j] + q.changes[j],
                 above = j == 0 ? std::numeric_limits<double>::infinity() : q.values[j - 1],
                 below = j + 1 < q.values.size() ? q.values[j + 1] : q.next;
    const double gap = std::min(above - rho, rho - below) - q.enclosure, residual = q.residuals[j];
    double bound = q.enclosure + std::fabs(q.changes[j]);
    if (gap > residual) bound = std::min(bound, residual * (residual / gap) + q.rounding[j]);
    bounds.push_back(bound * room);
  }
  return bounds;
}

/// Returns whether an error of a value is known: to three digits, or to half a unit in the last place of the value.
inline bool is_known(double value, double change, double bound) {
  return bound <= std::max(0x1p-53 * std::fabs(value + change), 1e-3 * std::fabs(change));
}

}  // namespace pivotlab::experiments
