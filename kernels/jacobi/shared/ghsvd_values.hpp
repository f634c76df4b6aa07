// SPDX-License-Identifier: BSD-3-Clause
// The values of the generalized hyperbolic SVD by tangent reduction: eigenvalues, singular values, and their judgement.
//
//   est_j = hsvd().estimate_j                        sweeps, and rounding of G_T
//         + ε_T·(‖|B|·|x_j|‖² + ‖|G_T|*·|x_j|‖²)/|λ_j|     T and its factorization, in their precision; on the host
//                                                          also pivots that may be zero (doubtful_pivots.hpp)
//         + 2·ε·Σ_k ‖g_k‖·|z_kj|                           QR factorization of G, with σ_G = 1
//         + 2·ε·|B·x_j|*·|B|·|R|·|z_j|/|λ_j|               substitution for B
#pragma once

#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/rank.hpp"
#include "kernels/gsvd/shared/transformation.hpp"
#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <limits>
#include <pivotlab/ghsvd.hpp>
#include <type_traits>

namespace pivotlab::jacobi {

/// The real type of T and of its factorization with TangentPrecision::extended, for pairs over R.
template <class R>
using ExtendedReal = std::conditional_t<std::is_same_v<R, double>, DoubleDouble, Quad>;

/// The parts of est_j for σ_j = √|λ_j|.
template <class R>
struct EstimateParts {
  R sweeps;         ///< hsvd().estimate_j
  R factorization;  ///< ε_T·‖|G_T|*·|x_j|‖²/σ²
  R tangent;        ///< ε_T·‖|B|·|x_j|‖²/σ²
  R qr;             ///< Σ_k ‖g_k‖·|z_kj|
  R substitution;   ///< |B·x_j|*·|B|·|R|·|z_j|
};

template <class R>
R estimate_of(const EstimateParts<R>& parts, const R& sigma) {
  constexpr R eps = std::numeric_limits<R>::epsilon();
  const R square = sigma * sigma, sum = parts.sweeps + parts.factorization + parts.tangent + R(2) * eps * parts.qr;
  return square > R(0) ? R(sum + R(2) * eps * parts.substitution / square) : R(1);
}

/// Stores eigenvalue, singular values and judgement of the next column, with σ = ‖F·z‖_J of the scaled pair and sign 0
/// for σ = 0, and returns the factor that makes the column of Z for σ_G = 1 that for σ_F² + σ_G² = 1.
template <class R>
R store_value(int sign, const R& scaled_sigma, const R& estimate, int exponent, GhsvdValues<R>& result) {
  const R sigma = sign == 0 ? R(0) : times_power_of_two(scaled_sigma, -exponent), lambda = R(sign) * sigma * sigma;
  const R length = detail::hypotenuse(sigma < R(1) ? sigma : R(1), sigma < R(1) ? R(1) : sigma);
  (sign > 0 ? result.inertia.positive : sign < 0 ? result.inertia.negative : result.inertia.zero) += 1;
  result.eigenvalues.push_back(lambda);
  result.J.push_back(sign);
  result.sigma_f.push_back(sigma / length);
  result.sigma_g.push_back(R(1) / length);
  const bool lost = sign == 0 || absolute(lambda) < std::numeric_limits<R>::min();  // also by underflow
  result.estimate.push_back(lost ? R(1) : std::min(R(1), estimate));
  result.noise.push_back(R(10) * result.estimate.back() >= R(1));
  return result.sigma_g.back();
}

/// Returns the values of a pair whose G has n columns that are dependent.
template <class R>
GhsvdValues<R> values_of_deficient(Index n) {
  GhsvdValues<R> values;
  values.message = describe_deficiency(n);
  return values;
}

}  // namespace pivotlab::jacobi
