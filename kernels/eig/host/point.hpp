// SPDX-License-Identifier: BSD-3-Clause
// The point method: rounds of disjoint pairs on the whole matrix.
//
//   for every round:  (c, G) of all pairs from the same A, S, U of all pairs
//                     A := M⁻¹·A·M,  E := E·M        M = S·U in one step (fused), or M = S and then M = U (steps)
//
// A matrix of odd order gets a zero row and column, which no transformation changes.
#pragma once

#include "kernels/eig/host/iteration.hpp"

#include <omp.h>
#include <memory>

namespace pivotlab::eig_detail {

template <class R>
class PointSweep {
 public:
  using C = ComplexParts<R>;

  /// Returns the order of the matrices for a sweep.
  static Index bordered_order(Index n, const EigVariant&) { return std::max<Index>(2, n + n % 2); }

  PointSweep(const EigVariant& variant, Index order, int threads)
      : variant_(variant),
        rules_{variant.shear, variant.unitary, R(variant.damping)},
        table_(make_strategy_table(variant.strategy, order)),
        threads_(threads),
        transformations_(pairs()),
        inverses_(pairs()),
        chunks_((pairs() + chunk - 1) / chunk, PairSums<R>(pairs())) {
    for (int t = 0; t < threads; ++t) workers_.push_back(std::make_unique<PairWorker<R>>(pairs()));
  }

  R operator()(SplitComplex<R>& A, Similarity<R>& similarity) {
    R largest(0);
    for (Index s = 0; s < table_.steps; ++s) {
      throw_if_interrupted();
      const auto round = table_.step(s);
      const PairSums<R>& sums = sums_of(A, round);
      if (variant_.form == EigForm::fused) {
        const auto both = [&](std::size_t k) {
          return transformation(block_of(A, round[k]), C(sums.re[k], sums.im[k]), sums.squares[k], rules_);
        };
        largest = std::max(largest, apply(A, similarity, round, both));
      } else {
        const auto shear = [&](std::size_t k) {
          const C commutator(sums.re[k], sums.im[k]);
          const C w = rules_.shear ? shear_parameter(block_of(A, round[k]), commutator, sums.squares[k], rules_.damping)
                                   : no_shear<C>();
          return shear_times_unitary(w, no_unitary<C>());
        };
        const auto unitary = [&](std::size_t k) {
          const C w = no_shear<C>();
          const auto t = rules_.unitary ? unitary_parameter(sheared(block_of(A, round[k]), w)) : no_unitary<C>();
          return shear_times_unitary(w, t);
        };
        largest = std::max(largest, apply(A, similarity, round, shear));
        apply(A, similarity, round, unitary);
      }
    }
    return largest;
  }

 private:
  using Round = std::span<const PivotPair>;
  static constexpr std::size_t chunk = 32;  ///< column pairs that are summed by one thread

  std::size_t pairs() const { return static_cast<std::size_t>(table_.order / 2); }

  /// Sums over chunks of columns, then over the chunks in order: the same bits for any number of threads.
  const PairSums<R>& sums_of(const SplitComplex<R>& A, Round round) {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      chunks_[c].clear();
      for (std::size_t l = c * chunk; l < std::min((c + 1) * chunk, round.size()); ++l)
        workers_[omp_get_thread_num()]->sum(A, round, l, chunks_[c]);
    }
    for (std::size_t c = 1; c < chunks_.size(); ++c) chunks_[0] += chunks_[c];
    return chunks_[0];
  }

  /// Transforms pair k by make(k). Returns the largest τ².
  template <class Make>
  R apply(SplitComplex<R>& A, Similarity<R>& similarity, Round round, const Make& make) {
    R largest(0);
    for (std::size_t k = 0; k < round.size(); ++k) {
      const PairTransformation<C> pair = make(k);
      transformations_.set(k, pair.m);
      inverses_.set(k, inverse(pair.m));
      largest = std::max(largest, pair.tau_squared);
    }
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t l = 0; l < round.size(); ++l) {
      const auto [p, q] = round[l];
      const Block2<C> m = transformations_[l];
      workers_[omp_get_thread_num()]->transform(A, round, l, inverses_, m);
      transform_columns(similarity.E, p, q, m);
      transform_columns(similarity.inverse_transposed, p, q, transposed(inverses_[l]));
    }
    return largest;
  }

  EigVariant variant_;
  PairRules<R> rules_;
  StrategyTable table_;
  int threads_;
  PairBlocks<R> transformations_, inverses_;
  std::vector<PairSums<R>> chunks_;
  std::vector<std::unique_ptr<PairWorker<R>>> workers_;
};

}  // namespace pivotlab::eig_detail
