// SPDX-License-Identifier: BSD-3-Clause
// Interface between eigh() and the backends of the Hermitian eigensolver, and the result from what they compute.
#pragma once

#include "kernels/jacobi/shared/signed_factor.hpp"

#include <pivotlab/eigh.hpp>

#include <vector>

namespace pivotlab::jacobi {

/// A backend computes these of a matrix A = G·J·G* whose largest element is about 1.
template <class T>
struct EighParts {
  HsvdResult<T> hsvd;  ///< of (G, J), r columns; zero columns of U are not yet completed. U is empty if not wanted
  std::vector<RealOf<T>> errors;  ///< length r: effect of the factorization's error on the eigenvalues, relative
  Index rank = 0;                 ///< r
  RealOf<T> zeros{};              ///< how large the eigenvalues may be that count as zero
  Index zero_rows = 0;            ///< rows of A, not scaled, that are zero; 0 if r = n
  SpectralReport spectral;
  double factor_seconds = 0, spectral_seconds = 0, sweep_seconds = 0;
  double compute_seconds = 0;  ///< all of it, without copies between host and GPU
};

inline HsvdOptions sweep_options(const EighOptions& options) {
  return {.variant = options.variant.sweeps,
          .backend = options.backend,
          .max_sweeps = options.max_sweeps,
          .max_inner_sweeps = options.max_inner_sweeps,
          .threads = options.threads};
}

/// Returns the k for which a largest element of this size, times 4^k, has size 1.
template <class R>
int quarter_exponent(const R& most) {
  return most > R(0) ? -(exponent_of(most) >> 1) : 0;
}

/// Returns the relative error of an eigenvalue of 4^k·A of order n, which becomes 4^(−k) times as large, by underflow:
/// of the elements of A and of the elimination, up to n times in each, and of the eigenvalue itself.
template <class R>
R underflow_error(const R& scaled, const R& eigenvalue, Index n) {
  constexpr R unit = std::numeric_limits<R>::denorm_min();
  return R(n) * R(n) * (unit / absolute(scaled)) + unit / absolute(eigenvalue);
}

/// Moves all but the vectors of a solution for 4^k·A of order n to a result: eigenvalues and judgements in descending
/// order, zeros between both signs. Zero rows of A have the eigenvalue 0 without an error. Returns the columns of U in
/// this order, −1 for those without one. Throws InputError for an eigenvalue that overflows.
template <class T, class Result>
std::vector<Index> store_all_but_vectors(EighParts<T>& parts, Index n, int k, Result& result) {
  using R = RealOf<T>;
  HsvdResult<T>& hsvd = parts.hsvd;
  std::vector<Index> order = descending_order(hsvd, n);
  Index exact_zeros = parts.zero_rows;
  for (const Index j : order) {
    const R scaled = j < 0 ? R(0) : R(R(hsvd.J[j]) * hsvd.sigma[j] * hsvd.sigma[j]);
    const R lambda = times_power_of_two(scaled, -2 * k) + R(0);  // no −0
    if (!(absolute(lambda) <= std::numeric_limits<R>::max()))
      throw InputError("matrix A: an eigenvalue overflows; multiply A by a power of two such as 2^-64");
    const bool exact = j < 0 && exact_zeros-- > 0;
    const R estimate = exact ? R(0)
                       : lambda == R(0)
                           ? R(1)
                           : std::min(R(1), R(hsvd.estimate[j] + parts.errors[j] + underflow_error(scaled, lambda, n)));
    (lambda > R(0) ? result.inertia.positive : lambda < R(0) ? result.inertia.negative : result.inertia.zero) += 1;
    result.eigenvalues.push_back(lambda);
    result.estimate.push_back(estimate);
    result.noise.push_back(R(10) * estimate >= R(1));
  }
  judge_places(result, times_power_of_two(parts.zeros, -2 * k));
  result.status = hsvd.status;
  result.message = std::move(hsvd.message);
  result.rank = parts.rank;
  result.spectral = std::move(parts.spectral);
  result.sweeps = std::move(hsvd.sweeps);
  result.factor_seconds = parts.factor_seconds;
  result.spectral_seconds = parts.spectral_seconds;
  result.sweep_seconds = parts.sweep_seconds;
  result.compute_seconds = parts.compute_seconds;
  return order;
}

}  // namespace pivotlab::jacobi
