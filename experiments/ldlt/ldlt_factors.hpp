// SPDX-License-Identifier: BSD-3-Clause
// Input of the judge for factors of variants and of baselines.
#pragma once

#include <experiments/ldlt/ldlt_metrics.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/ldlt.hpp>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

template <class T>
LdltFactors<T> factors_of(const LdltFactorization<T>& f) {
  LdltFactors<T> factors{f.M, f.diagonal, f.subdiagonal, f.permutation};
  for (const auto& stage : f.stages) factors.pivots.push_back(stage.size);
  // Complete pivoting has applied the tolerance to the reduced matrix, and D is zero there; every other element counts.
  factors.zero = f.pivoting() == Pivoting::complete ? 0 : f.tolerance;
  factors.scaling = f.scaling;
  factors.butterfly = f.butterfly;
  return factors;
}

/// Returns the bounds that the pivoting promises, and the computed rank and inertia.
template <class T>
LdltClaims claims_of(const LdltFactorization<T>& f) {
  LdltClaims claims{.rank = f.rank};
  if (!is_complex<T> || f.symmetry == Symmetry::hermitian) claims.inertia = f.inertia;
  if (f.pivoting() == Pivoting::complete || f.pivoting() == Pivoting::rook) {
    claims.multiplier_bound = f.variant.multiplier_bound();
    claims.condition_bound = f.variant.condition_bound();
  }
  return claims;
}

/// Returns the orders of the pivots in order.
std::vector<int> pivot_orders(const std::vector<Index>& interchanges);
/// Returns the number of interchanges of two different rows for pivots of this order.
Index count_swaps(const std::vector<Index>& interchanges, int order);

/// The factors of a baseline, whose rank and inertia follow from D by the same rule as for variants: singular values up
/// to `tolerance` times the largest modulus of A count as zero. Keeps references to the result.
template <class T>
LdltFactors<T> factors_of(const LdltBaselineResult<T>& result, double tolerance, double largest) {
  LdltFactors<T> factors{result.M, result.diagonal, result.subdiagonal, result.permutation,
                         pivot_orders(result.interchanges)};
  factors.tridiagonal = result.tridiagonal;
  factors.scaling = result.scaling;
  factors.zero = tolerance * (result.scaling.empty() ? largest : std::ldexp(largest, 2 * result.scaling.front()));
  return factors;
}

/// The largest order for which stages_of() is called; it takes n³/3 products.
inline constexpr Index growth_order = 2048;

/// Returns the stages of a factorization by any solver with the growth max|A_k|/max|A|, A_k the reduced matrices, which
/// are sums of the last columns of M with their blocks of D. `largest` is max|A|. Rounding errors are those of double.
template <class T>
std::vector<LdltStage<double>> stages_of(const LdltFactors<T>& f, Symmetry symmetry, double largest);
double largest_growth(const std::vector<LdltStage<double>>& stages);

/// Returns the bounds that the pivoting of a baseline promises. LAPACK compares |Re| + |Im| of complex numbers, for
/// which other bounds hold.
LdltClaims claims_of_baseline(std::string_view name, ScalarType type);

}  // namespace pivotlab::experiments
