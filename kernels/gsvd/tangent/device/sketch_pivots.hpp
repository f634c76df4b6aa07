// SPDX-License-Identifier: BSD-3-Clause
// The choice of pivot columns from a random sketch, by a cluster of 16 blocks.
//
// Row j of the sketch S = Aᴴ·Ω stands for column j of A: its norm, and its angles with the other rows, are nearly those
// of the column. A pivot is the row of largest norm; then its direction is removed from all rows, as by a QR
// factorization of Sᴴ with column pivoting.
//
// Source: Duersch and Gu, "Randomized QR with column pivoting", SIAM J. Sci. Comput. 39 (2017); Martinsson,
// Quintana-Ortí, Heavner and van de Geijn, "Householder QR factorization with randomization for column pivoting", SIAM
// J. Sci. Comput. 39 (2017).
#pragma once

#include "kernels/gsvd/tangent/device/panel_qr.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

namespace pivotlab::tangent {

template <class T>
struct SketchPivots {
  static constexpr int most_pivots = PanelQr<T, 1>::width, size = most_pivots + 8;
  static constexpr int threads = 256, min_blocks = 1, cluster_blocks = 16;

  /// Columns 0, …, count − 1 of A are the pivots, in order, after column s and column swaps[s] were swapped for s = 0,
  /// …, count − 1.
  struct Arguments {
    MatrixView<T> sketch;  ///< n × size, overwritten; n ≤ 64·4096
    int count;             ///< ≤ min(n, most_pivots)
    int* swaps;
  };

  struct Candidate {
    double norm;
    int place;
  };

  // Shared memory: candidates of the threads; for two pivots in turn, candidates of the blocks and their rows of S.
  static constexpr int of_threads = 0, of_blocks = of_threads + threads * static_cast<int>(sizeof(Candidate)),
                       candidate_rows = of_blocks + 2 * cluster_blocks * static_cast<int>(sizeof(Candidate)),
                       shared_bytes = candidate_rows + 2 * cluster_blocks * size * static_cast<int>(sizeof(T));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& arguments) {
    Choice<Context>(context, arguments).choose();
  }

 private:
  PIVOTLAB_DEVICE static Candidate better(const Candidate& x, const Candidate& y) {
    return y.norm > x.norm || (y.norm == x.norm && y.place < x.place) ? y : x;
  }

  template <class Context>
  class Choice {
   public:
    PIVOTLAB_DEVICE Choice(Context& context, const Arguments& arguments)
        : context_(context), S_(arguments.sketch), arguments_(arguments), rank_(context.cluster_rank()) {}

    PIVOTLAB_DEVICE void choose() {
      context_.cluster_sync();  // all blocks have begun, and have their shared memory
      int pivots[most_pivots];
      Candidate own = for_own_rows([](T*) {});
      for (int s = 0; s < arguments_.count; ++s) {
        exchange(best_of_block(own), s % 2);
        const auto candidates = blocks(s % 2, rank_);
        int from = 0;
        for (int b = 1; b < cluster_blocks; ++b)
          if (better(candidates[from], candidates[b]).place == candidates[b].place) from = b;
        pivots[s] = candidates[from].place;
        own = remove(from, pivots[s], s % 2);
      }
      if (rank_ == 0 && context_.thread() == 0) store(pivots);
    }

   private:
    PIVOTLAB_DEVICE auto blocks(int buffer, int of) {
      constexpr int bytes = cluster_blocks * static_cast<int>(sizeof(Candidate));
      return context_.template cluster_shared<Candidate>(of, of_blocks + buffer * bytes, cluster_blocks);
    }
    PIVOTLAB_DEVICE auto rows(int buffer, int of) {
      constexpr int count = cluster_blocks * size, bytes = count * static_cast<int>(sizeof(T));
      return context_.template cluster_shared<T>(of, candidate_rows + buffer * bytes, count);
    }

    /// Applies `change` to the rows of this thread that are no pivots; returns the best of them.
    template <class Change>
    PIVOTLAB_DEVICE Candidate for_own_rows(const Change& change) {
      constexpr Index stride = Index(cluster_blocks) * threads;
      Candidate best{-1, static_cast<int>(S_.rows)};
      int bit = 0;
      for (Index j = Index(rank_) * threads + context_.thread(); j < S_.rows; j += stride, ++bit) {
        if (chosen_ >> bit & 1) continue;
        T y[size];
#pragma unroll
        for (int c = 0; c < size; ++c) y[c] = at(S_, j, c);
        change(y);
        double most = 0, sum = 0;
#pragma unroll
        for (int c = 0; c < size; ++c) {
          at(S_, j, c) = y[c];
          most = larger_or_nan(most, larger_part(y[c]));
        }
        const double scale = most > 0 ? scale_to_one(most) : 1;
#pragma unroll
        for (int c = 0; c < size; ++c) sum += squared(times_real(y[c], scale));
        const double norm = std::sqrt(sum) / scale;
        best = better(best, {norm == norm ? norm : std::numeric_limits<double>::infinity(), static_cast<int>(j)});
      }
      return best;
    }

    PIVOTLAB_DEVICE static double squared(const T& x) {
      return real_part(multiply(conjugate(x), x));
    }

    PIVOTLAB_DEVICE Candidate best_of_block(const Candidate& own) {
      const auto all = context_.template shared<Candidate>(of_threads, threads);
      const int t = context_.thread();
      all[t] = own;
      for (int half = threads / 2; half > 0; half /= 2) {
        context_.sync();
        if (t < half) all[t] = better(all[t], all[t + half]);
      }
      context_.sync();
      return all[0];
    }

    /// Sends the candidate of this block, and its row, to all blocks.
    PIVOTLAB_DEVICE void exchange(const Candidate& candidate, int buffer) {
      const bool exists = candidate.place < S_.rows;
      for (int k = context_.thread(); k < cluster_blocks * size; k += threads)
        rows(buffer, k / size)[rank_ * size + k % size] = exists ? at(S_, candidate.place, k % size) : T(0);
      if (context_.thread() < cluster_blocks) blocks(buffer, context_.thread())[rank_] = candidate;
      context_.cluster_sync();
    }

    /// Removes the direction of the pivot, which block `from` has sent, from all rows that are no pivots.
    PIVOTLAB_DEVICE Candidate remove(int from, int pivot, int buffer) {
      if (from == rank_ && pivot % threads == context_.thread())
        chosen_ |= std::uint64_t(1) << (pivot / (cluster_blocks * threads));
      const auto sent = rows(buffer, rank_);
      double most = 0, sum = 0;
      for (int c = 0; c < size; ++c) most = larger_or_nan(most, larger_part(T(sent[from * size + c])));
      const double scale = most > 0 ? scale_to_one(most) : 1;
      for (int c = 0; c < size; ++c) sum += squared(times_real(T(sent[from * size + c]), scale));
      return for_own_rows([&](T* y) {
        if (!(sum > 0)) return;
        T product(0);
#pragma unroll
        for (int c = 0; c < size; ++c)
          product = multiply_add(conjugate(times_real(T(sent[from * size + c]), scale)), y[c], product);
        const T factor = negated(divided_by_real(product, sum));
#pragma unroll
        for (int c = 0; c < size; ++c) y[c] = multiply_add(times_real(T(sent[from * size + c]), scale), factor, y[c]);
      });
    }

    PIVOTLAB_DEVICE void store(const int* pivots) const {
      for (int s = 0; s < arguments_.count; ++s) {
        int place = pivots[s];  // where the swaps so far have moved it
        for (int t = 0; t < s; ++t)
          if (place == t) place = arguments_.swaps[t];
        arguments_.swaps[s] = place;
      }
    }

    Context& context_;
    MatrixView<T> S_;
    const Arguments& arguments_;
    int rank_;
    std::uint64_t chosen_ = 0;  ///< which of the rows of this thread are pivots
  };
};

}  // namespace pivotlab::tangent
