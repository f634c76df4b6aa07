// SPDX-License-Identifier: BSD-3-Clause
// The blocked method: rounds of pairs of blocks; each pair is transformed by an inner sweep (tile.hpp) and matrix
// products.
//
//   for every round of block pairs B, all simultaneously:
//     H, K from rows and columns B of A;  M, M⁻¹ by an inner sweep on A_BB, H, K
//     A_kB := M_k⁻¹·A_kB·M in the rows of every pair k;  E_*B := E_*B·M
//
// The matrix is cut into an even number of blocks whose sizes differ by at most one. Every product is computed by one
// thread, so that the bits do not depend on the number of threads.
#pragma once

#include "kernels/eig/host/iteration.hpp"
#include "kernels/eig/host/split_product.hpp"
#include "kernels/eig/host/tile.hpp"

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

/// The transformation of a block pair.
template <class R>
struct BlockTransformation {
  BlockPair pair{};
  Multiplier<R> M, inverse, inverse_transposed;
  R tau_squared{};
};

/// Transforms block pairs in one thread; owns panels of a block pair, and tiles.
template <class R>
class BlockWorker {
 public:
  using C = std::complex<R>;
  static constexpr Index strip = 256;  ///< rows of columns B, or columns of rows B, that are processed at once

  explicit BlockWorker(Index largest) : stack_(strip, 2 * largest), gram_(2 * largest, 2 * largest) {
    for (auto* panel : {&x_re_, &x_im_, &sum_, &y_re_, &y_im_}) *panel = Matrix<R>(std::max(strip, largest), largest);
  }

  /// Computes the transformation of t.pair.
  void find_transformation(const SplitComplex<R>& A, const TileSchedule& schedule, const PairRules<R>& rules,
                           BlockTransformation<R>& t) {
    Tile<R>& tile = tile_of(schedule);
    gather_block(A, t.pair, schedule, tile.A);
    form_gram<true>(A, t.pair, schedule, tile.H);
    form_gram<false>(A, t.pair, schedule, tile.K);
    t.tau_squared = tile.sweep(schedule, rules);
    t.M.assign(tile.M);
    t.inverse_transposed.assign(tile.inverse_transposed);
    as_eigen(t.inverse.re.view()) = as_eigen(t.inverse_transposed.re.view()).transpose();
    as_eigen(t.inverse.sum.view()) = as_eigen(t.inverse_transposed.sum.view()).transpose();
    as_eigen(t.inverse.difference.view()) = as_eigen(t.inverse_transposed.difference.view()).transpose();
  }

  /// Computes columns B of A := M_k⁻¹·(columns B of A)·M in the rows of every pair k, one strip of pairs at a time.
  void transform_both_sides(SplitComplex<R>& A, const BlockTransformation<R>& t,
                            std::span<const BlockTransformation<R>> all) {
    const Index s = t.pair.size();
    while (!all.empty()) {
      Index rows = 0;
      std::size_t pairs = 0;
      while (pairs < all.size() && (pairs == 0 || rows + all[pairs].pair.size() <= strip))
        rows += all[pairs++].pair.size();
      const auto in = [&](Matrix<R>& panel) { return MatrixView<R>{panel.data(), rows, s, rows}; };
      const auto for_each_pair = [&](const auto& action) {
        Index row = 0;
        for (const BlockTransformation<R>& k : all.first(pairs)) {
          const auto tile = [&](Matrix<R>& panel) { return in(panel).block(row, 0, k.pair.size(), s); };
          action(k, tile);
          row += k.pair.size();
        }
      };
      for_each_pair([&](const BlockTransformation<R>& k, const auto& tile) {
        gather_tile(A.re(), k.pair, t.pair, tile(x_re_));
        gather_tile(A.im(), k.pair, t.pair, tile(x_im_));
      });
      multiply_right<R>({in(x_re_), in(x_im_)}, t.M, in(sum_), {in(y_re_), in(y_im_)});
      for_each_pair([&](const BlockTransformation<R>& k, const auto& tile) {
        multiply_left<R>(k.inverse, {tile(y_re_), tile(y_im_)}, tile(sum_), {tile(x_re_), tile(x_im_)});
        scatter_tile(tile(x_re_), k.pair, t.pair, A.re());
        scatter_tile(tile(x_im_), k.pair, t.pair, A.im());
      });
      all = all.subspan(pairs);
    }
  }

  /// Computes columns B of X := (columns B of X)·M.
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
  Tile<R>& tile_of(const TileSchedule& schedule) {
    auto& tile = tiles_[schedule.order()];
    if (!tile) tile = std::make_unique<Tile<R>>(schedule);
    return *tile;
  }

  /// Copies A_BB in the order of the first round of an inner sweep; elements beyond B are zero.
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

  /// Computes H (of rows) or K (of columns) from the Gram matrix of [Re X; Im X], by strips of the complement.
  template <bool of_rows>
  void form_gram(const SplitComplex<R>& A, const BlockPair& pair, const TileSchedule& schedule, SplitComplex<R>& gram) {
    const Index s = pair.size();
    const MatrixView<R> both = gram_.view().block(0, 0, 2 * s, 2 * s);
    as_eigen(both).setZero();
    const auto add_range = [&](Index begin, Index end) {
      for (Index first = begin; first < end; first += strip) {
        const Index count = std::min(strip, end - first);
        if constexpr (of_rows) {
          const MatrixView<R> x{stack_.data(), 2 * s, count, 2 * s};
          gather_rows(A.re(), pair, first, x.block(0, 0, s, count));
          gather_rows(A.im(), pair, first, x.block(s, 0, s, count));
          add_gram(both, MatrixView<const R>(x));
        } else {
          const MatrixView<R> x{stack_.data(), count, 2 * s, count};
          gather_columns(A.re(), pair, first, x.block(0, 0, count, s));
          gather_columns(A.im(), pair, first, x.block(0, s, count, s));
          add_gram(both, transpose<R>(x));
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
  static void gather_tile(MatrixView<const R> A, const BlockPair& rows, const BlockPair& cols, MatrixView<R> tile) {
    for (Index j = 0; j < tile.cols; ++j) {
      const R* column = &A(0, column_of(cols, j));
      std::copy_n(column + rows.first, rows.first_size, &tile(0, j));
      std::copy_n(column + rows.second, rows.second_size, &tile(rows.first_size, j));
    }
  }
  static void scatter_tile(MatrixView<const R> tile, const BlockPair& rows, const BlockPair& cols, MatrixView<R> A) {
    for (Index j = 0; j < tile.cols; ++j) {
      R* column = &A(0, column_of(cols, j));
      std::copy_n(&tile(0, j), rows.first_size, column + rows.first);
      std::copy_n(&tile(rows.first_size, j), rows.second_size, column + rows.second);
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
  Matrix<R> stack_, gram_;                           // real parts above imaginary ones, or beside them
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
    transformations_.resize(partition_.count / 2);
  }

  R operator()(SplitComplex<R>& A, Similarity<R>& similarity) {
    R largest(0);
    for (Index s = 0; s < outer_.steps; ++s) {
      throw_if_interrupted();
      largest = std::max(largest, transform(A, similarity, outer_.step(s)));
    }
    return largest;
  }

 private:
  static Index even_order(Index size) { return std::max<Index>(2, size + size % 2); }

  R transform(SplitComplex<R>& A, Similarity<R>& similarity, std::span<const PivotPair> round) {
    const auto count = static_cast<Index>(round.size());
#pragma omp parallel num_threads(threads_)
    {
      BlockWorker<R>& worker = *workers_[omp_get_thread_num()];
#pragma omp for schedule(dynamic)
      for (Index l = 0; l < count; ++l) {
        BlockTransformation<R>& t = transformations_[l];
        prepare(t, round[l]);
        worker.find_transformation(A, inner_.at(even_order(t.pair.size())), rules_, t);
      }
#pragma omp for schedule(dynamic)
      for (Index item = 0; item < 3 * count; ++item) {  // longest items first
        const BlockTransformation<R>& t = transformations_[item % count];
        if (item < count)
          worker.transform_both_sides(A, t, transformations_);
        else if (item < 2 * count)
          worker.transform_columns(similarity.E, t.pair, t.M);
        else
          worker.transform_columns(similarity.inverse_transposed, t.pair, t.inverse_transposed);
      }
    }
    R largest(0);
    for (const BlockTransformation<R>& t : transformations_) largest = std::max(largest, t.tau_squared);
    return largest;
  }

  void prepare(BlockTransformation<R>& t, const PivotPair& blocks) const {
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
  std::vector<BlockTransformation<R>> transformations_;
};

}  // namespace pivotlab::eig_detail
