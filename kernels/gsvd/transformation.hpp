// Simultaneous diagonalization of two pivot matrices of order two.
//
//   Â = [a11 a12; conj(a12) a22],   B̂ = [1 b12; conj(b12) 1],   Ẑᴴ·Â·Ẑ diagonal,   Ẑᴴ·B̂·Ẑ = I
//
// Novaković & Singer, sections 2.1.1 (complex) and 2.1.2 (real), with the errata of the text: cos θ = 1/√(1 + tan²θ), and the
// real exception takes x with its sign. Everything is free of branches, so that a loop over many pivot pairs vectorizes.
#pragma once

#include "kernels/numerics/arithmetic.hpp"

#include <limits>

namespace pivotlab {

/// Ẑ = [z11 z12; z21 z22] with real z11, z22; the imaginary parts are zero in the real case.
/// cos_phi and cos_psi are the numerators of z11 and z22: criterion C2 looks at them, C1 at z11 and z22.
template <class R>
struct Transformation {
  R z11, z22;
  R z12_re, z12_im, z21_re, z21_im;
  R cos_phi, cos_psi;
};

namespace detail {

/// |b12| ≤ 1 for a positive definite B̂; rounding must not push it to 1, where 1/√(1 − x²) ends.
template <class R>
inline R inside_unit(const R& x) {
  const R limit = R(1) - std::numeric_limits<R>::epsilon();
  return x > limit ? limit : (x < -limit ? R(-limit) : x);
}

template <class R>
inline R root_of_epsilon() {
  // 2^(-p/2) of the unit roundoff 2^-p; a power of two for even p, close enough for odd.
  return square_root(unit_roundoff<R>());
}

/// √(a² + b²) for a, b ≥ 0 without overflow or harmful underflow.
template <class R>
inline R hypotenuse(const R& a, const R& b) {
  const R large = a < b ? b : a;
  const R small = a < b ? a : b;
  const R ratio = large == R(0) ? R(0) : R(small / large);
  return large * square_root(fused(ratio, ratio, R(1)));
}

}  // namespace detail

/// Section 2.1.2. a12 and b12 are real.
template <class R>
inline Transformation<R> diagonalize_real(const R& a11, const R& a22, const R& a12, const R& b12) {
  const R root_eps = detail::root_of_epsilon<R>();
  const R x = detail::inside_unit(b12);
  const R t = absolute(x) < root_eps ? R(1) : square_root(fused(R(-x), x, R(1)));
  const R plus = square_root(R(1) + x);
  const R minus = square_root(R(1) - x);
  const R xi = x / (plus + minus);
  const R eta = x / ((R(1) + plus) * (R(1) + minus));

  const R cot2 = (t * (a22 - a11)) / fused(R(-(a11 + a22)), x, R(a12 + a12));
  const R magnitude = absolute(cot2);
  // tan ϑ = 1/(|cot 2ϑ| + √(1 + cot²2ϑ)); the root is |cot 2ϑ| when that is large and 1 when it is small.
  const R root = magnitude >= R(1) / root_eps ? magnitude
                                              : (magnitude < root_eps ? R(1) : square_root(fused(magnitude, magnitude, R(1))));
  const R tangent = with_sign_of(R(R(1) / (magnitude + root)), cot2);
  const R cosine = absolute(tangent) < root_eps ? R(1) : R(R(1) / square_root(fused(tangent, tangent, R(1))));
  const R sine = tangent * cosine;

  const R cos_phi = fused(xi, fused(R(-eta), cosine, sine), cosine);
  const R cos_psi = fused(R(-xi), fused(eta, cosine, sine), cosine);
  const R sin_phi = fused(R(-xi), fused(eta, sine, cosine), sine);
  const R sin_psi = fused(xi, fused(R(-eta), sine, cosine), sine);

  // Proportional Â and B̂ (0/0 above): whatever diagonalizes B̂ will do.
  const bool proportional = !(cot2 == cot2);
  const R half_root = square_root(R(0.5));
  Transformation<R> z;
  z.z11 = proportional ? R(half_root / plus) : R(cos_phi / t);
  z.z21_re = proportional ? R(half_root / plus) : R(-sin_psi / t);
  z.z12_re = proportional ? R(-half_root / minus) : R(sin_phi / t);
  z.z22 = proportional ? R(half_root / minus) : R(cos_psi / t);
  z.z12_im = z.z21_im = R(0);
  z.cos_phi = proportional ? half_root : cos_phi;
  z.cos_psi = proportional ? half_root : cos_psi;
  return z;
}

/// Section 2.1.1. The angles enter by their sines and cosines, computed as quotients of legs and hypotenuse, which also covers the
/// angles π/2 where the tangents of the text are infinite.
template <class R>
inline Transformation<R> diagonalize_complex(const R& a11, const R& a22, const R& a12_re, const R& a12_im, const R& b12_re,
                                             const R& b12_im) {
  const R root_eps = detail::root_of_epsilon<R>();
  const R b12 = detail::hypotenuse(absolute(b12_re), absolute(b12_im));
  const R x = detail::inside_unit(b12);
  const R t = x < root_eps ? R(1) : square_root(fused(R(-x), x, R(1)));
  const R zeta_cos = b12 == R(0) ? R(1) : R(b12_re / b12);
  const R zeta_sin = b12 == R(0) ? R(0) : R(b12_im / b12);

  const R u = fused(zeta_cos, a12_re, R(zeta_sin * a12_im));  // z = e^{-iζ}·a12
  const R v = fused(zeta_cos, a12_im, R(-zeta_sin * a12_re));
  const R h = a22 - a11;
  const R tau = with_sign_of(R(1), h);

  const R legs = detail::hypotenuse(absolute(h), absolute(R(v + v)));  // √(h² + 4v²)
  const bool proportional = legs == R(0);
  const R gamma_cos = absolute(h) / legs;
  const R gamma_sin = tau * (v + v) / legs;
  const R opposite = tau * fused(R(-(a11 + a22)), x, R(u + u));
  const R adjacent = t * legs;
  const R radius = detail::hypotenuse(absolute(opposite), adjacent);
  const R sin2 = opposite / radius;
  const R cos2 = adjacent / radius;

  const R along = t * gamma_cos * cos2;
  const R across = t * gamma_sin * cos2;
  const R cos_phi = square_root(R(0.5) * (R(1) + fused(x, sin2, along)));
  const R cos_psi = square_root(R(0.5) * (R(1) + fused(R(-x), sin2, along)));
  const R phi_scale = R(0.5) / (cos_psi * t);
  const R psi_scale = R(-0.5) / (cos_phi * t);
  const R phi_re = (sin2 - x) * phi_scale, phi_im = across * phi_scale;
  const R psi_re = (sin2 + x) * psi_scale, psi_im = -across * psi_scale;

  const R half_root = square_root(R(0.5));
  const R plus = half_root / square_root(R(1) + x);
  const R minus = half_root / square_root(R(1) - x);
  Transformation<R> z;
  z.z11 = proportional ? plus : R(cos_phi / t);
  z.z22 = proportional ? minus : R(cos_psi / t);
  z.z12_re = proportional ? R(-zeta_cos * minus) : fused(zeta_cos, phi_re, R(-zeta_sin * phi_im));
  z.z12_im = proportional ? R(-zeta_sin * minus) : fused(zeta_cos, phi_im, R(zeta_sin * phi_re));
  z.z21_re = proportional ? R(zeta_cos * plus) : fused(zeta_cos, psi_re, R(zeta_sin * psi_im));
  z.z21_im = proportional ? R(-zeta_sin * plus) : fused(zeta_cos, psi_im, R(-zeta_sin * psi_re));
  z.cos_phi = proportional ? half_root : cos_phi;
  z.cos_psi = proportional ? half_root : cos_psi;
  return z;
}

}  // namespace pivotlab
