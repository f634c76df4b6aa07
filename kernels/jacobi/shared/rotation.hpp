// SPDX-License-Identifier: BSD-3-Clause
// The transformation of two columns x and y with signs in J: it makes them orthogonal and is unitary if their signs are
// equal, J-unitary if they differ. With s = J_x·J_y, c = |x*y|, z = x*y/c, h = ‖y‖² − s·‖x‖²,
//
//   s = +1:  tan 2φ = 2c/h,    s = −1:  tanh 2φ = −2c/h,    σ = sin φ or sinh φ,  k = cos φ or cosh φ,
//   x := x − s·σ·(z̄·y + τ·x),   y := y + σ·(z·x − s·τ·y)   (old x, y),   τ = σ/(1 + k).
//
// Sorting: columns of equal signs take each other's place where that makes J·‖·‖² descend, which saves sweeps.
//
// The form with τ (Rutishauser's) has rounding errors of size |σ|·ε. The form k·x − s·σ·z̄·y would have errors of size
// ε with a bias: the roundings of k make it too large near 1, and norms grow with the number of transformations.
// For h > 0, with r = √(h² + s·(2c)²), p = h + r and w = √(2·r·p), the numbers are
//
//   σ = s·2c/w,   τ = s·2c/(w + p),   k = p/w,   tan φ or tanh φ = s·2c/p:
//
// two roots and one quotient in sequence, no cancellation, and both kinds share all but one radicand, so that a loop
// over many pairs vectorizes. This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/gsvd/shared/pair_decision.hpp"

#include <cstdint>
#include <limits>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

template <class R>
struct JacobiRules {
  R tolerance;  ///< columns are orthogonal if |cos(x, y)| is not larger, √m·u for columns of length m
  R big;        ///< a transformation is a big one if |cos(x, y)| is larger, √u
  bool sorting = false;
};

/// Returns the rules for columns of length m.
template <class R>
JacobiRules<R> jacobi_rules(std::int64_t m, bool sorting = false) {
  return {square_root(R(m)) * unit_roundoff<R>(), square_root(unit_roundoff<R>()), sorting};
}

/// A transformation as it is applied: x += x_factor·(z̄·y + τ·x), y += y_factor·(z·x + y_tau·y) with the old x and y.
/// For real columns z = 1, and the factors have the sign of x*y.
template <class R>
struct JacobiUpdate {
  R z_re, z_im, x_factor, tau, y_factor, y_tau;
};

/// Transforms one element of x and one of y, real numbers.
template <class R>
PIVOTLAB_DEVICE inline void transform_elements(const JacobiUpdate<R>& u, R& x, R& y) {
  const R a = x, b = y;
  x = fused(u.x_factor, fused(u.tau, a, b), a);
  y = fused(u.y_factor, fused(u.y_tau, b, a), b);
}

/// Transforms one element of x and one of y, complex numbers in two parts.
template <class R>
PIVOTLAB_DEVICE inline void transform_elements(const JacobiUpdate<R>& u, R& x, R& x_im, R& y, R& y_im) {
  const R a = x, ai = x_im, b = y, bi = y_im;
  x = fused(u.x_factor, fused(u.tau, a, fused(u.z_re, b, R(u.z_im * bi))), a);
  x_im = fused(u.x_factor, fused(u.tau, ai, fused(u.z_re, bi, R(-u.z_im * b))), ai);
  y = fused(u.y_factor, fused(u.y_tau, b, fused(u.z_re, a, R(-u.z_im * ai))), b);
  y_im = fused(u.y_factor, fused(u.y_tau, bi, fused(u.z_re, ai, R(u.z_im * a))), bi);
}

/// The numbers that decide whether columns x and y are orthogonal.
template <class R>
struct JacobiProducts {
  R c;      ///< |x*y|
  R norms;  ///< ‖x‖·‖y‖

  /// Returns false for NaN. A product that is not a normal number has lost its digits; one of the columns is rounding
  /// noise then, because columns of a problem differ by less than widest_range<R>() (problem.hpp).
  PIVOTLAB_DEVICE bool orthogonal(const JacobiRules<R>& rules) const {
    return (c <= rules.tolerance * norms) | (c < std::numeric_limits<R>::min());
  }
};

template <bool complex, class R>
PIVOTLAB_DEVICE inline JacobiProducts<R> jacobi_products(const PivotMatrix<R>& m) {
  return {complex ? detail::hypotenuse(absolute(m.xy_re), absolute(m.xy_im)) : absolute(m.xy_re),
          square_root(m.xx) * square_root(m.yy)};
}

/// The decision on a pair. Flags are 0 or 1 in R, so that a loop over many pairs vectorizes.
template <class R>
struct JacobiDecision {
  JacobiUpdate<R> update;
  R t;        ///< tan φ or tanh φ
  R c;        ///< |x*y|
  R cosine;   ///< |cos(x, y)|, 0 for zero columns
  R active;   ///< a transformation is needed; always for NaN, never for a zero column
  R big;      ///< it is a big transformation
  R clamped;  ///< |tanh φ| was limited, because rounding does not tell the columns from parallel ones
};

/// Decides on a pair with Gram matrix m; s is 1 for equal signs and −1 for different ones.
template <bool complex, class R>
PIVOTLAB_DEVICE inline JacobiDecision<R> decide_jacobi(const PivotMatrix<R>& m, const R& s,
                                                       const JacobiRules<R>& rules) {
  const auto products = jacobi_products<complex>(m);
  const R c = products.c, norms = products.norms;
  const bool unitary = s > R(0);
  const bool orthogonal = products.orthogonal(rules);

  // The transformation does not depend on the scale of the Gram matrix. Squares of small columns would underflow.
  const R difference = m.yy - s * m.xx, twice = c + c;
  const R larger = absolute(difference) < twice ? twice : absolute(difference);
  const R least = std::numeric_limits<R>::min();
  const R scale = scale_to_one(larger < least ? least : larger);
  const R h = absolute(difference) * scale, c2 = twice * scale;
  const R gap = h - c2, least_gap = unit_roundoff<R>() * h;
  const bool clamped = !unitary & (gap < least_gap);
  const R root = square_root(unitary ? fused(h, h, R(c2 * c2)) : R((clamped ? least_gap : gap) * (h + c2)));
  const R p = h + root, w = square_root((root + root) * p);
  const R signed_c2 = s * with_sign_of(c2, difference);
  const R sigma = signed_c2 / (w > R(0) ? w : R(1)), tau = signed_c2 / (w > R(0) ? w + p : R(1));

  JacobiDecision<R> decision;
  decision.t = signed_c2 / (p > R(0) ? p : R(1));
  decision.c = c;
  decision.cosine = c / (norms > R(0) ? norms : R(1));
  decision.active = orthogonal ? R(0) : R(1);
  decision.big = c <= rules.big * norms ? R(0) : R(1);
  decision.clamped = (clamped & !orthogonal) ? R(1) : R(0);
  if constexpr (complex) {
    const R inverse = R(1) / (c > R(0) ? c : R(1));
    decision.update = {R(m.xy_re * inverse), R(m.xy_im * inverse), R(-s * sigma), tau, sigma, R(-s * tau)};
  } else {
    const R z = with_sign_of(R(1), m.xy_re), y_factor = z * sigma, tau_z = z * tau;
    decision.update = {R(1), R(0), R(-s * y_factor), tau_z, y_factor, R(-s * tau_z)};
  }
  return decision;
}

/// Says whether the transformed columns x and y shall take each other's place: their signs are equal, and J·‖·‖² is
/// larger for y. The transformation with |φ| ≤ π/4 makes the larger column larger, which is y for t > 0.
template <class R>
PIVOTLAB_DEVICE inline bool changes_places(const JacobiDecision<R>& pair, const R& sign_x, const R& s,
                                           const JacobiRules<R>& rules) {
  return rules.sorting & (s > R(0)) & ((pair.t > R(0)) == (sign_x > R(0)));
}

/// Estimates of the rounding errors in two columns: squares of their norms, divided by ε², which have the range of the
/// columns' squared norms.
template <class R>
struct JacobiNoise {
  R x, y;
};

/// Returns the noise of the transformed columns: that of the old ones, transformed, and at least ε times the new norms.
template <class R>
PIVOTLAB_DEVICE inline JacobiNoise<R> transformed_noise(const JacobiNoise<R>& noise, const PivotMatrix<R>& m,
                                                        const R& s, const JacobiDecision<R>& pair) {
  const R sine2 = pair.update.y_factor * pair.update.y_factor, cosine2 = fused(-s, sine2, R(1));
  const R x = fused(sine2, noise.y, R(cosine2 * noise.x)), least_x = m.xx - s * pair.t * pair.c;
  const R y = fused(sine2, noise.x, R(cosine2 * noise.y)), least_y = m.yy + pair.t * pair.c;
  return {x < least_x ? least_x : x, y < least_y ? least_y : y};
}

/// Says whether a column of this squared norm, which is not zero, is not larger than its noise.
template <class R>
PIVOTLAB_DEVICE inline bool is_rounding_noise(const R& squared_norm, const R& noise) {
  constexpr R eps = std::numeric_limits<R>::epsilon();
  return squared_norm <= eps * eps * noise;
}

/// Returns the estimated norm of the rounding errors.
template <class R>
PIVOTLAB_DEVICE inline R noise_norm(const R& noise) {
  return std::numeric_limits<R>::epsilon() * square_root(noise);
}

}  // namespace pivotlab
