// SPDX-License-Identifier: BSD-3-Clause
// Complex products on tensor cores: 16 rows × 16 times 16 × 8 columns. Products of floats are those of doubles, which
// tensor cores compute as fast as other units compute those of floats; matrices of floats take half of the memory.
//
// The inner index of a product may be permuted if both operands are permuted alike, and the rows of a left operand if
// those of the result are. Rows 2r and 2r + 1 of a fragment are in one lane, and so are inner indices 2r and 2r + 1. So
// loads and stores take 16 bytes, and the accumulators of one product are the left operand of the next without a
// shuffle.
#pragma once

#include "kernels/eig/device/planes.hpp"

namespace pivotlab::eig_device {

/// Returns the inner index of element j (of 4) of a lane.
PIVOTLAB_DEVICE inline int inner_index(int lane, int j) {
  return j / 2 * 8 + lane % 4 * 2 + j % 2;
}

/// 16 × 16; elements 2j and 2j + 1: rows 2·(lane/4) and one more, column inner_index(j).
struct LeftFragment {
  double re[8], im[8];

  static constexpr int doubles = 512;  ///< in memory, in the order of a warp's loads: [j][part][lane][2]

  /// Loads a fragment. row(r) and column(c) are the positions of row r and column c; for an even row the position is
  /// even, and the next row is adjacent.
  template <class Context, class R, class Row, class Column>
  PIVOTLAB_DEVICE void load(Context& context, const PlanesOf<R>& X, Row&& row, Column&& column) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::int64_t at = X.at(row(context.lane() / 4 * 2), column(inner_index(context.lane(), j)));
      set(j, load_pair(context, X.re + at), load_pair(context, X.im + at));
    }
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE void load(Context& context, const Array& stored) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      set(j, context.load2(stored + (j * 128 + 2 * context.lane())),
          context.load2(stored + (j * 128 + 64 + 2 * context.lane())));
  }

  /// The part, row and column of element e in memory.
  static PIVOTLAB_DEVICE int part(int e) {
    return e / 64 % 2;
  }
  static PIVOTLAB_DEVICE int row(int e) {
    return e / 2 % 32 / 4 * 2 + e % 2;
  }
  static PIVOTLAB_DEVICE int column(int e) {
    return inner_index(e / 2 % 32, e / 128);
  }

 private:
  PIVOTLAB_DEVICE void set(int j, DoublePair x, DoublePair y) {
    re[2 * j] = x.x, re[2 * j + 1] = x.y;
    im[2 * j] = y.x, im[2 * j + 1] = y.y;
  }
};

/// 16 × 8; element j: row inner_index(j), column lane/4.
struct RightFragment {
  double re[4], im[4];

  static constexpr int doubles = 256;  ///< in memory: [half of the rows][part][lane][2]

  /// Loads the elements of the lane's own column.
  template <class Context, class R, class Row>
  PIVOTLAB_DEVICE void load(Context& context, const PlanesOf<R>& X, Row&& row, std::int64_t column) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::int64_t at = X.at(row(inner_index(context.lane(), 2 * half)), column);
      set(half, load_pair(context, X.re + at), load_pair(context, X.im + at));
    }
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE void load(Context& context, const Array& stored) {
#pragma unroll
    for (int half = 0; half < 2; ++half)
      set(half, context.load2(stored + (half * 128 + 2 * context.lane())),
          context.load2(stored + (half * 128 + 64 + 2 * context.lane())));
  }

  static PIVOTLAB_DEVICE int part(int e) {
    return e / 64 % 2;
  }
  static PIVOTLAB_DEVICE int row(int e) {
    return inner_index(e / 2 % 32, e / 128 * 2 + e % 2);
  }
  static PIVOTLAB_DEVICE int column(int e) {
    return e / 2 % 32 / 4;
  }

 private:
  PIVOTLAB_DEVICE void set(int half, DoublePair x, DoublePair y) {
    re[2 * half] = x.x, re[2 * half + 1] = x.y;
    im[2 * half] = y.x, im[2 * half + 1] = y.y;
  }
};

/// 16 × 8; element i: row 2·(lane/4) + ⌊i/2⌋, column 2·(lane mod 4) + i mod 2.
struct Product {
  double re[4] = {}, im[4] = {};

  template <class Context>
  PIVOTLAB_DEVICE void add(Context& context, const LeftFragment& a, const RightFragment& b) {
    double minus_im[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) minus_im[i] = -a.im[i];
    context.mma(re, a.re, b.re);
    context.mma(im, a.re, b.im);
    context.mma(re, minus_im, b.im);
    context.mma(im, a.im, b.re);
  }

  template <class Context, class R, class Row, class Column>
  PIVOTLAB_DEVICE void store(Context& context, const PlanesOf<R>& X, Row&& row, Column&& column) const {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const std::int64_t at = X.at(row(context.lane() / 4 * 2), column(context.lane() % 4 * 2 + i));
      store_pair(context, X.re + at, re[i], re[2 + i]);
      store_pair(context, X.im + at, im[i], im[2 + i]);
    }
  }
  template <class Context, class Row, class Column>
  PIVOTLAB_DEVICE void load(Context& context, const Planes& X, Row&& row, Column&& column) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const std::int64_t at = X.at(row(context.lane() / 4 * 2), column(context.lane() % 4 * 2 + i));
      const DoublePair x = context.load2(X.re + at), y = context.load2(X.im + at);
      re[i] = x.x, re[2 + i] = x.y;
      im[i] = y.x, im[2 + i] = y.y;
    }
  }
};

/// Returns two neighbouring products as a left operand.
PIVOTLAB_DEVICE inline LeftFragment as_left(const Product& first, const Product& second) {
  LeftFragment a;
  const auto take = [](double(&to)[8], const double(&x)[4], const double(&y)[4]) {
    to[0] = x[0], to[1] = x[2], to[2] = x[1], to[3] = x[3];
    to[4] = y[0], to[5] = y[2], to[6] = y[1], to[7] = y[3];
  };
  take(a.re, first.re, second.re);
  take(a.im, first.im, second.im);
  return a;
}

}  // namespace pivotlab::eig_device
