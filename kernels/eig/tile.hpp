// An inner sweep on the diagonal block of a pair of blocks B, |B| ≤ 2b, with exact parameters. With N the complement,
//
//   H = A_BN·A_BNᴴ,   K = A_NBᴴ·A_NB
//
// hold all that the shears need of the rest of the matrix: under M on B,
//
//   A_BB := M⁻¹·A_BB·M,   H := M⁻¹·H·M⁻ᴴ,   K := Mᴴ·K·M.
//
// Rows and columns lie in the order of the pairs of a round, all p before all q, and move to that of the next round as
// they are transformed.
#pragma once

#include "kernels/eig/pairs.hpp"

namespace pivotlab::eig_detail {

template <class C>
Block2<C> adjoint(const Block2<C>& m) {
  return {C(conjugate(m.pp)), C(conjugate(m.qp)), C(conjugate(m.pq)), C(conjugate(m.qq))};
}

/// A sweep of pairs of an even order, and where rows and columns lie in each of its rounds: first the p of all pairs,
/// then the q.
///
/// Players of a chess tournament sit in a circle (strategy.cpp): all but the first move one place on, along the p, then
/// back along the q. Where they lie in this order most of a column moves as one piece, but in some pairs p > q.
class TileSchedule {
 public:
  TileSchedule(Strategy strategy, Index order)
      : table_(make_strategy_table(strategy, order)), circle_(strategy == Strategy::RR) {
    for (Index s = 1; circle_ && s < rounds(); ++s) {
      const auto last = round(s - 1);
      const std::size_t pairs = last.size();
      for (std::size_t k = 0; k < pairs; ++k)
        table_.pairs[static_cast<std::size_t>(s) * pairs + k] = {k < 2 ? k == 0 ? last[0].p : last[0].q : last[k - 1].p,
                                                                 k + 1 < pairs ? last[k + 1].q : last[k].p};
    }
    std::vector<std::uint32_t> place(static_cast<std::size_t>(order));
    for (Index s = 0; s < rounds(); ++s) {
      const auto next = round((s + 1) % rounds());
      for (std::uint32_t k = 0; k < next.size(); ++k) {
        place[next[k].p] = k;
        place[next[k].q] = static_cast<std::uint32_t>(next.size()) + k;
      }
      for (const PivotPair& pair : round(s)) moves_.push_back({place[pair.p], place[pair.q]});
    }
  }

  Index order() const { return table_.order; }
  Index rounds() const { return table_.steps; }
  std::span<const PivotPair> round(Index s) const { return table_.step(s); }
  /// The places in the next round of the rows p and q of each pair of round s.
  std::span<const PivotPair> moves(Index s) const {
    const auto pairs = static_cast<std::size_t>(order() / 2);
    return {moves_.data() + static_cast<std::size_t>(s) * pairs, pairs};
  }
  /// The row or column at a place of the first round.
  Index at_start(Index place) const {
    const auto first = round(0);
    return place < order() / 2 ? first[place].p : first[place - order() / 2].q;
  }
  /// A column from its places in round s to those in the next round.
  template <class R>
  void move_on(Index s, PairedColumn<const R> from, R* re, R* im) const {
    if (circle_) {
      move_in_circle(from.p_re, from.q_re, order() / 2, re);
      move_in_circle(from.p_im, from.q_im, order() / 2, im);
    } else {
      scatter<R>(from, moves(s), re, im);
    }
  }

 private:
  template <class R>
  static void move_in_circle(const R* __restrict p, const R* __restrict q, Index pairs, R* __restrict to) {
    for (Index k = 0; k < pairs; ++k) to[k + 1] = p[k];
    for (Index k = 0; k < pairs; ++k) to[pairs + k - 1] = q[k];
    if (pairs > 1) to[pairs - 1] = p[pairs - 2];
    to[2 * pairs - 1] = p[pairs - 1];
    to[0] = p[0], to[1] = q[0];
  }

  StrategyTable table_;
  bool circle_;
  std::vector<PivotPair> moves_;
};

/// A tile of one even order: its data, and the work of one thread.
template <class R>
class Tile {
 public:
  using C = ComplexParts<R>;

  explicit Tile(Index order)
      : A(order, order),
        H(order, order),
        K(order, order),
        M(order, order),
        inverse_transposed(order, order),
        next_(order, order),
        pairs_(static_cast<std::size_t>(order / 2)),
        x_(pairs_),
        y_(pairs_),
        sums_(pairs_),
        own_(pairs_),
        m_(pairs_),
        inverse_(pairs_),
        adjoint_(pairs_) {}

  SplitComplex<R> A, H, K;                ///< set by the caller in the order of the first round; lost in a sweep
  SplitComplex<R> M, inverse_transposed;  ///< of the sweep, and (M⁻¹)ᵀ

  /// One sweep; returns the largest τ².
  R sweep(const TileSchedule& schedule, const PairRules<R>& rules) {
    M.set_identity();
    inverse_transposed.set_identity();
    R largest(0);
    for (Index s = 0; s < schedule.rounds(); ++s) {
      largest = std::max(largest, find_transformations(schedule.round(s), rules));
      transform(A, schedule, s, inverse_, [this](std::size_t l) { return m_[l]; });
      transform(H, schedule, s, inverse_, [this](std::size_t l) { return adjoint(inverse_[l]); });
      transform(K, schedule, s, adjoint_, [this](std::size_t l) { return m_[l]; });
      for (std::size_t l = 0; l < pairs_; ++l) {
        const auto [p, q] = schedule.round(s)[l];
        const Block2<C> m = m_[l];
        transform_columns(M, p, q, m);
        transform_columns(inverse_transposed, p, q, transposed(inverse(m)));
      }
    }
    return largest;
  }

 private:
  R find_transformations(std::span<const PivotPair> round, const PairRules<R>& rules) {
    sums_.clear();
    for (std::size_t l = 0; l < pairs_; ++l) {
      const auto u = column(A, l), v = column(A, pairs_ + l);
      const Block2<C> block{C(u.p_re[l], u.p_im[l]), C(v.p_re[l], v.p_im[l]), C(u.q_re[l], u.q_im[l]),
                            C(v.q_re[l], v.q_im[l])};
      m_.set(l, in_order(round[l], block));
      for (const auto& x : {u, v}) x.p_re[l] = x.p_im[l] = x.q_re[l] = x.q_im[l] = R(0);
      add_sums<R>(constant(u), constant(v), l, sums_, own_);
      put(block, u, v, l);
    }
    for (std::size_t k = 0; k < pairs_; ++k) {
      const std::size_t p = k, q = pairs_ + k;
      sums_.re[k] += H.re(q)[p] - K.re(q)[p];
      sums_.im[k] = (sums_.im[k] + (H.im(q)[p] - K.im(q)[p])) * R(round[k].p < round[k].q ? 1 : -1);
      sums_.squares[k] += (H.re(p)[p] + H.re(q)[q]) + (K.re(p)[p] + K.re(q)[q]);
    }
    const R largest = eig_detail::find_transformations(m_, sums_, rules);
    for (std::size_t k = 0; k < pairs_; ++k) {
      const Block2<C> m = in_order(round[k], m_[k]);
      m_.set(k, m);
      inverse_.set(k, inverse(m));
      adjoint_.set(k, adjoint(m));
    }
    return largest;
  }

  /// A block in the order of the matrix, or from it in that of the pair.
  static Block2<C> in_order(const PivotPair& pair, const Block2<C>& m) {
    return pair.p < pair.q ? m : Block2<C>{m.qq, m.qp, m.pq, m.pp};
  }

  /// X := left·X·right, rows and columns moved to their places in the next round.
  template <class Right>
  void transform(SplitComplex<R>& X, const TileSchedule& schedule, Index s, const PairBlocks<R>& left,
                 const Right& right) {
    const PairedColumn<R> x = x_.column(), y = y_.column();
    const auto moves = schedule.moves(s);
    for (std::size_t l = 0; l < pairs_; ++l) {
      transform_tiles<R>(constant(column(X, l)), constant(column(X, pairs_ + l)), left, right(l), x, y,
                         static_cast<Index>(pairs_));
      schedule.move_on<R>(s, constant(x), next_.re(moves[l].p), next_.im(moves[l].p));
      schedule.move_on<R>(s, constant(y), next_.re(moves[l].q), next_.im(moves[l].q));
    }
    std::swap(X, next_);
  }

  PairedColumn<R> column(SplitComplex<R>& X, std::size_t j) const {
    const auto at = static_cast<Index>(j);
    return {X.re(at), X.im(at), X.re(at) + pairs_, X.im(at) + pairs_};
  }

  static void put(const Block2<C>& block, const PairedColumn<R>& u, const PairedColumn<R>& v, std::size_t l) {
    u.p_re[l] = block.pp.real(), u.p_im[l] = block.pp.imag(), u.q_re[l] = block.qp.real(), u.q_im[l] = block.qp.imag();
    v.p_re[l] = block.pq.real(), v.p_im[l] = block.pq.imag(), v.q_re[l] = block.qq.real(), v.q_im[l] = block.qq.imag();
  }

  SplitComplex<R> next_;
  std::size_t pairs_;
  PairedColumnBuffer<R> x_, y_;
  PairSums<R> sums_, own_;
  PairBlocks<R> m_;  // blocks of the pairs, then their transformations
  PairBlocks<R> inverse_, adjoint_;
};

}  // namespace pivotlab::eig_detail
