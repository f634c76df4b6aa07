// What to do with a pair of columns, from their pivot matrices: the same code in the host's vector loop and in the
// device's kernels. Novaković & Singer, sections 2.1 and 2.5.
#pragma once

#include "kernels/gsvd/transformation.hpp"

namespace pivotlab {

/// A pivot matrix of order two, made of two columns x and y: x*x, y*y and x*y.
template <class R>
struct PivotMatrix {
  R xx{}, yy{}, xy_re{}, xy_im{};
};

/// Ẑ of a pivot pair as it is applied: [x y] := [x y]·[z11 z12; z21 z22], with real z11 and z22.
template <class R>
struct PairTransformation {
  R z11, z12_re, z12_im, z21_re, z21_im, z22;
};

template <class R>
struct PairRules {
  R tolerance;      ///< of orthogonality, ε·√k for columns of length k
  R root_eps;       ///< √ε
  bool numerators;  ///< criterion C2 instead of C1
};

/// Flags are 0 or 1 in R, so that a loop over many pairs vectorizes.
template <class R>
struct PairDecision {
  PairTransformation<R> z;
  R active;      ///< the transformation is warranted (section 2.1)
  R big;         ///< it is not close to a multiple of the identity (C1, C2 of section 2.5)
  R descending;  ///< the columns stay in descending order of ‖f‖; in the complex case only without a transformation
};

/// A and B are the pivot matrices of F and G. With `prescaled` B's diagonal is one.
template <bool complex, bool prescaled, class R>
PIVOTLAB_DEVICE inline PairDecision<R> decide(const PivotMatrix<R>& A, const PivotMatrix<R>& B,
                                              const PairRules<R>& rules) {
  R a11 = A.xx, a22 = A.yy, a12_re = A.xy_re, a12_im = A.xy_im, b12_re = B.xy_re, b12_im = B.xy_im;
  R d1(1), d2(1);
  if constexpr (!prescaled) {
    d1 = R(1) / square_root(B.xx);
    d2 = R(1) / square_root(B.yy);
    const R d = d1 * d2;
    a11 = a11 / B.xx;
    a22 = a22 / B.yy;
    a12_re *= d, b12_re *= d;
    if constexpr (complex) a12_im *= d, b12_im *= d;
  }
  const R a12 = complex ? detail::hypotenuse(absolute(a12_re), absolute(a12_im)) : absolute(a12_re);
  const R b12 = complex ? detail::hypotenuse(absolute(b12_re), absolute(b12_im)) : absolute(b12_re);
  // Written so that a NaN asks for a transformation.
  const R norms = square_root(a11) * square_root(a22);
  const bool orthogonal = (b12 <= rules.tolerance) & (a12 <= norms * rules.tolerance);

  Transformation<R> z;
  if constexpr (complex)
    z = diagonalize_complex(a11, a22, a12_re, a12_im, b12_re, b12_im);
  else
    z = diagonalize_real(a11, a22, a12_re, b12_re);
  const R c1 = rules.numerators ? z.cos_phi : z.z11;
  const R c2 = rules.numerators ? z.cos_psi : z.z22;

  PairDecision<R> decision;
  decision.active = orthogonal ? R(0) : R(1);
  // Between columns of very different norms a transformation may be close to the identity and still turn the smaller
  // column by any angle; it is small only if that angle is.
  decision.big = (c1 == R(1)) & (c2 == R(1)) & (a12 <= norms * rules.root_eps) ? R(0) : R(1);

  R first = a11, second = a22;
  if constexpr (!complex) {
    const R twice = a12_re + a12_re;
    first = orthogonal ? a11
                       : fused(R(z.z11 * z.z11), a11, fused(R(z.z11 * z.z21_re), twice, R(z.z21_re * z.z21_re * a22)));
    second = orthogonal ? a22
                        : fused(R(z.z12_re * z.z12_re), a11, fused(R(z.z22 * z.z12_re), twice, R(z.z22 * z.z22 * a22)));
  }
  decision.descending = first < second ? R(0) : R(1);
  decision.z = {R(z.z11 * d1), R(z.z12_re * d1), R(z.z12_im * d1), R(z.z21_re * d2), R(z.z21_im * d2), R(z.z22 * d2)};
  return decision;
}

}  // namespace pivotlab
