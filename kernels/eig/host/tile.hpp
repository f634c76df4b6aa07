// SPDX-License-Identifier: BSD-3-Clause
// An inner sweep on the diagonal block of a pair of blocks B, |B| ≤ 2b, with exact parameters. With N the complement,
//
//   H = A_BN·A_BNᴴ,   K = A_NBᴴ·A_NB
//
// contain everything that the shears need from the rest of the matrix: under M on B,
//
//   A_BB := M⁻¹·A_BB·M,   H := M⁻¹·H·M⁻ᴴ,   K := Mᴴ·K·M.
//
// Rows and columns are stored in the order of the pairs of a round, all p before all q, and are moved to the order of
// the next round while they are transformed.
#pragma once

#include "kernels/eig/host/pairs.hpp"

namespace pivotlab::eig_detail {

/// A sweep of pairs of an even order, and the positions of rows and columns in each of its rounds: first the p of all
/// pairs, then two free positions, then the q.
///
/// In the round robin (a chess tournament, strategy.cpp) all players but the first move one position on a circle, along
/// the p, then back along the q. In this order, in which p > q for some pairs, the computed elements of a column are
/// written one position further at once: the last p and the first q to the free positions, from where they change
/// sides.
class TileSchedule {
 public:
  TileSchedule(Strategy strategy, Index order)
      : table_(make_strategy_table(strategy, order)),
        circle_(strategy == Strategy::RR && order > 2),
        at_start_(static_cast<std::size_t>(places()), order) {
    for (Index s = 1; circle_ && s < rounds(); ++s) {
      const auto last = round(s - 1);
      const std::size_t count = last.size();
      for (std::size_t k = 0; k < count; ++k)
        table_.pairs[static_cast<std::size_t>(s) * count + k] = {k < 2 ? k == 0 ? last[0].p : last[0].q : last[k - 1].p,
                                                                 k + 1 < count ? last[k + 1].q : last[k].p};
    }
    for (Index k = 0; k < pairs(); ++k) {
      at_start_[k] = round(0)[k].p;
      at_start_[first_q() + k] = round(0)[k].q;
    }
    std::vector<std::uint32_t> place(order);
    for (Index s = 0; s < rounds(); ++s) {
      const auto next = round((s + 1) % rounds());
      for (std::uint32_t k = 0; k < next.size(); ++k) {
        place[next[k].p] = k;
        place[next[k].q] = static_cast<std::uint32_t>(first_q()) + k;
      }
      for (const PivotPair& pair : round(s)) moves_.push_back({place[pair.p], place[pair.q]});
    }
  }

  Index order() const { return table_.order; }
  Index pairs() const { return order() / 2; }
  Index places() const { return order() + 2; }
  Index first_q() const { return pairs() + 2; }
  Index rounds() const { return table_.steps; }
  std::span<const PivotPair> round(Index s) const { return table_.step(s); }
  /// Returns the positions in the next round of the rows p and q of each pair of round s.
  std::span<const PivotPair> moves(Index s) const {
    const auto count = static_cast<std::size_t>(pairs());
    return {moves_.data() + static_cast<std::size_t>(s) * count, count};
  }
  /// Returns the row or column at a position of the first round; order() at a free one.
  Index at_start(Index place) const { return at_start_[place]; }

  /// Returns whether all rows move in the circle.
  bool circle() const { return circle_; }
  /// Moves rows that were written one position further to the other side where necessary.
  template <class R>
  void close_circle(R* x) const {
    const Index q = first_q();
    x[q + pairs() - 1] = x[pairs()];
    x[0] = x[1];
    x[1] = x[q - 1];
  }

 private:
  StrategyTable table_;
  bool circle_;
  std::vector<Index> at_start_;
  std::vector<PivotPair> moves_;
};

/// A tile of one even order: its data and its sweep, in one thread.
template <class R>
class Tile {
 public:
  using C = ComplexParts<R>;

  explicit Tile(const TileSchedule& schedule)
      : A(schedule.places(), schedule.places()),
        H(schedule.places(), schedule.places()),
        K(schedule.places(), schedule.places()),
        M(schedule.order(), schedule.order()),
        inverse_transposed(schedule.order(), schedule.order()),
        next_(schedule.places(), schedule.places()),
        pairs_(static_cast<std::size_t>(schedule.pairs())),
        first_q_(static_cast<std::size_t>(schedule.first_q())),
        x_(pairs_),
        y_(pairs_),
        sums_(pairs_),
        own_(pairs_),
        m_(pairs_),
        inverse_(pairs_),
        adjoint_(pairs_) {}

  SplitComplex<R> A, H, K;                ///< set by the caller in the order of the first round; overwritten by a sweep
  SplitComplex<R> M, inverse_transposed;  ///< M of the sweep, and (M⁻¹)ᵀ

  /// Does one sweep. Returns the largest τ².
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
      const auto u = column(A, l), v = column(A, first_q_ + l);
      const Block2<C> block{C(u.p_re[l], u.p_im[l]), C(v.p_re[l], v.p_im[l]), C(u.q_re[l], u.q_im[l]),
                            C(v.q_re[l], v.q_im[l])};
      m_.set(l, in_order(round[l], block));
      for (const auto& x : {u, v}) x.p_re[l] = x.p_im[l] = x.q_re[l] = x.q_im[l] = R(0);
      add_sums<R>(constant(u), constant(v), l, sums_, own_);
      put(block, u, v, l);
    }
    for (std::size_t k = 0; k < pairs_; ++k) {
      const std::size_t p = k, q = first_q_ + k;
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

  /// Converts a block between the order of the matrix and that of the pair.
  static Block2<C> in_order(const PivotPair& pair, const Block2<C>& m) {
    return pair.p < pair.q ? m : Block2<C>{m.qq, m.qp, m.pq, m.pp};
  }

  /// Computes X := left·X·right, with rows and columns moved to their positions in the next round.
  template <class Right>
  void transform(SplitComplex<R>& X, const TileSchedule& schedule, Index s, const PairBlocks<R>& left,
                 const Right& right) {
    const auto count = static_cast<Index>(pairs_);
    const auto moves = schedule.moves(s);
    for (std::size_t l = 0; l < pairs_; ++l) {
      const auto u = constant(column(X, l)), v = constant(column(X, first_q_ + l));
      const auto [p, q] = moves[l];
      if (schedule.circle()) {
        transform_tiles<R>(u, v, left, right(l), one_place_on(column(next_, p)), one_place_on(column(next_, q)), count);
        for (const std::size_t at : {p, q}) {
          schedule.close_circle(next_.re(static_cast<Index>(at)));
          schedule.close_circle(next_.im(static_cast<Index>(at)));
        }
      } else {
        const PairedColumn<R> x = x_.column(), y = y_.column();
        transform_tiles<R>(u, v, left, right(l), x, y, count);
        scatter<R>(constant(x), moves, next_.re(p), next_.im(p));
        scatter<R>(constant(y), moves, next_.re(q), next_.im(q));
      }
    }
    std::swap(X, next_);
  }

  PairedColumn<R> column(SplitComplex<R>& X, std::size_t j) const {
    const auto at = static_cast<Index>(j);
    return {X.re(at), X.im(at), X.re(at) + first_q_, X.im(at) + first_q_};
  }

  static PairedColumn<R> one_place_on(const PairedColumn<R>& x) {
    return {x.p_re + 1, x.p_im + 1, x.q_re - 1, x.q_im - 1};
  }

  static void put(const Block2<C>& block, const PairedColumn<R>& u, const PairedColumn<R>& v, std::size_t l) {
    u.p_re[l] = block.pp.real(), u.p_im[l] = block.pp.imag(), u.q_re[l] = block.qp.real(), u.q_im[l] = block.qp.imag();
    v.p_re[l] = block.pq.real(), v.p_im[l] = block.pq.imag(), v.q_re[l] = block.qq.real(), v.q_im[l] = block.qq.imag();
  }

  SplitComplex<R> next_;
  std::size_t pairs_, first_q_;
  PairedColumnBuffer<R> x_, y_;
  PairSums<R> sums_, own_;
  PairBlocks<R> m_;  // blocks of the pairs, then their transformations
  PairBlocks<R> inverse_, adjoint_;
};

}  // namespace pivotlab::eig_detail
