// SPDX-License-Identifier: BSD-3-Clause
// Rounds of pairs on a matrix in shared memory: eight lanes compute the transformation of a pair, one thread transforms
// the 2×2 tile of two pairs.
#pragma once

#include "kernels/eig/device/planes.hpp"
#include "kernels/eig/shared/parameters.hpp"

#include <bit>
#include <type_traits>
#include <utility>

namespace pivotlab::eig_device {

using eig_detail::inverse;
template <class R>
using TransformationOf = eig_detail::Block2<ComplexParts<R>>;
using Transformation = TransformationOf<double>;
using Rules = eig_detail::PairRules<double>;

inline constexpr int pair_lanes = 8;

/// A matrix in shared memory, real and imaginary parts side by side, with an odd leading dimension: eight lanes read a
/// column or a row at once, in eight different groups of banks.
template <class Context, class Number = double>
struct SharedMatrix {
  using R = Number;
  using C = ComplexParts<R>;
  using Array = decltype(std::declval<Context&>().template shared<RealPair<R>>(0, 1));
  Array elements;
  int stride;

  PIVOTLAB_DEVICE C operator()(int row, int col) const {
    const RealPair<R> x = elements[col * stride + row];
    return C(x.x, x.y);
  }
  PIVOTLAB_DEVICE void set(int row, int col, const C& x) const {
    elements[col * stride + row] = RealPair<R>{x.real(), x.imag()};
  }
  /// Returns the real (0) or the imaginary (1) part.
  PIVOTLAB_DEVICE R& part(int row, int col, int which) const {
    RealPair<R>& element = elements[col * stride + row];
    return which == 0 ? element.x : element.y;
  }
};

constexpr int shared_stride(int order) {
  return order % 2 == 0 ? order + 1 : order;
}

/// A Hermitian matrix, of which only the upper triangle is stored.
template <class Matrix>
struct HermitianMatrix {
  using R = typename Matrix::R;
  using C = typename Matrix::C;
  Matrix upper;

  PIVOTLAB_DEVICE C operator()(int row, int col) const {
    const bool below = row > col;
    const C x = upper(below ? col : row, below ? row : col);
    return C(x.real(), negated_if(below, x.imag()));
  }
  PIVOTLAB_DEVICE void set(int row, int col, const C& x) const {
    const bool below = row > col;
    upper.set(below ? col : row, below ? row : col, C(x.real(), negated_if(below, x.imag())));
  }
  PIVOTLAB_DEVICE void set_part(int row, int col, int which, R x) const {
    const bool below = row > col;
    upper.part(below ? col : row, below ? row : col, which) = negated_if(which == 1 && below, x);
  }
  PIVOTLAB_DEVICE R diagonal(int i) const { return upper.part(i, i, 0); }
};

/// Allocates the next order × stride complex numbers of shared memory from byte `offset` on.
template <class R = double, class Context>
PIVOTLAB_DEVICE inline SharedMatrix<Context, R> shared_matrix(Context& context, int offset, int order, int stride) {
  return {context.template shared<RealPair<R>>(offset, order * stride), stride};
}

/// Sums over a pair's rows and columns (eig_detail::shear_parameter()).
template <class R>
struct PairSumsOf {
  using C = ComplexParts<R>;
  C commutator = C(0);
  R squares = 0;

  /// Adds the contributions of element j of rows p, q and of columns p, q.
  PIVOTLAB_DEVICE void add(const C& pj, const C& qj, const C& jp, const C& jq) {
    commutator = multiply_add(pj, C(conjugate(qj)), commutator);
    commutator = multiply_add(negated(C(conjugate(jp))), jq, commutator);
    squares += (squared_magnitude(pj) + squared_magnitude(qj)) + (squared_magnitude(jp) + squared_magnitude(jq));
  }

  PIVOTLAB_DEVICE void add_weighted(const PairSumsOf& other, R weight) {
    commutator = C(fused(weight, other.commutator.real(), commutator.real()),
                   fused(weight, other.commutator.imag(), commutator.imag()));
    squares = fused(weight, other.squares, squares);
  }

  /// Adds the sums of `lanes` neighbouring lanes.
  template <class Context>
  PIVOTLAB_DEVICE void total(Context& context, int lanes) {
    R re = commutator.real(), im = commutator.imag();
    for (int mask = lanes / 2; mask > 0; mask /= 2) {
      re += of_other_lane(context, re, mask);
      im += of_other_lane(context, im, mask);
      squares += of_other_lane(context, squares, mask);
    }
    commutator = C(re, im);
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static R of_other_lane(Context& context, R x, int mask) {
    if constexpr (std::is_same_v<R, float>)
      return std::bit_cast<float>(context.shuffle_xor(std::bit_cast<int>(x), mask));
    else
      return context.shuffle_xor(x, mask);
  }
};
using PairSums = PairSumsOf<double>;

template <class Matrix>
PIVOTLAB_DEVICE inline TransformationOf<typename Matrix::R> block_of(const Matrix& A, Pair pair) {
  const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
  return {A(p, p), A(p, q), A(q, p), A(q, q)};
}

/// Computes the sums of a pair over the matrix by its eight lanes, without a branch, so that several elements are
/// loaded at once.
template <class Context, class Matrix>
PIVOTLAB_DEVICE inline PairSumsOf<typename Matrix::R> sums_within(Context& context, const Matrix& A, int order,
                                                                  Pair pair) {
  const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
  using R = typename Matrix::R;
  PairSumsOf<R> sums;
  for (int j = context.lane() % pair_lanes; j < order; j += pair_lanes) {
    PairSumsOf<R> of_j;
    of_j.add(A(p, j), A(q, j), A(j, p), A(j, q));
    sums.add_weighted(of_j, j == p || j == q ? R(0) : R(1));
  }
  sums.total(context, pair_lanes);
  return sums;
}

/// Returns left·tile·right.
template <class C>
PIVOTLAB_DEVICE inline eig_detail::Block2<C> product(const eig_detail::Block2<C>& left,
                                                     const eig_detail::Block2<C>& tile,
                                                     const eig_detail::Block2<C>& right) {
  const C pp = multiply_add(left.pq, tile.qp, multiply(left.pp, tile.pp));
  const C pq = multiply_add(left.pq, tile.qq, multiply(left.pp, tile.pq));
  const C qp = multiply_add(left.qq, tile.qp, multiply(left.qp, tile.pp));
  const C qq = multiply_add(left.qq, tile.qq, multiply(left.qp, tile.pq));
  return {multiply_add(pq, right.qp, multiply(pp, right.pp)), multiply_add(pq, right.qq, multiply(pp, right.pq)),
          multiply_add(qq, right.qp, multiply(qp, right.pp)), multiply_add(qq, right.qq, multiply(qp, right.pq))};
}

/// Returns rows `rows` and columns `cols` of X.
template <class Matrix>
PIVOTLAB_DEVICE inline TransformationOf<typename Matrix::R> tile_of(const Matrix& X, Pair rows, Pair cols) {
  const int rp = static_cast<int>(rows.p), rq = static_cast<int>(rows.q);
  const int cp = static_cast<int>(cols.p), cq = static_cast<int>(cols.q);
  return {X(rp, cp), X(rp, cq), X(rq, cp), X(rq, cq)};
}
template <class Matrix>
PIVOTLAB_DEVICE inline void set_tile(const Matrix& X, Pair rows, Pair cols,
                                     const TransformationOf<typename Matrix::R>& x) {
  const int rp = static_cast<int>(rows.p), rq = static_cast<int>(rows.q);
  const int cp = static_cast<int>(cols.p), cq = static_cast<int>(cols.q);
  X.set(rp, cp, x.pp);
  X.set(rp, cq, x.pq);
  X.set(rq, cp, x.qp);
  X.set(rq, cq, x.qq);
}

/// Computes rows `rows` and columns `cols` of X := left·X·right.
template <class Matrix>
PIVOTLAB_DEVICE inline void transform(const Matrix& X, Pair rows, Pair cols,
                                      const TransformationOf<typename Matrix::R>& left,
                                      const TransformationOf<typename Matrix::R>& right) {
  set_tile(X, rows, cols, product(left, tile_of(X, rows, cols), right));
}

/// Computes columns p and q of row `row` of X := X·m.
template <class Matrix>
PIVOTLAB_DEVICE inline void transform_row(const Matrix& X, int row, Pair pair,
                                          const TransformationOf<typename Matrix::R>& m) {
  const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
  const auto x = X(row, p), y = X(row, q);
  X.set(row, p, multiply_add(y, m.qp, multiply(x, m.pp)));
  X.set(row, q, multiply_add(y, m.qq, multiply(x, m.pq)));
}

// Size of a transformation. A round is stored as [pp, pq, qp, qq][pair] complex numbers.
inline constexpr int transformation_numbers = 8;

/// Returns the position of number e of the 8 numbers of pair k.
PIVOTLAB_DEVICE inline int transformation_at(int e, int k, int pairs) {
  return 2 * (e / 2 * pairs + k) + e % 2;
}

/// Returns number e of 8.
template <class C>
PIVOTLAB_DEVICE inline RealOf<C> part_of(const eig_detail::Block2<C>& m, int e) {
  using R = RealOf<C>;
  const R first = e % 2 == 0 ? m.pp.real() : m.pp.imag(), second = e % 2 == 0 ? m.pq.real() : m.pq.imag();
  const R third = e % 2 == 0 ? m.qp.real() : m.qp.imag(), fourth = e % 2 == 0 ? m.qq.real() : m.qq.imag();
  return e < 4 ? (e < 2 ? first : second) : (e < 6 ? third : fourth);
}

/// Loads the transformation of pair k of a round from its complex numbers.
template <class Array>
PIVOTLAB_DEVICE inline auto load_transformation(const Array& from, int k, int pairs) {
  using R = decltype(from[0].x);
  const auto load = [&](int component) {
    const RealPair<R> x = from[component * pairs + k];
    return ComplexParts<R>(x.x, x.y);
  };
  return TransformationOf<R>{load(0), load(1), load(2), load(3)};
}

/// The same, from doubles.
template <class Context, class Array>
PIVOTLAB_DEVICE inline Transformation load_transformation(const Context& context, const Array& from, int k, int pairs) {
  const auto load = [&](int component) {
    const DoublePair x = context.load2(from + 2 * (component * pairs + k));
    return C(x.x, x.y);
  };
  return {load(0), load(1), load(2), load(3)};
}

}  // namespace pivotlab::eig_device
