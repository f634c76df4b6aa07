// SPDX-License-Identifier: BSD-3-Clause
// The transformations of pairs of columns by several adjacent threads each, wherever the columns are.
#pragma once

#include "kernels/batch/jacobi_columns.hpp"

#include <cstdint>

namespace pivotlab::batch {

/// Columns of G and V in their memory.
template <class Numbers, class OfV>
struct ColumnsInPlace {
  Numbers G;
  int stride;
  OfV V;
  int v_stride;

  PIVOTLAB_DEVICE auto g(int j) const { return G + j * stride; }
  PIVOTLAB_DEVICE auto v(int j) const { return V + j * v_stride; }
};

/// Two groups of `width` columns, which begin with the columns `first` and `second`.
struct Tile {
  int width, first, second;

  PIVOTLAB_DEVICE int column(int slot) const { return slot < width ? first + slot : second + slot - width; }
  PIVOTLAB_DEVICE int slot(int j) const { return j < first + width ? j - first : j - second + width; }

  /// Pair k < width of a round: columns of both groups, or of one, whose places in their groups differ by the mask.
  PIVOTLAB_DEVICE void pair(bool within, int mask, int k, int& p, int& q) const {
    if (!within) {
      p = first + k, q = second + (k ^ mask);
      return;
    }
    pair_of(width, width - 1 - mask, k % (width / 2), p, q);
    const int begin = k < width / 2 ? first : second;
    p += begin, q += begin;
  }
};

/// Takes the rounds of a sweep over n columns tile by tile: round r transforms columns i and i XOR (order − 1 − r), so
/// that `width` rounds in sequence that have the same higher bits stay within a tile. Calls begin(tile), then
/// transform(tile, p, q) for each round, and end(tile). All threads call it, each for the k-th pair of a round; q ≥ n
/// if there is none.
template <class Begin, class Transform, class End>
PIVOTLAB_DEVICE void sweep_tiles(int n, int width, int k, const Begin& begin, const Transform& transform,
                                 const End& end) {
  int order = 2;
  while (order < n) order *= 2;
  const int groups = order / width;
  for (int round = 0; round < groups; ++round)  // the last one within groups
    for (int pair = 0; pair < groups / 2; ++pair) {
      const bool within = round == groups - 1;
      int one = 2 * pair, other = one + 1;
      if (!within) pair_of(groups, round, pair, one, other);
      const Tile tile{width, one * width, other * width};
      if ((within ? tile.first : tile.second) >= n) continue;
      begin(tile);
      for (int mask = width - 1; mask >= (within ? 1 : 0); --mask) {
        int p = 0, q = n;
        if (k < width) tile.pair(within, mask, k, p, q);
        transform(tile, p, q);
      }
      end(tile);
    }
}

/// The same round by round, `pairs` pairs at once.
template <class Transform, class End>
PIVOTLAB_DEVICE void sweep_rounds(int n, int pairs, int k, const Transform& transform, const End& end) {
  int order = 2;
  while (order < n) order *= 2;
  for (int round = 0; round < order - 1; ++round) {
    for (int first = 0; first < order / 2; first += pairs) {
      int p = 0, q = n;
      if (first + k < order / 2) pair_of(order, round, first + k, p, q);
      transform(p, q);
    }
    end();
  }
}

/// Columns of G and V of a tile, in shared memory.
template <class Shared>
struct ColumnsInTile {
  Tile tile;
  Shared G;
  int stride;
  Shared V;
  int v_stride;

  PIVOTLAB_DEVICE auto g(int j) const { return G + tile.slot(j) * stride; }
  PIVOTLAB_DEVICE auto v(int j) const { return V + tile.slot(j) * v_stride; }
};

/// Calls move(x, y) for the elements x of a tile's columns in memory and y in shared memory.
template <int threads, class Memory, class Shared, class Move>
PIVOTLAB_DEVICE void for_elements_of(const Tile& tile, int n, int rows, int thread, const Memory& memory, int stride,
                                     const Shared& shared, int shared_stride, const Move& move) {
  for (int i = thread; i < rows; i += threads)
#pragma unroll 8
    for (int slot = 0; slot < 2 * tile.width; ++slot)
      if (const int j = tile.column(slot); j < n)
        move(memory[i + std::int64_t(j) * stride], shared[i + slot * shared_stride]);
}

/// Returns the part of the products of two columns x and y that belongs to every `lanes`-th row from `lane` on.
template <class T, class Column>
PIVOTLAB_DEVICE inline PivotMatrix<double> products_of(const Column& x, const Column& y, int rows, int lane,
                                                       int lanes) {
  PivotMatrix<double> sum;
#pragma unroll 4
  for (int i = lane; i < rows; i += lanes) {
    const T a_i = x[i], b_i = y[i];
    const double re = real_part(a_i), im = imaginary_part(a_i), other = real_part(b_i), other_im = imaginary_part(b_i);
    sum.xx = fused(re, re, sum.xx), sum.yy = fused(other, other, sum.yy);
    sum.xy_re = fused(re, other, sum.xy_re);
    if constexpr (is_complex<T>) {
      sum.xx = fused(im, im, sum.xx), sum.yy = fused(other_im, other_im, sum.yy);
      sum.xy_re = fused(im, other_im, sum.xy_re);
      sum.xy_im = fused(re, other_im, fused(-im, other, sum.xy_im));
    }
  }
  return sum;
}

/// Transforms elements x and y of two columns.
template <class T>
PIVOTLAB_DEVICE inline void transform_pair(const JacobiUpdate<double>& u, T& x, T& y) {
  if constexpr (is_complex<T>) {
    double a = x.real(), ai = x.imag(), b = y.real(), bi = y.imag();
    transform_elements(u, a, ai, b, bi);
    x = T(a, ai), y = T(b, bi);
  } else {
    transform_elements(u, x, y);
  }
}

/// Records what a thread has seen in a sweep: a big transformation, one that was clamped, the largest cosine of two
/// columns and the largest tangent.
struct SeenInSweep {
  bool big = false, clamped = false;
  double cosine = 0, tangent = 0;
};

/// Transforms pairs by `lanes` adjacent threads each: m rows of G, n of V, n = 0 without V.
template <class T, int lanes, class Context, class Doubles>
class PairTransformations {
 public:
  SeenInSweep seen;

  PIVOTLAB_DEVICE PairTransformations(Context& context, int m, int n, const Doubles& signs, const Doubles& noise,
                                      const JacobiRules<double>& rules)
      : context_(context), m_(m), n_(n), lane_(context.thread() % lanes), signs_(signs), noise_(noise), rules_(rules) {}

  /// Transforms columns p and q, if they exist, unless they are orthogonal. All threads call it.
  template <class Columns>
  PIVOTLAB_DEVICE void operator()(const Columns& columns, int p, int q, bool exist) {
    PivotMatrix<double> products;
    if (exist) products = products_of<T>(columns.g(p), columns.g(q), m_, lane_, lanes);
    products.xx = sum_of_lanes<lanes>(context_, products.xx);
    products.yy = sum_of_lanes<lanes>(context_, products.yy);
    products.xy_re = sum_of_lanes<lanes>(context_, products.xy_re);
    if constexpr (is_complex<T>) products.xy_im = sum_of_lanes<lanes>(context_, products.xy_im);
    const auto both = jacobi_products<is_complex<T>>(products);
    if (exist && !both.orthogonal(rules_)) transform(columns, p, q, products);
  }

 private:
  template <class Columns>
  PIVOTLAB_DEVICE void transform(const Columns& columns, int p, int q, const PivotMatrix<double>& products) {
    const double s = signs_[p] * signs_[q];
    const auto pair = decide_jacobi<is_complex<T>>(products, s, rules_);
    const bool exchanged = changes_places(pair, double(signs_[p]), s, rules_);
    const auto turn = [&](const auto& x, const auto& y, int rows) {
#pragma unroll 4
      for (int i = lane_; i < rows; i += lanes) {
        T a_i = x[i], b_i = y[i];
        transform_pair(pair.update, a_i, b_i);
        x[i] = exchanged ? b_i : a_i, y[i] = exchanged ? a_i : b_i;
      }
    };
    turn(columns.g(p), columns.g(q), m_);
    if (n_ > 0) turn(columns.v(p), columns.v(q), n_);
    if (lane_ == 0) {
      const auto after = transformed_noise<double>({noise_[p], noise_[q]}, products, s, pair);
      noise_[p] = exchanged ? after.y : after.x, noise_[q] = exchanged ? after.x : after.y;
    }
    seen.big |= pair.big != 0;
    seen.clamped |= pair.clamped != 0;
    seen.cosine = seen.cosine < pair.cosine ? pair.cosine : seen.cosine;
    const double tangent = absolute(pair.t);
    if (s > 0) seen.tangent = seen.tangent < tangent ? tangent : seen.tangent;
  }

  Context& context_;
  const int m_, n_, lane_;
  const Doubles signs_, noise_;
  const JacobiRules<double> rules_;
};

}  // namespace pivotlab::batch
