// SPDX-License-Identifier: BSD-3-Clause
// Errors that pivots hand on to the pivots after them. If A is changed by E, the pivot in row k changes by z·E·z* to
// first order, z being row k of M⁻¹. For independent errors e_ij of the sizes ε·ρ_i·ρ_j of rounding errors the root of
// the mean square of this is ε·y_k², y_k² = Σ|z_i|²·ρ_i² (scaled_rank.hpp). A pivot far below ρ_k² makes y_i² far
// larger than ρ_i² in rows i that its column of M reaches: ρ_i² knows what that pivot is, not what it lost.
//
// y_k is estimated as |(M⁻¹·(σ∘ρ))_k| with two vectors σ of random signs, in n² operations. Bounds by recursion, such
// as y_i² ≤ ρ_i² + Σ|m_ik|²·y_k², are useless: they grow exponentially with n.
#pragma once

#include "kernels/ldlt/shared/input.hpp"
#include "kernels/ldlt/shared/noise_weights.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <algorithm>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns the estimates of y for ρ (length n); solve(first, second) replaces two vectors x by M⁻¹·x.
template <class T, class Solve>
std::vector<RealOf<T>> propagated_errors(const std::vector<RealOf<T>>& rho, const Solve& solve) {
  using R = RealOf<T>;
  std::vector<R> y(rho.size());
  std::vector<T> first(rho.size()), second(rho.size());
  for (std::size_t i = 0; i < rho.size(); ++i) {
    first[i] = T(R(R(random_weight(i, 0)) * rho[i]));
    second[i] = T(R(R(random_weight(i, 1)) * rho[i]));
  }
  solve(first, second);
  for (std::size_t i = 0; i < rho.size(); ++i) y[i] = with_square<R>(modulus(first[i]), R(1), modulus(second[i]));
  return y;
}

/// Returns the same for M (n × n) in memory of the host.
template <class T>
std::vector<RealOf<T>> propagated_errors(const Matrix<T>& M, const std::vector<RealOf<T>>& rho, int threads = 1) {
  constexpr Index columns = 64, rows = 512;
  const Index n = M.rows();
  return propagated_errors<T>(rho, [&](std::vector<T>& first, std::vector<T>& second) {
    const auto eliminate = [&](Index k, Index begin, Index end) {
      const T x1 = negated(first[k]), x2 = negated(second[k]);
      for (Index i = begin; i < end; ++i) {
        first[i] = multiply_add(M(i, k), x1, first[i]);
        second[i] = multiply_add(M(i, k), x2, second[i]);
      }
    };
    for (Index k = 0; k < n; k += columns) {
      const Index end = std::min(k + columns, n);
      for (Index j = k; j < end; ++j) eliminate(j, j + 1, end);
#pragma omp parallel for num_threads(threads_for(n - end, threads)) schedule(static)
      for (Index i = end; i < n; i += rows)
        for (Index j = k; j < end; ++j) eliminate(j, i, std::min(i + rows, n));
    }
  });
}

}  // namespace pivotlab::ldlt_detail
