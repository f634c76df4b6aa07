// One round of disjoint pairs on a matrix with split parts: the sums that the shears need, and the transformations
// applied tile by tile, a tile being the 2×2 elements in the rows of one pair and the columns of another.
//
// A column is brought into the order of the pairs, first all p, then all q; so loops over the rows' pairs vectorize.
#pragma once

#include "kernels/eig/parameters.hpp"
#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include "variants/strategy.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <span>
#include <vector>

namespace pivotlab::eig_detail {

template <class R>
using SplitComplex = SplitMatrix<std::complex<R>>;

enum BlockPart { pp_re, pp_im, pq_re, pq_im, qp_re, qp_im, qq_re, qq_im, block_parts };

/// 2×2 blocks or transformations of the pairs of a round, split.
template <class R>
class PairBlocks {
 public:
  using C = std::complex<R>;
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

 private:
  std::array<std::vector<R>, block_parts> planes_;
};

/// The elements of one column in the rows of the pairs: of rows p and of rows q.
template <class R>
struct PairedColumn {
  std::vector<R> p_re, p_im, q_re, q_im;

  explicit PairedColumn(std::size_t pairs) : p_re(pairs), p_im(pairs), q_re(pairs), q_im(pairs) {}

  void gather(const R* re, const R* im, std::span<const PivotPair> pairs) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [p, q] = pairs[k];
      p_re[k] = re[p], p_im[k] = im[p], q_re[k] = re[q], q_im[k] = im[q];
    }
  }
  void scatter(R* re, R* im, std::span<const PivotPair> pairs) const {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [p, q] = pairs[k];
      re[p] = p_re[k], im[p] = p_im[k], re[q] = q_re[k], im[q] = q_im[k];
    }
  }
  void clear(std::size_t k) { p_re[k] = p_im[k] = q_re[k] = q_im[k] = R(0); }
};

/// The sums over a pair's rows and columns without the pair's own block (shear_parameter()).
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

/// [u v] := [u v]·m for vectors of n elements.
template <class R>
void transform_columns(R* __restrict u_re, R* __restrict u_im, R* __restrict v_re, R* __restrict v_im, Index n,
                       const Block2<std::complex<R>>& m) {
  using C = std::complex<R>;
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const C u(u_re[i], u_im[i]), v(v_re[i], v_im[i]);
    const C x = multiply_add(v, m.qp, multiply(u, m.pp)), y = multiply_add(v, m.qq, multiply(u, m.pq));
    u_re[i] = x.real(), u_im[i] = x.imag(), v_re[i] = y.real(), v_im[i] = y.imag();
  }
}

/// Columns p and q of X, if X has any, times m.
template <class R>
void transform_columns(SplitComplex<R>& X, Index p, Index q, const Block2<std::complex<R>>& m) {
  if (X.cols() > 0) transform_columns(X.re(p), X.im(p), X.re(q), X.im(q), X.rows(), m);
}

template <class C>
Block2<C> transposed(const Block2<C>& m) {
  return {m.pp, m.qp, m.pq, m.qq};
}

/// The work of one thread on the pairs of a round.
template <class R>
class PairWorker {
 public:
  using C = std::complex<R>;

  explicit PairWorker(std::size_t pairs) : u_(pairs), v_(pairs) {}

  /// Adds to `sums` what the columns of pair l contribute: to pair l as columns, to all others as elements of rows.
  void add_sums(const SplitComplex<R>& X, std::span<const PivotPair> pairs, std::size_t l, PairSums<R>& sums) {
    const auto [p, q] = pairs[l];
    u_.gather(X.re(p), X.im(p), pairs);
    v_.gather(X.re(q), X.im(q), pairs);
    u_.clear(l), v_.clear(l);
    const auto count = static_cast<Index>(pairs.size());
    const R *up_re = u_.p_re.data(), *up_im = u_.p_im.data(), *uq_re = u_.q_re.data(), *uq_im = u_.q_im.data();
    const R *vp_re = v_.p_re.data(), *vp_im = v_.p_im.data(), *vq_re = v_.q_re.data(), *vq_im = v_.q_im.data();
    R *re = sums.re.data(), *im = sums.im.data(), *squares = sums.squares.data();
    R own_re(0), own_im(0), own_squares(0);
#pragma omp simd reduction(+ : own_re, own_im, own_squares)
    for (Index k = 0; k < count; ++k) {
      const C up(up_re[k], up_im[k]), uq(uq_re[k], uq_im[k]), vp(vp_re[k], vp_im[k]), vq(vq_re[k], vq_im[k]);
      const C rows = multiply_add(vp, C(conjugate(vq)), multiply(up, C(conjugate(uq))));
      const C columns = multiply_add(C(conjugate(uq)), vq, multiply(C(conjugate(up)), vp));
      const R square =
          (squared_magnitude(up) + squared_magnitude(uq)) + (squared_magnitude(vp) + squared_magnitude(vq));
      re[k] += rows.real(), im[k] += rows.imag(), squares[k] += square;
      own_re += columns.real(), own_im += columns.imag(), own_squares += square;
    }
    re[l] -= own_re, im[l] -= own_im, squares[l] += own_squares;
  }

  /// The columns of pair l of X := left·X·right, of which `left` acts on all rows.
  void transform(SplitComplex<R>& X, std::span<const PivotPair> pairs, std::size_t l, const PairBlocks<R>& left,
                 const Block2<C>& right) {
    const auto [p, q] = pairs[l];
    u_.gather(X.re(p), X.im(p), pairs);
    v_.gather(X.re(q), X.im(q), pairs);
    transform_tiles(left, right, static_cast<Index>(pairs.size()));
    u_.scatter(X.re(p), X.im(p), pairs);
    v_.scatter(X.re(q), X.im(q), pairs);
  }

 private:
  void transform_tiles(const PairBlocks<R>& left, const Block2<C>& right, Index count) {
    R *__restrict up_re = u_.p_re.data(), *__restrict up_im = u_.p_im.data(), *__restrict uq_re = u_.q_re.data(),
      *__restrict uq_im = u_.q_im.data(), *__restrict vp_re = v_.p_re.data(), *__restrict vp_im = v_.p_im.data(),
      *__restrict vq_re = v_.q_re.data(), *__restrict vq_im = v_.q_im.data();
    const R *lpp_re = left(pp_re), *lpp_im = left(pp_im), *lpq_re = left(pq_re), *lpq_im = left(pq_im),
            *lqp_re = left(qp_re), *lqp_im = left(qp_im), *lqq_re = left(qq_re), *lqq_im = left(qq_im);
#pragma omp simd
    for (Index k = 0; k < count; ++k) {
      const C lpp(lpp_re[k], lpp_im[k]), lpq(lpq_re[k], lpq_im[k]), lqp(lqp_re[k], lqp_im[k]),
          lqq(lqq_re[k], lqq_im[k]);
      const C up(up_re[k], up_im[k]), uq(uq_re[k], uq_im[k]), vp(vp_re[k], vp_im[k]), vq(vq_re[k], vq_im[k]);
      const C ap = multiply_add(lpq, uq, multiply(lpp, up)), aq = multiply_add(lqq, uq, multiply(lqp, up));
      const C bp = multiply_add(lpq, vq, multiply(lpp, vp)), bq = multiply_add(lqq, vq, multiply(lqp, vp));
      const C xp = multiply_add(bp, right.qp, multiply(ap, right.pp)),
              yp = multiply_add(bp, right.qq, multiply(ap, right.pq));
      const C xq = multiply_add(bq, right.qp, multiply(aq, right.pp)),
              yq = multiply_add(bq, right.qq, multiply(aq, right.pq));
      up_re[k] = xp.real(), up_im[k] = xp.imag(), uq_re[k] = xq.real(), uq_im[k] = xq.imag();
      vp_re[k] = yp.real(), vp_im[k] = yp.imag(), vq_re[k] = yq.real(), vq_im[k] = yq.imag();
    }
  }

  PairedColumn<R> u_, v_;
};

/// The 2×2 block of a pair.
template <class R>
Block2<std::complex<R>> block_of(const SplitComplex<R>& X, const PivotPair& pair) {
  using C = std::complex<R>;
  const auto [p, q] = pair;
  return {C(X.re(p)[p], X.im(p)[p]), C(X.re(q)[p], X.im(q)[p]), C(X.re(p)[q], X.im(p)[q]), C(X.re(q)[q], X.im(q)[q])};
}

}  // namespace pivotlab::eig_detail
