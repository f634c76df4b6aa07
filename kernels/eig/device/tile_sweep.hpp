// An inner sweep on the diagonal block of every pair of blocks, in shared memory: A_BB, H, K (kernels/eig/tile.hpp). It
// writes down its transformations; accumulate.hpp multiplies them.
#pragma once

#include "kernels/eig/device/gram.hpp"
#include "kernels/eig/device/pair_lanes.hpp"

namespace pivotlab::eig_device {

/// One block a pair of blocks. A step: sums of all pairs, by all warps; transformations, one lane a pair; tiles.
template <int b>
struct SweepTile {
  using Layout = GramLayout<b>;
  static constexpr int order = 2 * b, pairs = b, steps_at_most = order;
  struct Arguments {
    Planes A;
    const Pair* blocks;
    const double* sums;  ///< of FormGram
    int chunks;
    const Pair* strategy;  ///< [steps][pairs], turned (bank_order.hpp)
    int steps;
    Rules rules;
    double* transformations;  ///< [pair of blocks][step][8][pair], rows and columns in the order of the turned pairs
    int* moved;               ///< [pair of blocks]: 0 where all are the identity
    double* tau_squared;      ///< [pair of blocks], raised
  };
  /// Tiles of A, those of H on and above the diagonal, of K below it, and of K on it.
  static constexpr int tiles = 2 * pairs * pairs + pairs;
  static constexpr int threads = b == 8 ? 160 : 544;  ///< one a tile, or as many as have registers enough
  static constexpr int min_blocks = 1;
  static constexpr int lanes = order < 32 ? order : 32;  ///< for the sums of a pair
  static constexpr int stride = shared_stride(order);
  static constexpr int matrix_bytes = 16 * order * stride;
  static constexpr int sums_at = 3 * matrix_bytes;
  static constexpr int transformations_at = sums_at + 8 * 3 * pairs;
  static constexpr int taus_at = transformations_at + 8 * transformation_doubles * pairs;
  static constexpr int strategy_at = taus_at + 8 * pairs;
  static constexpr int shared_bytes = strategy_at + int(sizeof(Pair)) * steps_at_most * pairs;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto A = shared_matrix(context, 0, order, stride);
    const HermitianMatrix H{shared_matrix(context, matrix_bytes, order, stride)},
        K{shared_matrix(context, 2 * matrix_bytes, order, stride)};
    const auto sums = context.template shared<double>(sums_at, 3 * pairs);
    const auto found = context.template shared<double>(transformations_at, transformation_doubles * pairs);
    const auto strategy = context.template shared<Pair>(strategy_at, steps_at_most * pairs);
    for (int e = context.thread(); e < a.steps * pairs; e += threads) strategy[e] = a.strategy[e];
    load(context, a, A, H, K);
    context.sync();

    const int thread = context.thread();
    double* to = a.transformations + std::int64_t(context.block()) * a.steps * pairs * transformation_doubles;
    double tau_squared = 0;
    bool moved = false;
    for (int s = 0; s < a.steps; ++s, to += pairs * transformation_doubles) {
      const auto round = strategy + s * pairs;
      for (int k = thread / lanes; k < pairs; k += threads / lanes) {
        const PairSums within = sums_within<lanes>(context, A, order, ascending(round[k]));
        if (thread % lanes == 0) store_sums(sums, k, within);
      }
      context.sync();
      if (thread < pairs) {
        const auto pair = find(a.rules, A, H, K, ascending(round[thread]), load_sums(sums, thread));
        const int turn =
            is_turned(round[thread]) ? transformation_doubles - 2 : 0;  // pp and qq, pq and qp change places
        for (int e = 0; e < transformation_doubles; ++e) {
          const double part = part_of(pair.m, e);
          found[(e ^ turn) * pairs + thread] = part;
          to[(e ^ turn) * pairs + thread] = part;
          moved |= part != (e == 0 || e == 6 ? 1.0 : 0.0);
        }
        tau_squared = tau_squared < pair.tau_squared ? pair.tau_squared : tau_squared;
      }
      context.sync();
      for (int tile = thread; tile < tiles; tile += threads) transform_tile(tile, A, H, K, round, found);
      context.sync();
    }
    finish(context, a, tau_squared, moved);
  }

 private:
  template <class Matrix, class Round, class Array>
  PIVOTLAB_DEVICE static void transform_tile(int tile, const Matrix& A, const HermitianMatrix<Matrix>& H,
                                             const HermitianMatrix<Matrix>& K, const Round& round, const Array& found) {
    const int k = tile % pairs, l = tile < 2 * pairs * pairs ? tile / pairs % pairs : k;
    const Transformation left = load_transformation(found, k, pairs), right = load_transformation(found, l, pairs);
    if (tile < pairs * pairs) {
      transform(A, round[k], round[l], inverse(left), right);
    } else {
      const bool of_H = k <= l && tile < 2 * pairs * pairs;
      transform(of_H ? H : K, round[k], round[l], congruence(left, of_H), adjoint(congruence(right, of_H)));
    }
  }

  /// L of M that takes H to L·H·Lᴴ, or K.
  PIVOTLAB_DEVICE static Transformation congruence(const Transformation& m, bool of_H) {
    const Transformation of_rows = inverse(m), of_columns = adjoint(m);
    return {of_H ? of_rows.pp : of_columns.pp, of_H ? of_rows.pq : of_columns.pq, of_H ? of_rows.qp : of_columns.qp,
            of_H ? of_rows.qq : of_columns.qq};
  }

  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static void load(Context& context, const Arguments& a, const Matrix& A,
                                   const HermitianMatrix<Matrix>& H, const HermitianMatrix<Matrix>& K) {
    const Pair blocks = a.blocks[context.block()];
    for (int e = context.thread(); e < order * order; e += threads) {
      const int row = e % order, col = e / order;
      A.set(row, col, a.A.element(place<b>(blocks, row), place<b>(blocks, col)));
    }
    const double* sums = a.sums + std::int64_t(context.block()) * 2 * a.chunks * Layout::elements;
    load_gram<true>(context, sums, a.chunks, H);
    load_gram<false>(context, sums + std::int64_t(a.chunks) * Layout::elements, a.chunks, K);
  }

  template <bool of_rows, class Context, class Matrix>
  PIVOTLAB_DEVICE static void load_gram(Context& context, const double* sums, int chunks,
                                        const HermitianMatrix<Matrix>& X) {
    for (int e = context.thread(); e < Layout::elements; e += threads) {
      const auto slot = Layout::slot(e);
      if (slot.row > slot.column) continue;
      double x = sums[e];
      for (int c = 1; c < chunks; ++c) x += sums[std::int64_t(c) * Layout::elements + e];
      const int row = of_rows ? Layout::row_of_slot(slot.row) : slot.row;
      const int col = of_rows ? Layout::row_of_slot(slot.column) : slot.column;
      const bool below = row > col;
      const int at = below ? row * stride + col : col * stride + row;
      if (slot.part == 0)
        X.upper.re[at] = x;
      else
        X.upper.im[at] = row == col ? 0 : below ? -x : x;
    }
  }

  template <class Array>
  PIVOTLAB_DEVICE static void store_sums(const Array& to, int k, const PairSums& sums) {
    to[k] = sums.commutator.real();
    to[pairs + k] = sums.commutator.imag();
    to[2 * pairs + k] = sums.squares;
  }
  template <class Array>
  PIVOTLAB_DEVICE static PairSums load_sums(const Array& from, int k) {
    return {C(from[k], from[pairs + k]), from[2 * pairs + k]};
  }

  template <class Matrix>
  PIVOTLAB_DEVICE static eig_detail::PairTransformation<C> find(const Rules& rules, const Matrix& A,
                                                                const HermitianMatrix<Matrix>& H,
                                                                const HermitianMatrix<Matrix>& K, Pair pair,
                                                                const PairSums& within) {
    const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
    const C commutator = sum(within.commutator, sum(H(p, q), negated(K(p, q))));
    const double outside = (H.diagonal(p) + H.diagonal(q)) + (K.diagonal(p) + K.diagonal(q));
    return eig_detail::transformation(block_of(A, pair), commutator, within.squares + outside, rules);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void finish(Context& context, const Arguments& a, double tau_squared, bool moved) {
    const auto taus = context.template shared<double>(taus_at, pairs);
    const int any = context.count(moved);
    const int thread = context.thread();
    if (thread < pairs) taus[thread] = tau_squared;
    context.sync();
    if (thread != 0) return;
    double largest = a.tau_squared[context.block()];
    for (int k = 0; k < pairs; ++k) largest = largest < taus[k] ? taus[k] : largest;
    a.tau_squared[context.block()] = largest;
    a.moved[context.block()] = any != 0;
  }
};

}  // namespace pivotlab::eig_device
