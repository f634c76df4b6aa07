// The shear and the unitary transformation of a pair (p, q), from its 2×2 block and two sums over its rows and columns.
// Plain: a device compiler reads it, too. Without branches that differ between pairs of ordinary numbers, so that loops
// over pairs vectorize.
//
//   S = (1−τ²)^(−½)·[1, w; w̄, 1],  w = u·τ,      U = (1+|t|²)^(−½)·[1, −t̄; t, 1],      M = S·U,  det M = 1
//
// Of the poster's parameters, τ = tanh y, arg u = α + π/2, t = e^(−iθ)·tan x. Nothing depends on a multiple of the
// identity that is added to the matrix: the diagonal enters by a_qq − a_pp alone.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <limits>

namespace pivotlab::eig_detail {

/// [pp, pq; qp, qq]
template <class C>
struct Block2 {
  C pp, pq, qp, qq;
};

/// S·U, of determinant 1.
template <class C>
struct PairTransformation {
  Block2<C> m;
  RealOf<C> tau;  ///< of its shear
};

/// Of a block of determinant 1.
template <class C>
PIVOTLAB_DEVICE inline Block2<C> inverse(const Block2<C>& m) {
  return {m.qq, negated(m.pq), negated(m.qp), m.pp};
}

/// r·z
template <class C>
PIVOTLAB_DEVICE inline C times_real(const C& z, const RealOf<C>& r) {
  return C(RealOf<C>(r * z.real()), RealOf<C>(r * z.imag()));
}

/// √z, with Re ≥ 0, of |z| not far from 1; of a much smaller one, to a small absolute error.
template <class C>
PIVOTLAB_DEVICE inline C complex_square_root(const C& z) {
  using R = RealOf<C>;
  const R size = square_root(squared_magnitude(z));
  const R large = square_root(R((size + absolute(R(z.real()))) / R(2)));
  const R small = large > R(0) ? R(absolute(R(z.imag())) / (R(2) * large)) : R(0);
  const bool right = z.real() >= R(0);
  return C(right ? large : small, with_sign_of(right ? small : large, R(z.imag())));
}

/// w of the shear. With a the pair's block, over all j but p, q:
///   commutator = Σ a_pj·conj(a_qj) − conj(a_jp)·a_jq,   squares = Σ |a_pj|² + |a_qj|² + |a_jp|² + |a_jq|².
/// τ is the Newton step for ‖A‖_F², times the damping, and no more than ½. 0 where the commutator vanishes.
template <class C>
PIVOTLAB_DEVICE inline C shear_parameter(const Block2<C>& a, const C& commutator, const RealOf<C>& squares,
                                         const RealOf<C>& damping) {
  using R = RealOf<C>;
  const C d = sum(a.qq, negated(a.pp));
  // the terms of j = p and j = q, which would cancel
  const C inside = multiply_add(a.pq, C(conjugate(d)), negated(multiply(C(conjugate(a.qp)), d)));
  const C c = sum(commutator, inside);
  const R size = modulus(c);
  const bool vanishes = !(size > std::numeric_limits<R>::min());
  const C u = divided_by_real(c, vanishes ? R(1) : size);
  const C xi = sum(multiply(C(conjugate(u)), a.pq), negated(multiply(u, a.qp)));
  const R denominator = squares + R(2) * (squared_magnitude(d) + squared_magnitude(xi));
  const R newton = damping * size / denominator;  // NaN or Inf if the denominator is 0
  const R tau = vanishes || !(denominator > R(0)) ? R(0) : newton < R(0.5) ? newton : R(0.5);
  return times_real(u, tau);
}

/// a block with trace zero, [−d/2, pq; qp, d/2], all but a multiple of the identity
template <class C>
struct TracelessBlock {
  C half_d, pq, qp;
};

/// S⁻¹·a·S less half its trace.
template <class C>
PIVOTLAB_DEVICE inline TracelessBlock<C> sheared(const Block2<C>& a, const C& w) {
  using R = RealOf<C>;
  const R squared = squared_magnitude(w), factor = R(1) / (R(1) - squared);
  const C d = sum(a.qq, negated(a.pp)), half = times_real(d, R(0.5)), wbar = C(conjugate(w));
  const C diagonal = sum(times_real(half, R(R(1) + squared)), sum(multiply(w, a.qp), negated(multiply(wbar, a.pq))));
  const C upper = sum(a.pq, negated(multiply(w, multiply_add(w, a.qp, d))));
  const C lower = sum(a.qp, multiply(wbar, sum(d, negated(multiply(wbar, a.pq)))));
  return {times_real(diagonal, factor), times_real(upper, factor), times_real(lower, factor)};
}

/// t of the unitary transformation that annihilates element (q, p), of all such the smaller; |t| ≤ 1, where it is cut
/// off: otherwise cyclic shifts would go round for ever.
template <class C>
PIVOTLAB_DEVICE inline C unitary_parameter(const TracelessBlock<C>& a) {
  using R = RealOf<C>;
  const R size_pq = modulus(a.pq), size_qp = modulus(a.qp), size_d = modulus(a.half_d);
  const R root = square_root(size_pq) * square_root(size_qp);
  const R scale = size_d < root ? root : size_d;  // max of |δ| and √|a_pq·a_qp|
  const bool only_qp = !(scale > std::numeric_limits<R>::min());
  const R inverse = only_qp ? R(0) : R(R(1) / scale);
  // δ/scale, and a_pq·a_qp/scale² with moduli first, so that neither product leaves the range of numbers
  const C delta = negated(times_real(a.half_d, inverse));
  const R ratio = root * inverse;
  const C phase_pq = divided_by_real(a.pq, size_pq > R(0) ? size_pq : R(1));
  const C phase_qp = divided_by_real(a.qp, size_qp > R(0) ? size_qp : R(1));
  const C product = times_real(multiply(phase_pq, phase_qp), R(ratio * ratio));
  const C r = complex_square_root(multiply_add(delta, delta, product));
  const R alike = fused(R(delta.real()), R(r.real()), R(delta.imag() * r.imag()));
  const C divisor = alike >= R(0) ? sum(delta, r) : sum(delta, negated(r));  // the larger of δ ± r
  const R size = square_root(squared_magnitude(divisor));                    // 1 to 1 + √2, or 0
  const C phase = divided_by_real(multiply(phase_qp, C(conjugate(divisor))), size > R(0) ? size : R(1));
  const R tangent = size_qp * inverse / (size > R(0) ? size : R(1));
  // nothing but a_qp: 45°; or nothing at all, and phase_qp is 0
  const R length = only_qp || !(tangent < R(1)) ? R(1) : tangent;
  return times_real(C(only_qp ? R(phase_qp.real()) : R(phase.real()), only_qp ? R(phase_qp.imag()) : R(phase.imag())),
                    length);
}

/// S·U of given parameters.
template <class C>
PIVOTLAB_DEVICE inline PairTransformation<C> shear_times_unitary(const C& w, const C& t) {
  using R = RealOf<C>;
  const R squared = squared_magnitude(w);
  const R factor = R(1) / square_root(R((R(1) - squared) * (R(1) + squared_magnitude(t))));
  const C wt = multiply(w, t), one = C(R(1));
  const C pq = sum(w, negated(C(conjugate(t)))), qp = sum(C(conjugate(w)), t);
  return {{times_real(sum(one, wt), factor), times_real(pq, factor), times_real(qp, factor),
           times_real(C(conjugate(sum(one, negated(wt)))), factor)},
          square_root(squared)};
}

/// Which transformations there are (ablation), and the damping of shears.
template <class R>
struct PairRules {
  bool shear = true, unitary = true;
  R damping{1};
};

/// The whole transformation of a pair; arguments as of shear_parameter().
template <class C>
PIVOTLAB_DEVICE inline PairTransformation<C> transformation(const Block2<C>& a, const C& commutator,
                                                            const RealOf<C>& squares,
                                                            const PairRules<RealOf<C>>& rules) {
  using R = RealOf<C>;
  const C w = times_real(shear_parameter(a, commutator, squares, rules.damping), R(rules.shear ? 1 : 0));
  const C t = times_real(unitary_parameter(sheared(a, w)), R(rules.unitary ? 1 : 0));
  return shear_times_unitary(w, t);
}

}  // namespace pivotlab::eig_detail
