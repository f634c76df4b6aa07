// SPDX-License-Identifier: BSD-3-Clause
// Simultaneous diagonalization of two pivot matrices of order two.
//
//   Â = [a11 a12; conj(a12) a22],   B̂ = [1 b12; conj(b12) 1],   Ẑᴴ·Â·Ẑ diagonal,   Ẑᴴ·B̂·Ẑ = I
//
// Ẑ is the one of Novaković & Singer, section 2.1, with real z11, z22 > 0 and |ϑ| ≤ π/4, but it is computed
// differently. Their sin φ = sin ϑ − ξ(cos ϑ + η sin ϑ) cancels when the columns of F have very different norms, and
// their cos φ when those of G are nearly parallel. Here Ẑ is written by the ratios in its columns, [1; s] and [r; 1] up
// to scaling. With b12 = x·e^{iζ}, e^{-iζ}·a12 = u + iv, r = e^{iζ}ρ, s = e^{-iζ}σ, h = a22 − a11, τ = ±1 the sign of h
// and
//
//   t² = 1 − x²,   d = τ(2u − (a11 + a22)x),   L² = h² + 4v²,   W² = d² + t²L²,   M∓ = W ∓ xd + t²|h|,
//
// orthogonality of the columns in both inner products has the solution of smallest angle
//
//   ρ = 2(τ(u − a22·x) − 2x·v²·t²/M₋) / (|h| + W) + 2iτv·t²/M₋,
//   σ = −2(τ(u − a11·x) + 2x·v²·t²/M₊) / (|h| + W) + 2iτv·t²/M₊,
//
// in which nothing cancels but the differences of the given numbers; of M₋ and M₊ the one that subtracts is replaced by
// W − x|d| = t²(d² + L²)/(W + x|d|). The real case is v = 0 with x of either sign. Where Â and B̂ are proportional, |h|
// + W = 0 and any solution of the second equation serves: instead of the text's exception ρ = −1, σ = 1, the one of
// smallest angle, ρ = σ = −x/(1 + t). Everything is free of branches, so that a loop over many pivot pairs vectorizes.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <limits>

namespace pivotlab {

/// Ẑ of a pivot pair in the form in which it is applied: [x y] := [x y]·[z11 z12; z21 z22], with real z11 and z22; the
/// imaginary parts are zero in the real case.
template <class R>
struct PairTransformation {
  R z11, z12_re, z12_im, z21_re, z21_im, z22;
};

/// Ẑ of pivot matrices whose B̂ has a diagonal of ones, with cos_phi = t·z11 and cos_psi = t·z22: criterion C2 compares
/// these with one, C1 z11 and z22 (section 2.5).
template <class R>
struct UnitPairTransformation : PairTransformation<R> {
  R cos_phi, cos_psi;
};

namespace detail {

/// |b12| < 1 for a positive definite B̂; rounding must not push it to 1, where 1/t ends.
template <class R>
PIVOTLAB_DEVICE inline R inside_unit(const R& x) {
  const R limit = R(1) - std::numeric_limits<R>::epsilon();
  return x > limit ? limit : (x < -limit ? R(-limit) : x);
}

/// 1 − x², to an ulp or two; for small x exactly 1, so that criterion C2 finds cosines of one.
template <class R>
PIVOTLAB_DEVICE inline R one_minus_square(const R& x) {
  if constexpr (std::is_same_v<R, double>)
    return fused(R(-x), x, R(1));
  else
    return absolute(x) < R(0.5) ? R(R(1) - x * x) : R((R(1) - x) * (R(1) + x));
}

/// √(a² + b²) for a, b ≥ 0 without overflow or harmful underflow.
template <class R>
PIVOTLAB_DEVICE inline R hypotenuse(const R& a, const R& b) {
  const R large = a < b ? b : a;
  const R small = a < b ? a : b;
  const R ratio = large == R(0) ? R(0) : R(small / large);
  return large * square_root(fused(ratio, ratio, R(1)));
}

/// 1/√(1 + 2xa + a² + b²), the length in B̂'s norm of a column with ratio a + ib; t² = 1 − x².
template <class R>
PIVOTLAB_DEVICE inline R inverse_length(const R& x, const R& t_squared, const R& a, const R& b) {
  const R along = fused(x, a, R(1));
  return R(1) / square_root(fused(along, along, fused(R(t_squared * a), a, R(b * b))));
}

}  // namespace detail

/// Ẑ of complex pivot matrices, or of real ones when all imaginary parts are the literal 0 of `complex = false`. Ẑ does
/// not depend on the scale of Â; scale·Â must have a size near 1. Â may be indefinite.
template <bool complex, class R>
PIVOTLAB_DEVICE inline UnitPairTransformation<R> diagonalize_scaled(const R& scale, R a11, R a22, R a12_re, R a12_im,
                                                                    const R& b12_re, const R& b12_im) {
  a11 *= scale, a22 *= scale, a12_re *= scale;

  R x = b12_re, zeta_cos(1), zeta_sin(0), u = a12_re, v(0);
  if constexpr (complex) {
    a12_im *= scale;
    const R b12 = detail::hypotenuse(absolute(b12_re), absolute(b12_im));
    x = b12;
    zeta_cos = b12 == R(0) ? R(1) : R(b12_re / b12);
    zeta_sin = b12 == R(0) ? R(0) : R(b12_im / b12);
    u = fused(zeta_cos, a12_re, R(zeta_sin * a12_im));
    v = fused(zeta_cos, a12_im, R(-zeta_sin * a12_re));
  }
  x = detail::inside_unit(x);

  const R t_squared = detail::one_minus_square(x);
  const R h = a22 - a11;
  const R tau = with_sign_of(R(1), h);
  const R d = tau * (fused(R(-a11), x, u) + fused(R(-a22), x, u));
  const R legs_squared = complex ? fused(h, h, R(R(4) * v * v)) : R(h * h);
  const R W = square_root(fused(d, d, R(t_squared * legs_squared)));
  const R sum = absolute(h) + W;
  const bool proportional = !(sum > R(0));
  const R factor = R(2) * tau * (R(1) / (proportional ? R(1) : sum));

  R rho = factor * fused(R(-a22), x, u), rho_im(0);
  R sigma = -factor * fused(R(-a11), x, u), sigma_im(0);
  if constexpr (complex) {
    const R xd = x * absolute(d);  // x ≥ 0 here
    const R added = W + xd;
    // t²/M for the sign that subtracts and for the one that adds.
    const R subtracting = R(1) / (fused(d, d, legs_squared) / (proportional ? R(1) : added) + absolute(h));
    const R adding = t_squared / (proportional ? R(1) : fused(t_squared, absolute(h), added));
    const R minus = v * (d < R(0) ? adding : subtracting);
    const R plus = v * (d < R(0) ? subtracting : adding);
    const bool real = v == R(0);
    const R correction = tau * factor * R(2) * x * v;
    rho = real ? rho : R(rho - correction * minus);
    sigma = real ? sigma : R(sigma - correction * plus);
    rho_im = real ? R(0) : R(R(2) * tau * minus);
    sigma_im = real ? R(0) : R(R(2) * tau * plus);
  }
  const R t = square_root(t_squared);
  rho = proportional ? R(-x / (R(1) + t)) : rho;
  sigma = proportional ? R(-x / (R(1) + t)) : sigma;

  UnitPairTransformation<R> z;
  z.z11 = detail::inverse_length(x, t_squared, sigma, sigma_im);
  z.z22 = detail::inverse_length(x, t_squared, rho, rho_im);
  z.cos_phi = z.z11 * t;
  z.cos_psi = z.z22 * t;
  if constexpr (complex) {
    z.z12_re = fused(zeta_cos, rho, R(-zeta_sin * rho_im)) * z.z22;
    z.z12_im = fused(zeta_cos, rho_im, R(zeta_sin * rho)) * z.z22;
    z.z21_re = fused(zeta_cos, sigma, R(zeta_sin * sigma_im)) * z.z11;
    z.z21_im = fused(zeta_cos, sigma_im, R(-zeta_sin * sigma)) * z.z11;
  } else {
    z.z12_re = rho * z.z22;
    z.z21_re = sigma * z.z11;
    z.z12_im = z.z21_im = R(0);
  }
  return z;
}

/// The same for a11, a22 ≥ 0 that are finite and not both zero unless a12 = 0.
template <bool complex, class R>
PIVOTLAB_DEVICE inline UnitPairTransformation<R> diagonalize(const R& a11, const R& a22, const R& a12_re,
                                                             const R& a12_im, const R& b12_re, const R& b12_im) {
  // The inverse of a subnormal trace, as of columns of rounding noise, overflows.
  const R trace = a11 + a22, least = std::numeric_limits<R>::min();
  const R scale = trace > R(0) ? scale_to_one(trace < least ? least : trace) : R(0);
  return diagonalize_scaled<complex>(scale, a11, a22, a12_re, a12_im, b12_re, b12_im);
}

/// The real case, section 2.1.2.
template <class R>
PIVOTLAB_DEVICE inline UnitPairTransformation<R> diagonalize_real(const R& a11, const R& a22, const R& a12,
                                                                  const R& b12) {
  return diagonalize<false, R>(a11, a22, a12, R(0), b12, R(0));
}

/// The complex case, section 2.1.1.
template <class R>
PIVOTLAB_DEVICE inline UnitPairTransformation<R> diagonalize_complex(const R& a11, const R& a22, const R& a12_re,
                                                                     const R& a12_im, const R& b12_re,
                                                                     const R& b12_im) {
  return diagonalize<true, R>(a11, a22, a12_re, a12_im, b12_re, b12_im);
}

}  // namespace pivotlab
