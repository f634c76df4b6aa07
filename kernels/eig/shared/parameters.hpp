// SPDX-License-Identifier: BSD-3-Clause
// The shear and the unitary transformation of a pair (p, q), from its 2×2 block and two sums over its rows and columns.
// This header is plain C++, which a device compiler also reads. It has no branches that differ between pairs of
// ordinary numbers, so that loops over pairs vectorize.
//
//   S = (1−τ²)^(−½)·[1, w; w̄, 1],  w = u·τ,      U = (1+|t|²)^(−½)·[1, −t̄; t, 1],      M = S·U,  det M = 1
//
// Scales and reciprocal roots of doubles come from their bits, those of floats only on a device (`by_bits`): there
// quotients and roots take most of the time, while loops of the host vectorize them.
//
// In the poster's parameters, τ = tanh y, arg u = α + π/2, t = e^(−iθ)·tan x. Adding a multiple of the identity to the
// matrix changes nothing, because the diagonal enters only by a_qq − a_pp.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/float_bits.hpp"
#include "kernels/numerics/without_quotients.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pivotlab::eig_detail {

/// The block [pp, pq; qp, qq].
template <class C>
struct Block2 {
  C pp, pq, qp, qq;
};

/// The transformation S·U, of determinant 1.
template <class C>
struct PairTransformation {
  Block2<C> m;
  RealOf<C> tau_squared;  ///< of its shear
};

template <class C>
PIVOTLAB_DEVICE inline Block2<C> adjoint(const Block2<C>& m) {
  return {C(conjugate(m.pp)), C(conjugate(m.qp)), C(conjugate(m.pq)), C(conjugate(m.qq))};
}

template <class C>
PIVOTLAB_DEVICE inline Block2<C> transposed(const Block2<C>& m) {
  return {m.pp, m.qp, m.pq, m.qq};
}

/// Returns the inverse of a block of determinant 1.
template <class C>
PIVOTLAB_DEVICE inline Block2<C> inverse(const Block2<C>& m) {
  return {m.qq, negated(m.pq), negated(m.qp), m.pp};
}

/// Returns √z with Re ≥ 0 for |z| near 1; for a much smaller z it is accurate to a small absolute error.
template <class C>
PIVOTLAB_DEVICE inline C complex_square_root(const C& z) {
  using R = RealOf<C>;
  const R doubled = square_root(squared_magnitude(z)) + absolute(R(z.real()));  // twice the larger part squared
  const R large = square_root(R(doubled / R(2)));
  // independent of the root
  const R small = large * (absolute(R(z.imag())) / (doubled > R(0) ? doubled : R(1)));
  const bool right = z.real() >= R(0);
  return C(right ? large : small, with_sign_of(right ? small : large, R(z.imag())));
}

/// Returns the larger of |Re z| and |Im z|.
template <class C>
PIVOTLAB_DEVICE inline RealOf<C> largest_part(const C& z) {
  using R = RealOf<C>;
  const R re = absolute(R(z.real())), im = absolute(R(z.imag()));
  return re < im ? im : re;
}

/// Returns a number near 1/x, a power of two if it comes from bits; 0 for x = 0 and subnormal numbers.
template <bool by_bits, class R>
PIVOTLAB_DEVICE inline R scale_of(const R& x) {
  const bool normal = x > std::numeric_limits<R>::min();
  const R size = normal ? x : R(1);
  if constexpr (by_bits && std::is_same_v<R, float>)
    return normal ? float_bits::scale_to_one(size) : R(0);
  else
    return normal ? scale_to_one(size) : R(0);
}

/// Returns 1/s for a scale s ≠ 0.
template <bool by_bits, class R>
PIVOTLAB_DEVICE inline R inverse_of_scale(const R& s) {
  if constexpr (by_bits && std::is_same_v<R, float>)
    return float_bits::inverse_of_scale(s);
  else if constexpr (std::is_same_v<R, double>)
    return std::bit_cast<double>((std::int64_t(2046) << 52) - std::bit_cast<std::int64_t>(s));
  else
    return R(1) / s;
}

/// Returns a scale near √(s·t).
template <bool by_bits, class R>
PIVOTLAB_DEVICE inline R mean_scale(const R& s, const R& t) {
  if constexpr (by_bits && std::is_same_v<R, float>) {
    return float_bits::mean_scale(s, t);
  } else if constexpr (std::is_same_v<R, double>) {
    constexpr std::int64_t exponents = std::int64_t(2047) << 52;
    return std::bit_cast<double>((std::bit_cast<std::int64_t>(s) / 2 + std::bit_cast<std::int64_t>(t) / 2) & exponents);
  } else {
    return square_root(s) * square_root(t);
  }
}

/// Returns w of the shear. Over all j except p, q:
///   commutator = Σ a_pj·conj(a_qj) − conj(a_jp)·a_jq,   squares = Σ |a_pj|² + |a_qj|² + |a_jp|² + |a_jq|²;
/// a is the pair's block. τ is the Newton step for ‖A‖_F², times the damping, at most ½; it is 0 if the commutator
/// vanishes.
template <bool by_bits = false, class C>
PIVOTLAB_DEVICE inline C shear_parameter(const Block2<C>& a, const C& commutator, const RealOf<C>& squares,
                                         const RealOf<C>& damping) {
  using R = RealOf<C>;
  const C d = sum(a.qq, negated(a.pp));
  // These are the terms of j = p and j = q, which would cancel.
  const C inside = multiply_add(a.pq, C(conjugate(d)), negated(multiply(C(conjugate(a.qp)), d)));
  const C c = sum(commutator, inside);
  const R scale = scale_of<by_bits>(largest_part(c));
  const C direction = times_real(c, scale);
  const R length_squared = squared_magnitude(direction), length = square_root(length_squared);
  const C xi = sum(multiply(C(conjugate(direction)), a.pq), negated(multiply(direction, a.qp)));  // times the length
  const R curvature =
      fused(length_squared, fused(R(2), squared_magnitude(d), squares), R(R(2) * squared_magnitude(xi)));
  // Newton step τ = slope·length/divisor with one quotient and one root, which take most of the time on a device.
  const R slope = damping * length_squared, divisor = curvature * scale;
  const bool at_most_half = R(2) * (slope * length) < divisor, vanishes = !(divisor > R(0)) || scale == R(0);
  const R step = (at_most_half ? slope : R(R(0.5) * length)) / (at_most_half ? divisor : length_squared);
  return times_real(direction, vanishes ? R(0) : step);
}

/// Returns a multiple of a block with trace zero, [−d/2, pq; qp, d/2], which has the same unitary transformation.
template <class C>
struct TracelessBlock {
  C half_d, pq, qp;
};

/// Returns (1−τ²)·S⁻¹·a·S minus half its trace.
template <class C>
PIVOTLAB_DEVICE inline TracelessBlock<C> sheared(const Block2<C>& a, const C& w) {
  using R = RealOf<C>;
  const R squared = squared_magnitude(w);
  const C d = sum(a.qq, negated(a.pp)), half = times_real(d, R(0.5)), wbar = C(conjugate(w));
  const C diagonal = sum(times_real(half, R(R(1) + squared)), sum(multiply(w, a.qp), negated(multiply(wbar, a.pq))));
  const C upper = sum(a.pq, negated(multiply(w, multiply_add(w, a.qp, d))));
  const C lower = sum(a.qp, multiply(wbar, sum(d, negated(multiply(wbar, a.pq)))));
  return {diagonal, upper, lower};
}

/// The parameter t = g/h of a unitary transformation, |t|² = e/h.
template <class C>
struct UnitaryParameter {
  C g;
  RealOf<C> h, e;
};

/// Returns the smaller of the unitary transformations that annihilate element (q, p), limited to |t| ≤ 1: without the
/// limit the iteration would cycle for cyclic shifts. Elements are scaled one by one by powers of two, so that no
/// product overflows: on a device, quotients and roots take most of the time.
template <bool by_bits = false, class C>
PIVOTLAB_DEVICE inline UnitaryParameter<C> unitary_parameter(const TracelessBlock<C>& a) {
  using R = RealOf<C>;
  const R scale_d = scale_of<by_bits>(largest_part(a.half_d)), scale_pq = scale_of<by_bits>(largest_part(a.pq)),
          scale_qp = scale_of<by_bits>(largest_part(a.qp));
  const bool has_d = scale_d > R(0), has_qp = scale_qp > R(0), has_product = has_qp && scale_pq > R(0);
  const R mean = mean_scale<by_bits>(R(has_product ? scale_pq : R(1)), R(has_product ? scale_qp : R(1)));
  const R inverse_pq = has_product ? inverse_of_scale<by_bits>(scale_pq) : R(0);
  const R inverse_qp = has_qp ? inverse_of_scale<by_bits>(scale_qp) : R(0);
  // The larger of δ and √(a_pq·a_qp) is scaled to about 1.
  const R scale = !has_product || (has_d && scale_d < mean) ? scale_d : mean;
  const R ratio = scale * inverse_qp;
  const C qp = times_real(a.qp, scale_qp), delta = negated(times_real(a.half_d, scale));
  const C product = times_real(multiply(times_real(a.pq, scale_pq), qp), R((scale * inverse_pq) * ratio));
  const C r = complex_square_root(multiply_add(delta, delta, product));
  const R alike = fused(R(delta.real()), R(r.real()), R(delta.imag() * r.imag()));
  const C root = alike >= R(0) ? sum(delta, r) : sum(delta, negated(r));  // the larger of δ ± r
  const bool only_qp = !has_d && !has_product;                            // 45°, or nothing at all
  const C divisor(only_qp ? R(1) : R(root.real()), only_qp ? R(0) : R(root.imag()));
  const R divisor_squared = squared_magnitude(divisor), qp_squared = squared_magnitude(qp);
  const R small = qp_squared * (ratio * ratio);  // t = ratio·qp/divisor, unless |t| is limited to 1
  const bool cut_off = has_qp && (only_qp || !(small < divisor_squared));
  const R h = cut_off ? square_root(R(qp_squared * divisor_squared)) : divisor_squared;
  return {times_real(multiply(qp, C(conjugate(divisor))), cut_off ? R(1) : ratio), h, cut_off ? h : small};
}

/// The parameters of an identity shear and unitary transformation.
template <class C>
PIVOTLAB_DEVICE inline C no_shear() {
  return C(RealOf<C>(0));
}
template <class C>
PIVOTLAB_DEVICE inline UnitaryParameter<C> no_unitary() {
  return {C(RealOf<C>(0)), RealOf<C>(1), RealOf<C>(0)};
}

/// Returns S·U for given parameters.
template <bool by_bits = false, class C>
PIVOTLAB_DEVICE inline PairTransformation<C> shear_times_unitary(const C& w, const UnitaryParameter<C>& t) {
  using R = RealOf<C>;
  const R squared = squared_magnitude(w);
  const R divisor_squared = (R(1) - squared) * (t.h * (t.h + t.e));
  R factor;
  if constexpr (by_bits && std::is_same_v<R, float>)
    factor = float_bits::reciprocal_square_root(divisor_squared);
  else
    factor = reciprocal_square_root(divisor_squared);
  const C wg = multiply(w, t.g), h(t.h);
  const C pq = sum(times_real(w, t.h), negated(C(conjugate(t.g)))), qp = sum(times_real(C(conjugate(w)), t.h), t.g);
  return {{times_real(sum(h, wg), factor), times_real(pq, factor), times_real(qp, factor),
           times_real(C(conjugate(sum(h, negated(wg)))), factor)},
          squared};
}

/// Which transformations are applied (ablation), and the damping of shears.
template <class R>
struct PairRules {
  bool shear = true, unitary = true;
  R damping{1};
};

/// Returns the whole transformation of a pair; arguments are as in shear_parameter().
template <bool by_bits = false, class C>
PIVOTLAB_DEVICE inline PairTransformation<C> transformation(const Block2<C>& a, const C& commutator,
                                                            const RealOf<C>& squares,
                                                            const PairRules<RealOf<C>>& rules) {
  using R = RealOf<C>;
  const C w = times_real(shear_parameter<by_bits>(a, commutator, squares, rules.damping), R(rules.shear ? 1 : 0));
  UnitaryParameter<C> t = unitary_parameter<by_bits>(sheared(a, w));
  const R unitary(rules.unitary ? 1 : 0);
  t.g = times_real(t.g, unitary), t.e = t.e * unitary;
  return shear_times_unitary<by_bits>(w, t);
}

}  // namespace pivotlab::eig_detail
