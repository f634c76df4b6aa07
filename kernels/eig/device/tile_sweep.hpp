// SPDX-License-Identifier: BSD-3-Clause
// An inner sweep on the diagonal block of every pair of blocks, in shared memory: A_BB, H, K
// (kernels/eig/host/tile.hpp). It stores its transformations; accumulate.hpp multiplies them.
#pragma once

#include "kernels/eig/device/gram.hpp"
#include "kernels/eig/device/pair_lanes.hpp"

namespace pivotlab::eig_device {

/// Grid: one block per pair of blocks. R is the type of A and of the arithmetic.
template <int b, class R = double>
struct SweepTile {
  using C = ComplexParts<R>;
  using Transformation = TransformationOf<R>;
  using Layout = GramLayout<b>;
  static constexpr int order = 2 * b, pairs = b, steps_at_most = order;
  struct Arguments {
    PlanesOf<R> A;
    const Pair* blocks;
    const double* sums;  ///< sums of FormGram
    int chunks;
    const Pair* strategy;  ///< [steps][pairs], arranged (bank_order.hpp)
    int steps;
    eig_detail::PairRules<R> rules;
    R* transformations;   ///< [pair of blocks][step][4][pair], rows and columns in the order of the turned pairs
    int* moved;           ///< [pair of blocks]: 0 if all transformations are the identity
    double* tau_squared;  ///< [pair of blocks], maximum so far
  };
  static constexpr int tile_threads = b == 8 ? 64 : b == 16 ? 256 : 512;
  static constexpr int threads = tile_threads + 32;  ///< the last warp has tiles on the diagonal of K
  static constexpr int min_blocks = 1;
  static constexpr int stride = shared_stride(order);
  static constexpr int matrix_bytes = 2 * int(sizeof(R)) * order * stride;
  static constexpr int transformations_at = 3 * matrix_bytes;
  static constexpr int taus_at = transformations_at + int(sizeof(R)) * transformation_numbers * pairs;
  static constexpr int strategy_at = taus_at + int(sizeof(R)) * pairs;
  static constexpr int shared_bytes = strategy_at + int(sizeof(Pair)) * steps_at_most * pairs;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const auto A = shared_matrix<R>(context, 0, order, stride);
    using Hermitian = HermitianMatrix<SharedMatrix<Context, R>>;
    const Hermitian H{shared_matrix<R>(context, matrix_bytes, order, stride)},
        K{shared_matrix<R>(context, 2 * matrix_bytes, order, stride)};
    const auto found = context.template shared<RealPair<R>>(transformations_at, transformation_numbers / 2 * pairs);
    const auto strategy = context.template shared<Pair>(strategy_at, steps_at_most * pairs);
    for (int e = context.thread(); e < a.steps * pairs; e += threads) strategy[e] = a.strategy[e];
    load(context, a, A, H, K);
    context.sync();

    const int thread = context.thread(), own = thread / pair_lanes, part = thread % pair_lanes;
    R* to = a.transformations + std::int64_t(context.block()) * a.steps * pairs * transformation_numbers;
    R tau_squared = 0;
    bool moved = false;
    for (int s = 0; s < a.steps; ++s, to += pairs * transformation_numbers) {
      const auto round = strategy + s * pairs;
      if (thread < pair_lanes * pairs) {
        const auto pair = find(context, a.rules, A, H, K, ascending(round[own]));
        const R x = part_of(pair.m, part);
        // in a turned pair pp and qq, pq and qp are exchanged
        const int turned = is_turned(round[own]) ? part ^ (transformation_numbers - 2) : part;
        const int at = transformation_at(turned, own, pairs);
        (at % 2 == 0 ? found[at / 2].x : found[at / 2].y) = x;
        to[at] = x;
        tau_squared = tau_squared < pair.tau_squared ? pair.tau_squared : tau_squared;
        moved |= x != (part == 0 || part == 6 ? R(1) : R(0));
      }
      context.sync();
      if (thread < tile_threads)
        for (int tile = thread; tile < pairs * pairs; tile += tile_threads)
          transform_tiles(tile % pairs, tile / pairs, A, H, K, round, found);
      else if (thread < tile_threads + pairs)
        transform_diagonal(thread - tile_threads, K, round, found);
      context.sync();
    }
    finish(context, a, tau_squared, moved);
  }

 private:
  /// Transforms tile (k, l) of A, and half of the tiles of Hermitian matrices: of H those on and above the diagonal, of
  /// K those below it. All elements are read before any is written, to wait for memory only once.
  template <class Matrix, class Round, class Array>
  PIVOTLAB_DEVICE static void transform_tiles(int k, int l, const Matrix& A, const HermitianMatrix<Matrix>& H,
                                              const HermitianMatrix<Matrix>& K, const Round& round,
                                              const Array& found) {
    const bool of_H = k <= l;
    const HermitianMatrix<Matrix>& X = of_H ? H : K;
    const Pair rows = round[k], cols = round[l];
    const Transformation left = load_transformation(found, k, pairs), right = load_transformation(found, l, pairs);
    const Transformation a = tile_of(A, rows, cols), x = tile_of(X, rows, cols);
    set_tile(A, rows, cols, product(inverse(left), a, right));
    set_tile(X, rows, cols, product(congruence(left, of_H), x, adjoint(congruence(right, of_H))));
  }

  template <class Matrix, class Round, class Array>
  PIVOTLAB_DEVICE static void transform_diagonal(int k, const HermitianMatrix<Matrix>& K, const Round& round,
                                                 const Array& found) {
    const Transformation m = load_transformation(found, k, pairs);
    transform(K, round[k], round[k], adjoint(m), m);
  }

  /// Returns L in H := L·H·Lᴴ or K := L·K·Lᴴ: M⁻¹ or Mᴴ.
  PIVOTLAB_DEVICE static Transformation congruence(const Transformation& m, bool of_H) {
    const auto choose = [&](const C& of_rows, const C& of_columns, bool negated_re, bool negated_im) {
      return C(negated_if(negated_re, of_H ? of_rows.real() : of_columns.real()),
               negated_if(negated_im, of_H ? of_rows.imag() : of_columns.imag()));
    };
    return {choose(m.qq, m.pp, false, !of_H), choose(m.pq, m.qp, of_H, true), choose(m.qp, m.pq, of_H, true),
            choose(m.pp, m.qq, false, !of_H)};
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
    constexpr int own_elements = (Layout::elements + threads - 1) / threads;
    double x[own_elements] = {};
    for (int c = 0; c < chunks; ++c)
#pragma unroll
      for (int i = 0; i < own_elements; ++i) {
        const int e = i * threads + context.thread();
        if (e < Layout::elements) x[i] += sums[std::int64_t(c) * Layout::elements + e];
      }
#pragma unroll
    for (int i = 0; i < own_elements; ++i) {
      const int e = i * threads + context.thread();
      if (e >= Layout::elements) continue;
      const auto slot = Layout::slot(e);
      if (slot.row > slot.column) continue;
      const int row = of_rows ? Layout::row_of_slot(slot.row) : slot.row;
      const int col = of_rows ? Layout::row_of_slot(slot.column) : slot.column;
      X.set_part(row, col, slot.part, slot.part == 1 && row == col ? R(0) : R(x[i]));
    }
  }

  template <class Context, class Matrix>
  PIVOTLAB_DEVICE static eig_detail::PairTransformation<C> find(Context& context, const eig_detail::PairRules<R>& rules,
                                                                const Matrix& A, const HermitianMatrix<Matrix>& H,
                                                                const HermitianMatrix<Matrix>& K, Pair pair) {
    const PairSumsOf<R> within = sums_within(context, A, order, pair);
    const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
    const C commutator = sum(within.commutator, sum(H(p, q), negated(K(p, q))));
    const R outside = (H.diagonal(p) + H.diagonal(q)) + (K.diagonal(p) + K.diagonal(q));
    return eig_detail::transformation<true>(block_of(A, pair), commutator, within.squares + outside, rules);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void finish(Context& context, const Arguments& a, R tau_squared, bool moved) {
    const auto taus = context.template shared<R>(taus_at, pairs);
    const int any = context.count(moved);
    const int thread = context.thread();
    if (thread < pair_lanes * pairs && thread % pair_lanes == 0) taus[thread / pair_lanes] = tau_squared;
    context.sync();
    if (thread != 0) return;
    double largest = a.tau_squared[context.block()];
    for (int k = 0; k < pairs; ++k) largest = largest < double(taus[k]) ? double(taus[k]) : largest;
    a.tau_squared[context.block()] = largest;
    a.moved[context.block()] = any != 0;
  }
};

}  // namespace pivotlab::eig_device
