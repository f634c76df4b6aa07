// The blocked method: rounds of pairs of blocks, each pair by an inner sweep (tile.hpp) and matrix products.
//
//   for every round of block pairs B, all at once:
//     H, K from rows and columns B of A;  M, M⁻¹ by an inner sweep on A_BB, H, K
//     A_B* := M⁻¹·A_B*;  then A_*B := A_*B·M,  E_*B := E_*B·M
//
// The matrix is cut into an even number of blocks whose sizes differ by at most one. Every product is computed by one
// thread, so that the bits do not depend on the number of threads.
#pragma once

#include "kernels/eig/iteration.hpp"
#include "kernels/eig/split_product.hpp"
#include "kernels/eig/tile.hpp"

#include <omp.h>
#include <map>
#include <memory>

namespace pivotlab::eig_detail {

/// n rows and columns in an even number of blocks of at most b.
struct BlockPartition {
  Index n, count;

  BlockPartition(Index order, Index b) : n(order), count((order + b - 1) / b) {
    count = std::max<Index>(2, count + count % 2);
  }
  Index begin(Index block) const { return block * n / count; }
  Index size(Index block) const { return begin(block + 1) - begin(block); }
};

/// Two ranges of rows or columns that make one block pair.
struct BlockPair {
  Index first, first_size, second, second_size;
  Index size() const { return first_size + second_size; }
};

/// The work of one thread: panels of a block pair, and tiles.
template <class R>
class BlockWorker {
 public:
  using C = std::complex<R>;
  static constexpr Index strip = 256;  ///< rows of columns B, or columns of rows B, that are multiplied at once

  explicit BlockWorker(Index largest) {
    for (auto* panel : {&x_re_, &x_im_, &sum_, &y_re_, &y_im_}) *panel = Matrix<R>(strip, largest);
    stack_ = Matrix<R>(strip, 2 * largest);
    gram_ = Matrix<R>(2 * largest, 2 * largest);
  }

  /// M and M⁻¹ of a pair of blocks; returns the largest τ².
  R find_transformation(const SplitComplex<R>& A, const BlockPair& pair, const TileSchedule& schedule,
                        const PairRules<R>& rules, Multiplier<R>& M, Multiplier<R>& inverse,
                        Multiplier<R>& inverse_transposed) {
    Tile<R>& tile = tile_of(schedule.order());
    gather_block(A, pair, schedule, tile.A);
    form_gram<true>(A, pair, schedule, tile.H);
    form_gram<false>(A, pair, schedule, tile.K);
    const R largest = tile.sweep(schedule, rules);
    M.assign(tile.M);
    inverse_transposed.assign(tile.inverse_transposed);
    as_eigen(inverse.re.view()) = as_eigen(inverse_transposed.re.view()).transpose();
    as_eigen(inverse.sum.view()) = as_eigen(inverse_transposed.sum.view()).transpose();
    as_eigen(inverse.difference.view()) = as_eigen(inverse_transposed.difference.view()).transpose();
    return largest;
  }

  /// Rows B of A := M⁻¹·(rows B of A).
  void transform_rows(SplitComplex<R>& A, const BlockPair& pair, const Multiplier<R>& inverse) {
    const Index s = pair.size();
    for (Index first = 0; first < A.cols(); first += strip) {
      const Index count = std::min(strip, A.cols() - first);
      const auto in = [&](Matrix<R>& panel) { return MatrixView<R>{panel.data(), s, count, s}; };
      gather_rows(A.re(), pair, first, in(x_re_));
      gather_rows(A.im(), pair, first, in(x_im_));
      multiply_left<R>(inverse, {in(x_re_), in(x_im_)}, in(sum_), {in(y_re_), in(y_im_)});
      scatter_rows(in(y_re_), pair, first, A.re());
      scatter_rows(in(y_im_), pair, first, A.im());
    }
  }

  /// Columns B of X := (columns B of X)·M.
  void transform_columns(SplitComplex<R>& X, const BlockPair& pair, const Multiplier<R>& M) {
    if (X.cols() == 0) return;
    const Index s = pair.size();
    for (Index first = 0; first < X.rows(); first += strip) {
      const Index count = std::min(strip, X.rows() - first);
      const auto in = [&](Matrix<R>& panel) { return MatrixView<R>{panel.data(), count, s, count}; };
      gather_columns(X.re(), pair, first, in(x_re_));
      gather_columns(X.im(), pair, first, in(x_im_));
      multiply_right<R>({in(x_re_), in(x_im_)}, M, in(sum_), {in(y_re_), in(y_im_)});
      scatter_columns(in(y_re_), pair, first, X.re());
      scatter_columns(in(y_im_), pair, first, X.im());
    }
  }

 private:
  Tile<R>& tile_of(Index order) {
    auto& tile = tiles_[order];
    if (!tile) tile = std::make_unique<Tile<R>>(order);
    return *tile;
  }

  /// A_BB in the order of the first round of an inner sweep; what is beyond B is zero.
  static void gather_block(const SplitComplex<R>& A, const BlockPair& pair, const TileSchedule& schedule,
                           SplitComplex<R>& block) {
    in_order_of(schedule, pair.size(), block, [&](Index i, Index j) {
      const Index row = column_of(pair, i), col = column_of(pair, j);
      return ComplexParts<R>(A.re(col)[row], A.im(col)[row]);
    });
  }

  template <class Element>
  static void in_order_of(const TileSchedule& schedule, Index size, SplitComplex<R>& block, const Element& element) {
    for (Index l = 0; l < block.cols(); ++l)
      for (Index k = 0; k < block.rows(); ++k) {
        const Index i = schedule.at_start(k), j = schedule.at_start(l);
        const auto x = i < size && j < size ? element(i, j) : ComplexParts<R>(R(0));
        block.re(l)[k] = x.real(), block.im(l)[k] = x.imag();
      }
  }

  /// H (of rows) or K (of columns) from the Gram matrix of [Re X; Im X], by strips of the complement.
  template <bool of_rows>
  void form_gram(const SplitComplex<R>& A, const BlockPair& pair, const TileSchedule& schedule, SplitComplex<R>& gram) {
    const Index s = pair.size();
    const MatrixView<R> both = gram_.view().block(0, 0, 2 * s, 2 * s);
    auto sum = as_eigen(both);
    sum.setZero();
    const auto add_range = [&](Index begin, Index end) {
      for (Index first = begin; first < end; first += strip) {
        const Index count = std::min(strip, end - first);
        if constexpr (of_rows) {
          const MatrixView<R> x{stack_.data(), 2 * s, count, 2 * s};
          gather_rows(A.re(), pair, first, x.block(0, 0, s, count));
          gather_rows(A.im(), pair, first, x.block(s, 0, s, count));
          sum.template selfadjointView<Eigen::Lower>().rankUpdate(as_eigen(x));
        } else {
          const MatrixView<R> x{stack_.data(), count, 2 * s, count};
          gather_columns(A.re(), pair, first, x.block(0, 0, count, s));
          gather_columns(A.im(), pair, first, x.block(0, s, count, s));
          sum.template selfadjointView<Eigen::Lower>().rankUpdate(as_eigen(x).transpose());
        }
      }
    };
    add_range(0, pair.first);
    add_range(pair.first + pair.first_size, pair.second);
    add_range(pair.second + pair.second_size, A.cols());
    const R sign(of_rows ? 1 : -1);
    in_order_of(schedule, s, gram, [&](Index i, Index j) {
      const Index high = std::max(i, j), low = std::min(i, j);
      return ComplexParts<R>(R(both(high, low) + both(s + high, s + low)), R(sign * (both(s + i, j) - both(s + j, i))));
    });
  }

  static void gather_rows(MatrixView<const R> A, const BlockPair& pair, Index first, MatrixView<R> panel) {
    for (Index j = 0; j < panel.cols; ++j) {
      const R* column = &A(0, first + j);
      std::copy_n(column + pair.first, pair.first_size, &panel(0, j));
      std::copy_n(column + pair.second, pair.second_size, &panel(pair.first_size, j));
    }
  }
  static void scatter_rows(MatrixView<const R> panel, const BlockPair& pair, Index first, MatrixView<R> A) {
    for (Index j = 0; j < panel.cols; ++j) {
      R* column = &A(0, first + j);
      std::copy_n(&panel(0, j), pair.first_size, column + pair.first);
      std::copy_n(&panel(pair.first_size, j), pair.second_size, column + pair.second);
    }
  }
  static Index column_of(const BlockPair& pair, Index k) {
    return k < pair.first_size ? pair.first + k : pair.second + k - pair.first_size;
  }
  static void gather_columns(MatrixView<const R> X, const BlockPair& pair, Index first, MatrixView<R> panel) {
    for (Index j = 0; j < panel.cols; ++j) std::copy_n(&X(first, column_of(pair, j)), panel.rows, &panel(0, j));
  }
  static void scatter_columns(MatrixView<const R> panel, const BlockPair& pair, Index first, MatrixView<R> X) {
    for (Index j = 0; j < panel.cols; ++j) std::copy_n(&panel(0, j), panel.rows, &X(first, column_of(pair, j)));
  }

  Matrix<R> x_re_, x_im_, sum_, y_re_, y_im_;        // panels: strip × |B|, or |B| × strip
  Matrix<R> stack_, gram_;                           // real parts over imaginary ones, or beside them
  std::map<Index, std::unique_ptr<Tile<R>>> tiles_;  // by order
};

template <class R>
class BlockedSweep {
 public:
  static Index bordered_order(Index n, const EigVariant&) { return n; }

  BlockedSweep(const EigVariant& variant, Index order, int threads)
      : rules_{variant.shear, variant.unitary, R(variant.damping)},
        partition_(order, variant.block),
        outer_(make_strategy_table(variant.strategy, partition_.count)),
        threads_(threads) {
    Index largest = 0;
    for (Index p = 0; p < partition_.count; ++p)
      for (Index q = p + 1; q < partition_.count; ++q) {
        const Index even = even_order(partition_.size(p) + partition_.size(q));
        if (!inner_.contains(even)) inner_.emplace(even, TileSchedule(variant.strategy, even));
        largest = std::max(largest, even);
      }
    for (int t = 0; t < threads; ++t) workers_.push_back(std::make_unique<BlockWorker<R>>(largest));
    transformations_.resize(static_cast<std::size_t>(partition_.count / 2));
  }

  R operator()(SplitComplex<R>& A, Similarity<R>& similarity) {
    R largest(0);
    for (Index s = 0; s < outer_.steps; ++s) largest = std::max(largest, transform(A, similarity, outer_.step(s)));
    return largest;
  }

 private:
  struct Transformation {
    BlockPair pair{};
    Multiplier<R> M, inverse, inverse_transposed;
    R tau_squared{};
  };

  static Index even_order(Index size) { return std::max<Index>(2, size + size % 2); }

  R transform(SplitComplex<R>& A, Similarity<R>& similarity, std::span<const PivotPair> round) {
    const auto count = static_cast<Index>(round.size());
#pragma omp parallel num_threads(threads_)
    {
      BlockWorker<R>& worker = *workers_[omp_get_thread_num()];
#pragma omp for schedule(dynamic)
      for (Index l = 0; l < count; ++l) {
        Transformation& t = transformations_[l];
        prepare(t, round[l]);
        t.tau_squared = worker.find_transformation(A, t.pair, inner_.at(even_order(t.pair.size())), rules_, t.M,
                                                   t.inverse, t.inverse_transposed);
      }
#pragma omp for schedule(dynamic)
      for (Index l = 0; l < count; ++l) worker.transform_rows(A, transformations_[l].pair, transformations_[l].inverse);
#pragma omp for schedule(dynamic)
      for (Index l = 0; l < count; ++l) {
        const Transformation& t = transformations_[l];
        worker.transform_columns(A, t.pair, t.M);
        worker.transform_columns(similarity.E, t.pair, t.M);
        worker.transform_columns(similarity.inverse_transposed, t.pair, t.inverse_transposed);
      }
    }
    R largest(0);
    for (const Transformation& t : transformations_) largest = std::max(largest, t.tau_squared);
    return largest;
  }

  void prepare(Transformation& t, const PivotPair& blocks) const {
    t.pair = {partition_.begin(blocks.p), partition_.size(blocks.p), partition_.begin(blocks.q),
              partition_.size(blocks.q)};
    const Index s = t.pair.size();
    if (t.M.re.cols() == s) return;
    t.M = t.inverse = t.inverse_transposed = Multiplier<R>(s, s);
  }

  PairRules<R> rules_;
  BlockPartition partition_;
  StrategyTable outer_;
  std::map<Index, TileSchedule> inner_;  // by order
  int threads_;
  std::vector<std::unique_ptr<BlockWorker<R>>> workers_;
  std::vector<Transformation> transformations_;
};

}  // namespace pivotlab::eig_detail
