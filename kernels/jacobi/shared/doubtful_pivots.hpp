// SPDX-License-Identifier: BSD-3-Clause
// Pivots of A = M·D·M* that count as zero, though rounding errors leave room for an eigenvalue, and pivots that are
// rounding errors in their own rows and are kept, since they couple rows of smaller elements. Such a pivot x may as
// well be zero. Then its couplings x·m do not become x·m·m* in the rows below, which is no larger than them, but are
// eigenvalues themselves: an eigenvalue λ with the eigenvector u may have the relative error Σ |x·m_i|·|u_i|/|λ|.
#pragma once

#include "kernels/ldlt/shared/scaled_rank.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <pivotlab/jacobi.hpp>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// Returns how large an eigenvalue may be that the pivots which count as zero stand for. Row k of M⁻¹ takes A to the
/// pivot k, with errors of the size ε·y_k² (propagated_errors.hpp); M⁻* has columns of norm 1 and more.
template <class T>
RealOf<T> size_of_zeros(const LdltFactorization<T>& f, int threads) {
  using R = RealOf<T>;
  if (std::ranges::count(f.diagonal, T(0)) == 0) return R(0);
  std::vector<bool> zero(f.diagonal.size(), true);
  ldlt_detail::NoiseTest<T> test(f);
  for (const LdltStage<R>& stage : f.stages) {
    test.add(stage.first, stage.size);
    for (Index k = stage.first; k < stage.first + stage.size; ++k) zero[k] = stage.size == 1 && f.diagonal[k] == T(0);
  }
  const std::vector<R> y = ldlt_detail::propagated_errors<T>(f.M, test.rho(), threads);
  R sum(0);
  for (std::size_t k = 0; k < zero.size(); ++k)
    if (zero[k]) {
      const R size = std::max<R>(y[k], test.rho()[k]);  // y is an estimate
      sum += ldlt_detail::noise_level<R>(f.order()) * size * size;
    }
  return f.scaling.empty() ? sum : times_power_of_two(sum, -2 * f.scaling.front());
}

/// Returns Σ |x·m_i| over these pivots, for each row of A.
template <class T>
std::vector<RealOf<T>> doubtful_couplings(const LdltFactorization<T>& f) {
  using R = RealOf<T>;
  const Index n = f.order();
  std::vector<R> couplings(n);
  ldlt_detail::NoiseTest<T> test(f);
  for (const LdltStage<R>& stage : f.stages) {
    const Index k = stage.first;
    const bool doubtful = test.is_rounding(k, stage.size);
    test.add(k, stage.size);
    if (!doubtful) continue;
    const R a = modulus(f.diagonal[k]), b = stage.size == 2 ? modulus(f.subdiagonal[k]) : R(0),
            c = stage.size == 2 ? modulus(f.diagonal[k + 1]) : R(0);
    for (Index i = k + stage.size; i < n; ++i) {
      const R x = modulus(f.M(i, k)), y = stage.size == 2 ? modulus(f.M(i, k + 1)) : R(0);
      couplings[f.permutation[i]] += (a + b) * x + (b + c) * y;
    }
  }
  if (!f.scaling.empty())
    for (R& coupling : couplings) coupling = times_power_of_two(coupling, -2 * f.scaling.front());
  return couplings;
}

/// Adds these relative errors to those of the eigenvalues ±σ_j² of A, whose eigenvectors are the columns of hsvd.U.
template <class T>
void add_errors_of_couplings(const std::vector<RealOf<T>>& couplings, const HsvdResult<T>& hsvd,
                             std::vector<RealOf<T>>& errors) {
  for (std::size_t j = 0; j < errors.size(); ++j) {
    RealOf<T> sum(0);
    for (std::size_t i = 0; i < couplings.size(); ++i)
      sum += couplings[i] * modulus(hsvd.U(static_cast<Index>(i), static_cast<Index>(j)));
    if (sum > RealOf<T>(0)) errors[j] += sum / hsvd.sigma[j] / hsvd.sigma[j];
  }
}

}  // namespace pivotlab::jacobi
