// An inner sweep on the diagonal block of every pair of blocks, in shared memory: A_BB, H, K (kernels/eig/tile.hpp). It
// writes down its transformations; accumulate.hpp multiplies them.
#pragma once

#include "kernels/eig/device/gram.hpp"
#include "kernels/eig/device/pair_lanes.hpp"

namespace pivotlab::eig_device {

/// One block a pair of blocks.
template <int b>
struct SweepTile {
  using Layout = GramLayout<b>;
  static constexpr int order = 2 * b, pairs = b, steps_at_most = order;
  struct Arguments {
    Planes A;
    const Pair* blocks;
    const double* sums;  ///< of FormGram
    int chunks;
    const Pair* strategy;  ///< [steps][pairs]
    int steps;
    Rules rules;
    double* transformations;  ///< [pair of blocks][step][8][pair]
    int* moved;               ///< [pair of blocks]: 0 where all are the identity
    double* largest_tau;      ///< [pair of blocks], raised
  };
  static constexpr int threads = b == 8 ? 64 : b == 16 ? 256 : 512;
  static constexpr int min_blocks = 1;
  static constexpr int stride = shared_stride(order);
  static constexpr int matrix_bytes = 16 * order * stride;
  static constexpr int transformations_at = 3 * matrix_bytes;
  static constexpr int taus_at = transformations_at + 8 * transformation_doubles * pairs;
  static constexpr int strategy_at = taus_at + 8 * pairs;
  static constexpr int shared_bytes = strategy_at + int(sizeof(Pair)) * steps_at_most * pairs;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto A = shared_matrix(context, 0, order, stride);
    const auto H = shared_matrix(context, matrix_bytes, order, stride);
    const auto K = shared_matrix(context, 2 * matrix_bytes, order, stride);
    const auto found = context.template shared<double>(transformations_at, transformation_doubles * pairs);
    const auto strategy = context.template shared<Pair>(strategy_at, steps_at_most * pairs);
    for (int e = context.thread(); e < a.steps * pairs; e += threads) strategy[e] = a.strategy[e];
    load(context, a, A, H, K);
    context.sync();

    const int thread = context.thread(), own = thread / pair_lanes;
    double* to = a.transformations + std::int64_t(context.block()) * a.steps * pairs * transformation_doubles;
    double largest_tau = 0;
    bool moved = false;
    for (int s = 0; s < a.steps; ++s) {
      const auto round = strategy + s * pairs;
      if (thread < pair_lanes * pairs) {
        const auto found_now = find(context, a.rules, A, H, K, round[own]);
        const double part = part_of(found_now.m, thread % pair_lanes);
        const int at = thread % pair_lanes * pairs + own;
        found[at] = part;
        to[std::int64_t(s) * pairs * transformation_doubles + at] = part;
        largest_tau = largest_tau < found_now.tau ? found_now.tau : largest_tau;
        moved |= part != (thread % pair_lanes == 0 || thread % pair_lanes == 6 ? 1.0 : 0.0);
      }
      context.sync();
      for (int tile = thread; tile < pairs * pairs; tile += threads) {
        const int k = tile % pairs, l = tile / pairs;
        const Pair rows = round[k], cols = round[l];
        const Transformation left = load_transformation(found, k, pairs), right = load_transformation(found, l, pairs);
        transform(A, rows, cols, inverse(left), right);
        transform(H, rows, cols, inverse(left), adjoint(inverse(right)));
        transform(K, rows, cols, adjoint(left), right);
      }
      context.sync();
    }
    finish(context, a, largest_tau, moved);
  }

 private:
  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static void load(Context& context, const Arguments& a, const Matrix& A, const Matrix& H,
                                   const Matrix& K) {
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
  PIVOTLAB_DEVICE static void load_gram(Context& context, const double* sums, int chunks, const Matrix& X) {
    for (int e = context.thread(); e < Layout::elements; e += threads) {
      const auto slot = Layout::slot(e);
      if (slot.row > slot.column) continue;
      double x = sums[e];
      for (int c = 1; c < chunks; ++c) x += sums[std::int64_t(c) * Layout::elements + e];
      const int row = of_rows ? Layout::row_of_slot(slot.row) : slot.row;
      const int col = of_rows ? Layout::row_of_slot(slot.column) : slot.column;
      const auto plane = slot.part == 0 ? X.re : X.im;
      if (slot.part == 1 && row == col) x = 0;
      plane[col * stride + row] = x;
      if (row != col) plane[row * stride + col] = slot.part == 0 ? x : -x;
    }
  }

  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static eig_detail::PairTransformation<C> find(Context& context, const Rules& rules, const Matrix& A,
                                                                const Matrix& H, const Matrix& K, Pair pair) {
    const PairSums within = sums_within(context, A, order, pair);
    const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
    const C commutator = sum(within.commutator, sum(H(p, q), negated(K(p, q))));
    const double outside =
        (H.re[p * stride + p] + H.re[q * stride + q]) + (K.re[p * stride + p] + K.re[q * stride + q]);
    return eig_detail::transformation(block_of(A, pair), commutator, within.squares + outside, rules);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void finish(Context& context, const Arguments& a, double largest_tau, bool moved) {
    const auto taus = context.template shared<double>(taus_at, pairs);
    const int any = context.count(moved);
    const int thread = context.thread();
    if (thread < pair_lanes * pairs && thread % pair_lanes == 0) taus[thread / pair_lanes] = largest_tau;
    context.sync();
    if (thread != 0) return;
    double largest = a.largest_tau[context.block()];
    for (int k = 0; k < pairs; ++k) largest = largest < taus[k] ? taus[k] : largest;
    a.largest_tau[context.block()] = largest;
    a.moved[context.block()] = any != 0;
  }
};

}  // namespace pivotlab::eig_device
