// SPDX-License-Identifier: BSD-3-Clause
// One round of disjoint pairs on a matrix with split parts: the sums that the shears need, and the transformations
// applied tile by tile, a tile being the 2×2 elements in the rows of one pair and the columns of another.
//
// A column is permuted to the order of the pairs, first all p, then all q, so that loops over the pairs of rows
// vectorize. The functions with these loops are flattened: a loop with a call does not vectorize, and GCC 12 leaves
// small functions as calls here.
#pragma once

#include "kernels/eig/shared/decomposition.hpp"
#include "kernels/eig/shared/parameters.hpp"
#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/complex_parts.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include "variants/orderings/strategy.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <span>
#include <vector>

namespace pivotlab::eig_detail {

enum BlockPart { pp_re, pp_im, pq_re, pq_im, qp_re, qp_im, qq_re, qq_im, block_parts };

/// 2×2 blocks or transformations of the pairs of a round, split.
template <class R>
class PairBlocks {
 public:
  using C = ComplexParts<R>;
  explicit PairBlocks(std::size_t pairs) {
    for (auto& part : planes_) part.resize(pairs);
  }
  void set(std::size_t k, const Block2<C>& block) {
    const std::array<R, block_parts> values{block.pp.real(), block.pp.imag(), block.pq.real(), block.pq.imag(),
                                            block.qp.real(), block.qp.imag(), block.qq.real(), block.qq.imag()};
    for (int part = 0; part < block_parts; ++part) planes_[part][k] = values[part];
  }
  Block2<C> operator[](std::size_t k) const {
    const auto at = [&](int part) { return C(planes_[part][k], planes_[part + 1][k]); };
    return {at(pp_re), at(pq_re), at(qp_re), at(qq_re)};
  }
  const R* operator()(BlockPart part) const { return planes_[part].data(); }
  R* operator()(BlockPart part) { return planes_[part].data(); }
  std::size_t size() const { return planes_[0].size(); }

 private:
  std::array<std::vector<R>, block_parts> planes_;
};

/// The elements of one column in the rows of the pairs, one vector for rows p and one for rows q; element k belongs to
/// pair k.
template <class R>
struct PairedColumn {
  R *p_re, *p_im, *q_re, *q_im;
};

/// Storage for one column.
template <class R>
class PairedColumnBuffer {
 public:
  explicit PairedColumnBuffer(std::size_t pairs) : elements_(4 * pairs) {}

  PairedColumn<R> column() {
    R* x = elements_.data();
    const std::size_t pairs = elements_.size() / 4;
    return {x, x + pairs, x + 2 * pairs, x + 3 * pairs};
  }

 private:
  std::vector<R> elements_;
};

template <class R>
PairedColumn<const R> constant(const PairedColumn<R>& x) {
  return {x.p_re, x.p_im, x.q_re, x.q_im};
}

template <class R>
void gather(const R* re, const R* im, std::span<const PivotPair> pairs, PairedColumn<R> to) {
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::uint32_t p = pairs[k].p, q = pairs[k].q;
    to.p_re[k] = re[p], to.p_im[k] = im[p], to.q_re[k] = re[q], to.q_im[k] = im[q];
  }
}

template <class R>
void scatter(PairedColumn<const R> from, std::span<const PivotPair> pairs, R* re, R* im) {
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::uint32_t p = pairs[k].p, q = pairs[k].q;
    re[p] = from.p_re[k], im[p] = from.p_im[k], re[q] = from.q_re[k], im[q] = from.q_im[k];
  }
}

/// Sums over a pair's rows and columns without the pair's own block (shear_parameter()).
template <class R>
struct PairSums {
  std::vector<R> re, im, squares;

  explicit PairSums(std::size_t pairs = 0) : re(pairs), im(pairs), squares(pairs) {}
  void clear() {
    for (auto* v : {&re, &im, &squares}) std::ranges::fill(*v, R(0));
  }
  PairSums& operator+=(const PairSums& other) {
    for (std::size_t k = 0; k < re.size(); ++k)
      re[k] += other.re[k], im[k] += other.im[k], squares[k] += other.squares[k];
    return *this;
  }
};

/// Computes [u v] := [u v]·m for vectors of n elements.
template <class R>
[[gnu::flatten]] void transform_columns(R* __restrict u_re, R* __restrict u_im, R* __restrict v_re, R* __restrict v_im,
                                        Index n, const Block2<ComplexParts<R>> m) {
  using C = ComplexParts<R>;
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    const C u(u_re[i], u_im[i]), v(v_re[i], v_im[i]);
    const C x = multiply_add(v, m.qp, multiply(u, m.pp)), y = multiply_add(v, m.qq, multiply(u, m.pq));
    u_re[i] = x.real(), u_im[i] = x.imag(), v_re[i] = y.real(), v_im[i] = y.imag();
  }
}

/// Multiplies columns p and q of X by m, unless X is empty.
template <class R>
void transform_columns(SplitComplex<R>& X, Index p, Index q, const Block2<ComplexParts<R>>& m) {
  if (X.cols() > 0) transform_columns(X.re(p), X.im(p), X.re(q), X.im(q), X.rows(), m);
}

template <class R>
R sum_of(const std::vector<R>& x) {
  const R* elements = x.data();
  const std::size_t count = x.size();
  R sum(0);
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < count; ++k) sum += elements[k];
  return sum;
}

/// Adds to `sums` the contributions of columns u, v of pair l: to pair l as columns, to all other pairs as elements of
/// rows. The caller must set the elements of pair l's own block to zero. `own` is workspace for as many pairs.
template <class R>
[[gnu::flatten]] void add_sums(PairedColumn<const R> u, PairedColumn<const R> v, std::size_t l, PairSums<R>& sums,
                               PairSums<R>& own) {
  using C = ComplexParts<R>;
  const auto count = static_cast<Index>(sums.re.size());
  R *re = sums.re.data(), *im = sums.im.data(), *squares = sums.squares.data();
  R *own_re = own.re.data(), *own_im = own.im.data(), *own_squares = own.squares.data();
#pragma GCC ivdep
  for (Index k = 0; k < count; ++k) {
    const C up(u.p_re[k], u.p_im[k]), uq(u.q_re[k], u.q_im[k]), vp(v.p_re[k], v.p_im[k]), vq(v.q_re[k], v.q_im[k]);
    const C rows = multiply_add(vp, C(conjugate(vq)), multiply(up, C(conjugate(uq))));
    const C columns = multiply_add(C(conjugate(uq)), vq, multiply(C(conjugate(up)), vp));
    const R square = (squared_magnitude(up) + squared_magnitude(uq)) + (squared_magnitude(vp) + squared_magnitude(vq));
    re[k] += rows.real(), im[k] += rows.imag(), squares[k] += square;
    own_re[k] = columns.real(), own_im[k] = columns.imag(), own_squares[k] = square;
  }
  re[l] -= sum_of(own.re), im[l] -= sum_of(own.im), squares[l] += sum_of(own.squares);
}

/// Computes [x y] := left·[u v]·right for two columns, in the rows of all pairs. x, y may be u, v.
template <class R>
[[gnu::flatten]] void transform_tiles(PairedColumn<const R> u, PairedColumn<const R> v, const PairBlocks<R>& left,
                                      const Block2<ComplexParts<R>> right, PairedColumn<R> x, PairedColumn<R> y,
                                      Index count) {
  using C = ComplexParts<R>;
  const R *lpp_re = left(pp_re), *lpp_im = left(pp_im), *lpq_re = left(pq_re), *lpq_im = left(pq_im),
          *lqp_re = left(qp_re), *lqp_im = left(qp_im), *lqq_re = left(qq_re), *lqq_im = left(qq_im);
#pragma GCC ivdep  // not "omp simd", which would keep the complex numbers in memory
  for (Index k = 0; k < count; ++k) {
    const C lpp(lpp_re[k], lpp_im[k]), lpq(lpq_re[k], lpq_im[k]), lqp(lqp_re[k], lqp_im[k]), lqq(lqq_re[k], lqq_im[k]);
    const C up(u.p_re[k], u.p_im[k]), uq(u.q_re[k], u.q_im[k]), vp(v.p_re[k], v.p_im[k]), vq(v.q_re[k], v.q_im[k]);
    const C ap = multiply_add(lpq, uq, multiply(lpp, up)), aq = multiply_add(lqq, uq, multiply(lqp, up));
    const C bp = multiply_add(lpq, vq, multiply(lpp, vp)), bq = multiply_add(lqq, vq, multiply(lqp, vp));
    const C xp = multiply_add(bp, right.qp, multiply(ap, right.pp));
    const C xq = multiply_add(bq, right.qp, multiply(aq, right.pp));
    const C yp = multiply_add(bp, right.qq, multiply(ap, right.pq));
    const C yq = multiply_add(bq, right.qq, multiply(aq, right.pq));
    x.p_re[k] = xp.real(), x.p_im[k] = xp.imag(), x.q_re[k] = xq.real(), x.q_im[k] = xq.imag();
    y.p_re[k] = yp.real(), y.p_im[k] = yp.imag(), y.q_re[k] = yq.real(), y.q_im[k] = yq.imag();
  }
}

/// Replaces the blocks of the pairs by their transformations and returns the largest τ². Overwrites sums.im.
template <class R>
[[gnu::flatten]] R find_transformations(PairBlocks<R>& blocks, PairSums<R>& sums, const PairRules<R>& rules) {
  using C = ComplexParts<R>;
  const auto count = static_cast<Index>(blocks.size());
  R *x_pp_re = blocks(pp_re), *x_pp_im = blocks(pp_im), *x_pq_re = blocks(pq_re), *x_pq_im = blocks(pq_im),
    *x_qp_re = blocks(qp_re), *x_qp_im = blocks(qp_im), *x_qq_re = blocks(qq_re), *x_qq_im = blocks(qq_im);
  const R *re = sums.re.data(), *squares = sums.squares.data();
  R* im = sums.im.data();
#pragma GCC ivdep
  for (Index k = 0; k < count; ++k) {
    const Block2<C> a{C(x_pp_re[k], x_pp_im[k]), C(x_pq_re[k], x_pq_im[k]), C(x_qp_re[k], x_qp_im[k]),
                      C(x_qq_re[k], x_qq_im[k])};
    const PairTransformation<C> t = transformation(a, C(re[k], im[k]), squares[k], rules);
    x_pp_re[k] = t.m.pp.real(), x_pp_im[k] = t.m.pp.imag(), x_pq_re[k] = t.m.pq.real(), x_pq_im[k] = t.m.pq.imag();
    x_qp_re[k] = t.m.qp.real(), x_qp_im[k] = t.m.qp.imag(), x_qq_re[k] = t.m.qq.real(), x_qq_im[k] = t.m.qq.imag();
    im[k] = t.tau_squared;
  }
  return *std::max_element(im, im + count);
}

/// Applies the pairs of a round to columns of a matrix; has the buffers of one thread.
template <class R>
class PairWorker {
 public:
  explicit PairWorker(std::size_t pairs) : u_(pairs), v_(pairs), own_(pairs) {}

  /// Adds the contributions of the columns of pair l to the sums of all pairs.
  void sum(const SplitComplex<R>& X, std::span<const PivotPair> pairs, std::size_t l, PairSums<R>& sums) {
    const auto [u, v] = gathered(X, pairs, l);
    for (const PairedColumn<R>& column : {u, v})
      column.p_re[l] = column.p_im[l] = column.q_re[l] = column.q_im[l] = R(0);
    add_sums<R>(constant(u), constant(v), l, sums, own_);
  }

  /// Computes the columns of pair l of X := left·X·right; `left` acts on all rows.
  void transform(SplitComplex<R>& X, std::span<const PivotPair> pairs, std::size_t l, const PairBlocks<R>& left,
                 const Block2<ComplexParts<R>>& right) {
    const auto [u, v] = gathered(X, pairs, l);
    transform_tiles<R>(constant(u), constant(v), left, right, u, v, static_cast<Index>(pairs.size()));
    scatter<R>(constant(u), pairs, X.re(pairs[l].p), X.im(pairs[l].p));
    scatter<R>(constant(v), pairs, X.re(pairs[l].q), X.im(pairs[l].q));
  }

 private:
  std::pair<PairedColumn<R>, PairedColumn<R>> gathered(const SplitComplex<R>& X, std::span<const PivotPair> pairs,
                                                       std::size_t l) {
    const PairedColumn<R> u = u_.column(), v = v_.column();
    gather(X.re(pairs[l].p), X.im(pairs[l].p), pairs, u);
    gather(X.re(pairs[l].q), X.im(pairs[l].q), pairs, v);
    return {u, v};
  }

  PairedColumnBuffer<R> u_, v_;
  PairSums<R> own_;
};

/// Returns the 2×2 block of a pair.
template <class R>
Block2<ComplexParts<R>> block_of(const SplitComplex<R>& X, const PivotPair& pair) {
  using C = ComplexParts<R>;
  const auto [p, q] = pair;
  return {C(X.re(p)[p], X.im(p)[p]), C(X.re(q)[p], X.im(q)[p]), C(X.re(p)[q], X.im(p)[q]), C(X.re(q)[q], X.im(q)[q])};
}

}  // namespace pivotlab::eig_detail
