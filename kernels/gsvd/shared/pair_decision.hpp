// SPDX-License-Identifier: BSD-3-Clause
// The decision on a pair of columns from their pivot matrices: the same code in the host's vector loop and in the
// device's kernels. Source: Novaković & Singer, sections 2.1 and 2.5.
#pragma once

#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/gsvd/shared/transformation.hpp"

#include <cstdint>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// A pivot matrix of order two of columns x and y: x*x, y*y and x*y.
template <class R>
struct PivotMatrix {
  R xx{}, yy{}, xy_re{}, xy_im{};
};

template <class R>
struct PairRules {
  R tolerance;      ///< tolerance of orthogonality, ε·√k for columns of length k
  R root_eps;       ///< √ε
  bool numerators;  ///< criterion C2 instead of C1
  R off_one = 0;    ///< cosines of a small transformation differ from 1 by at most this
};

/// Returns the rules for tiles of order k.
template <class R>
PairRules<R> pair_rules(std::int64_t k, bool numerators) {
  return {square_root(R(k)) * unit_roundoff<R>(), square_root(unit_roundoff<R>()), numerators};
}

/// Flags are 0 or 1 in R, so that a loop over many pairs vectorizes.
template <class R>
struct PairDecision {
  PairTransformation<R> z;
  R active;      ///< a transformation is needed (section 2.1)
  R big;         ///< it is a big transformation: not close to a multiple of the identity (C1, C2 of section 2.5)
  R descending;  ///< ‖f‖ remains descending; complex: only set without a transformation
};

/// The pivot matrices of [x y]·diag(d1, d2), scaled so that B has unit diagonal.
template <class R>
struct UnitPivots {
  R a11, a22, a12_re, a12_im, b12_re, b12_im, d1, d2;
  R a12;            ///< its modulus
  R norms;          ///< √(a11·a22)
  bool orthogonal;  ///< in both inner products: no transformation is needed (section 2.1)
};

/// Scales the pivot matrices A of F and B of G. With `prescaled` the diagonal of B is one.
template <bool complex, bool prescaled, class R>
PIVOTLAB_DEVICE inline UnitPivots<R> unit_pivots(const PivotMatrix<R>& A, const PivotMatrix<R>& B,
                                                 const PairRules<R>& rules) {
  UnitPivots<R> p{A.xx, A.yy, A.xy_re, A.xy_im, B.xy_re, B.xy_im, R(1), R(1), R(0), R(0), false};
  if constexpr (!prescaled) {
    p.d1 = R(1) / square_root(B.xx);
    p.d2 = R(1) / square_root(B.yy);
    const R d = p.d1 * p.d2;
    p.a11 = p.a11 / B.xx;
    p.a22 = p.a22 / B.yy;
    p.a12_re *= d, p.b12_re *= d;
    if constexpr (complex) p.a12_im *= d, p.b12_im *= d;
  }
  p.a12 = complex ? detail::hypotenuse(absolute(p.a12_re), absolute(p.a12_im)) : absolute(p.a12_re);
  const R b12 = complex ? detail::hypotenuse(absolute(p.b12_re), absolute(p.b12_im)) : absolute(p.b12_re);
  // The tests are written so that NaN requires a transformation.
  p.norms = square_root(p.a11) * square_root(p.a22);
  // A collapsed column gets σ_F = 0 in the end; its cosines say nothing.
  const bool first = has_collapsed(p.a11), second = has_collapsed(p.a22);
  p.orthogonal = (b12 <= rules.tolerance) & ((p.a12 <= p.norms * rules.tolerance) | first | second);
  return p;
}

/// Returns whether orthogonal columns are to be exchanged, so that ‖f‖ descends: not where their norms are equal up to
/// rounding errors, which would exchange them without end.
template <class R>
PIVOTLAB_DEVICE inline bool is_ascending(const UnitPivots<R>& p, const PairRules<R>& rules) {
  return p.a11 < p.a22 * (R(1) - R(16) * rules.tolerance);
}

template <bool complex, class R>
PIVOTLAB_DEVICE inline PairDecision<R> decide(const UnitPivots<R>& p, const PairRules<R>& rules) {
  UnitPairTransformation<R> z;
  if constexpr (complex)
    z = diagonalize_complex(p.a11, p.a22, p.a12_re, p.a12_im, p.b12_re, p.b12_im);
  else
    z = diagonalize_real(p.a11, p.a22, p.a12_re, p.b12_re);
  const R c1 = rules.numerators ? z.cos_phi : z.z11;
  const R c2 = rules.numerators ? z.cos_psi : z.z22;

  PairDecision<R> decision;
  decision.active = p.orthogonal ? R(0) : R(1);
  // Between columns of very different norms a transformation may be close to the identity and still turn the smaller
  // column by any angle; it is small only if that angle is.
  const bool first_stays = absolute(R(c1 - R(1))) <= rules.off_one;
  const bool second_stays = absolute(R(c2 - R(1))) <= rules.off_one;
  decision.big = (first_stays & second_stays & (p.a12 <= p.norms * rules.root_eps)) ? R(0) : R(1);

  R first = p.a11, second = p.a22;
  if constexpr (!complex) {
    const R twice = p.a12_re + p.a12_re;
    first = fused(R(z.z11 * z.z11), p.a11, fused(R(z.z11 * z.z21_re), twice, R(z.z21_re * z.z21_re * p.a22)));
    second = fused(R(z.z12_re * z.z12_re), p.a11, fused(R(z.z22 * z.z12_re), twice, R(z.z22 * z.z22 * p.a22)));
  }
  const bool ascending = p.orthogonal ? is_ascending(p, rules) : first < second;
  decision.descending = ascending ? R(0) : R(1);
  decision.z = {R(z.z11 * p.d1),    R(z.z12_re * p.d1), R(z.z12_im * p.d1),
                R(z.z21_re * p.d2), R(z.z21_im * p.d2), R(z.z22 * p.d2)};
  return decision;
}

}  // namespace pivotlab
