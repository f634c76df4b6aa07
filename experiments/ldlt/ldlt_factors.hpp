// Our factorization as the judge takes it.
#pragma once

#include <experiments/ldlt/ldlt_metrics.hpp>
#include <pivotlab/ldlt.hpp>

namespace pivotlab::experiments {

template <class T>
LdltFactors<T> factors_of(const LdltFactorization<T>& f) {
  LdltFactors<T> factors{f.M, f.diagonal, f.subdiagonal, f.permutation};
  for (const auto& stage : f.stages) factors.pivots.push_back(stage.size);
  // What complete pivoting left of the reduced matrix has been judged, and D is zero there; the rest counts.
  factors.zero = f.variant.pivoting == Pivoting::complete ? 0 : f.tolerance;
  factors.scaling = f.scaling;
  return factors;
}

/// The bounds of the pivoting, and rank and inertia as computed.
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
