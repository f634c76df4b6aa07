// Input of the judge for the library's own factorization.
#pragma once

#include <experiments/ldlt/ldlt_metrics.hpp>
#include <pivotlab/ldlt.hpp>

namespace pivotlab::experiments {

template <class T>
LdltFactors<T> factors_of(const LdltFactorization<T>& f) {
  LdltFactors<T> factors{f.M, f.diagonal, f.subdiagonal, f.permutation};
  for (const auto& stage : f.stages) factors.pivots.push_back(stage.size);
  // Complete pivoting has applied the tolerance to the reduced matrix, and D is zero there; every other element counts.
  factors.zero = f.variant.pivoting == Pivoting::complete ? 0 : f.tolerance;
  factors.scaling = f.scaling;
  return factors;
}

/// Returns the bounds that the pivoting promises, and the computed rank and inertia.
template <class T>
LdltClaims claims_of(const LdltFactorization<T>& f) {
  LdltClaims claims{.rank = f.rank};
  if (!is_complex<T> || f.symmetry == Symmetry::hermitian) claims.inertia = f.inertia;
  if (f.variant.pivoting != Pivoting::partial) {
    claims.multiplier_bound = f.variant.multiplier_bound();
    claims.condition_bound = f.variant.condition_bound();
  }
  return claims;
}

}  // namespace pivotlab::experiments
