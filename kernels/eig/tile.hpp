// An inner sweep on the diagonal block of a pair of blocks B, |B| ≤ 2b, with exact parameters. With N the complement,
//
//   H = A_BN·A_BNᴴ,   K = A_NBᴴ·A_NB
//
// hold all that the shears need of the rest of the matrix: under M on B,
//
//   A_BB := M⁻¹·A_BB·M,   H := M⁻¹·H·M⁻ᴴ,   K := Mᴴ·K·M.
#pragma once

#include "kernels/eig/pairs.hpp"

namespace pivotlab::eig_detail {

template <class C>
Block2<C> adjoint(const Block2<C>& m) {
  return {C(conjugate(m.pp)), C(conjugate(m.qp)), C(conjugate(m.pq)), C(conjugate(m.qq))};
}

/// A tile of one even order: its data and the work of one thread.
template <class R>
class Tile {
 public:
  using C = std::complex<R>;

  explicit Tile(Index order)
      : A(order, order),
        H(order, order),
        K(order, order),
        M(order, order),
        inverse_transposed(order, order),
        worker_(pairs_of(order)),
        sums_(pairs_of(order)),
        m_(pairs_of(order)),
        inverse_(pairs_of(order)),
        adjoint_(pairs_of(order)),
        block_(pairs_of(order)) {}

  SplitComplex<R> A, H, K;                ///< set by the caller; rows and columns of a border are zero
  SplitComplex<R> M, inverse_transposed;  ///< of the sweep, and (M⁻¹)ᵀ

  Index order() const { return A.cols(); }

  /// One sweep; returns the largest τ.
  R sweep(const StrategyTable& table, const PairRules<R>& rules) {
    M.set_identity();
    inverse_transposed.set_identity();
    R largest(0);
    for (Index s = 0; s < table.steps; ++s) {
      const auto round = table.step(s);
      largest = std::max(largest, find_transformations(round, rules));
      for (std::size_t l = 0; l < round.size(); ++l) {
        const auto [p, q] = round[l];
        const Block2<C> m = m_[l], inverse = inverse_[l];
        worker_.transform(A, round, l, inverse_, m);
        worker_.transform(H, round, l, inverse_, adjoint(inverse));
        worker_.transform(K, round, l, adjoint_, m);
        transform_columns(M, p, q, m);
        transform_columns(inverse_transposed, p, q, transposed(inverse));
      }
    }
    return largest;
  }

 private:
  static std::size_t pairs_of(Index order) { return static_cast<std::size_t>(order / 2); }

  R find_transformations(std::span<const PivotPair> round, const PairRules<R>& rules) {
    sums_.clear();
    for (std::size_t l = 0; l < round.size(); ++l) worker_.add_sums(A, round, l, sums_);
    R largest(0);
    for (std::size_t k = 0; k < round.size(); ++k) {
      const auto [p, q] = round[k];
      const C commutator(sums_.re[k] + (H.re(q)[p] - K.re(q)[p]), sums_.im[k] + (H.im(q)[p] - K.im(q)[p]));
      const R outside = (H.re(p)[p] + H.re(q)[q]) + (K.re(p)[p] + K.re(q)[q]);
      const auto pair = transformation(block_of(A, round[k]), commutator, R(sums_.squares[k] + outside), rules);
      m_.set(k, pair.m);
      inverse_.set(k, pair.inverse());
      adjoint_.set(k, adjoint(pair.m));
      largest = std::max(largest, pair.tau);
    }
    return largest;
  }

  PairWorker<R> worker_;
  PairSums<R> sums_;
  PairBlocks<R> m_, inverse_, adjoint_, block_;
};

}  // namespace pivotlab::eig_detail
