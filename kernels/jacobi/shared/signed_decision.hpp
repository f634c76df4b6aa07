// SPDX-License-Identifier: BSD-3-Clause
// The transformation of two columns of F, with signs of rows in J, and of G: Ẑ*·(F*JF)·Ẑ diagonal, Ẑ*·(G*G)·Ẑ = I. The
// formulas are those of kernels/gsvd/shared/transformation.hpp, which hold for an indefinite F*JF; its products have
// errors of size ε·‖f_p‖·‖f_q‖, and count as zero up to that. Source: Singer, Di Napoli, Novaković & Čaklović, SIAM J.
// Sci. Comput. 42 (2020), whose test against √|f_p*Jf_p·f_q*Jf_q| would stop at a neutral column.
#pragma once

#include "kernels/jacobi/shared/rotation.hpp"

namespace pivotlab {

/// The products of two columns x and y of F and of G.
template <class R>
struct SignedPivots {
  PivotMatrix<R> A;  ///< with J, of F
  R f_xx{}, f_yy{};  ///< ‖x‖² and ‖y‖² of F
  PivotMatrix<R> B;  ///< of G
};

template <class R>
struct SignedDecision {
  PairTransformation<R> z;
  R cosine;     ///< larger of |x*Jy|/(‖x‖·‖y‖) of F and |x*y|/(‖x‖·‖y‖) of G
  R tangent;    ///< larger of |z12| and |z21| for columns of G of norm 1
  bool active;  ///< a transformation is needed; always for NaN
  bool big;     ///< it is a big one
};

template <bool complex, class R>
PIVOTLAB_DEVICE inline SignedDecision<R> decide_signed(const SignedPivots<R>& p, const JacobiRules<R>& rules) {
  const auto modulus_of = [](const R& re, const R& im) {
    return complex ? detail::hypotenuse(absolute(re), absolute(im)) : absolute(re);
  };
  const R d1 = R(1) / square_root(p.B.xx), d2 = R(1) / square_root(p.B.yy), d = d1 * d2;
  const R a11 = p.A.xx / p.B.xx, a22 = p.A.yy / p.B.yy, a12_re = p.A.xy_re * d, a12_im = p.A.xy_im * d;
  const R b12_re = p.B.xy_re * d, b12_im = p.B.xy_im * d;
  const R a12 = modulus_of(a12_re, a12_im), b12 = modulus_of(b12_re, b12_im);
  const R norms = square_root(p.f_xx) * square_root(p.f_yy) * d;
  const R size = absolute(a11) + absolute(a22) + a12, least = std::numeric_limits<R>::min();
  const auto z = diagonalize_scaled<complex, R>(scale_to_one(size < least ? least : size), a11, a22, a12_re, a12_im,
                                                b12_re, b12_im);
  SignedDecision<R> decision;
  decision.active = !(b12 <= rules.tolerance && a12 <= norms * rules.tolerance);
  decision.big = !(b12 <= rules.big && a12 <= norms * rules.big);
  const R cosine = a12 / (norms > R(0) ? norms : R(1));
  decision.cosine = cosine < b12 ? b12 : cosine;
  const R first = modulus_of(z.z12_re, z.z12_im), second = modulus_of(z.z21_re, z.z21_im);
  decision.tangent = first < second ? second : first;
  decision.z = {R(z.z11 * d1), R(z.z12_re * d1), R(z.z12_im * d1), R(z.z21_re * d2), R(z.z21_im * d2), R(z.z22 * d2)};
  return decision;
}

/// Returns the noise of the transformed columns of F.
template <class R>
PIVOTLAB_DEVICE inline JacobiNoise<R> transformed_noise(const JacobiNoise<R>& noise, const PairTransformation<R>& z) {
  const R z12 = z.z12_re * z.z12_re + z.z12_im * z.z12_im, z21 = z.z21_re * z.z21_re + z.z21_im * z.z21_im;
  return {R(z.z11 * z.z11 * noise.x + z21 * noise.y), R(z12 * noise.x + z.z22 * z.z22 * noise.y)};
}

}  // namespace pivotlab
