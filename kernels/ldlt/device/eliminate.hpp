// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting, second half of a stage: the pivot, its interchanges, C·P⁻¹, the diagonal.
//
// Grid: one thread per row; lanes of the warp of row k move and eliminate the interchanged rows. Every block determines
// the pivot redundantly. Interchanged rows have pending updates at their old positions; these are applied while the
// rows move, so nothing is pending for them at the new positions.
#pragma once

#include "kernels/ldlt/device/exchange.hpp"
#include "kernels/ldlt/device/pivot_block.hpp"
#include "kernels/ldlt/device/search.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"

namespace pivotlab::ldlt_device {

/// The best candidates on the diagonal and below it.
template <class T>
struct Largest {
  Candidate<T> diagonal, below;
};
template <class T>
PIVOTLAB_DEVICE inline Largest<T> better(const Largest<T>& x, const Largest<T>& y) {
  return {better(x.diagonal, y.diagonal), better(x.below, y.below)};
}

/// Computes the state and the largest diagonal element before the first stage.
template <class T>
struct Begin {
  struct Arguments {
    std::int64_t order;
    double tolerance;
    Generation<T> now;
    int pending = 0;  ///< at the first stage; with all slots, it writes the triangle
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 2;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Candidate<T>));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t i = std::int64_t(context.block()) * threads + context.thread();
    auto own = Candidate<T>::none();
    if (i < a.order) own = {ldlt_detail::modulus(a.now.diagonal[i]), i, a.now.diagonal[i]};
    const Candidate<T> of_block = best_of_block(context, own);
    if (context.thread() == 0) a.now.diagonal_largest[context.block()] = of_block;
    if (i == 0) *a.now.state = {.pending = a.pending, .tolerance = a.tolerance};
  }
};

template <class T, bool hermitian, int slots>
struct Eliminate {
  struct Arguments {
    Strips<T> A;
    Generation<T> from, to;
    const Candidate<T>* largest;  ///< [block of Search]
    int search_blocks;
    double alpha;
    FactorsView<T> factors;
    SteeringCopy copy = {};  ///< of A; null without steering
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 2;
  static constexpr int largest_bytes = threads * static_cast<int>(sizeof(Largest<T>));
  static constexpr int cross_entries = Exchange::rows * slots;
  static constexpr int shared_bytes = largest_bytes + 2 * cross_entries * static_cast<int>(sizeof(T));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const State state = *a.from.state;
    const bool first_thread = context.block() == 0 && context.thread() == 0;
    if (state.done != 0) {
      if (first_thread) *a.to.state = state;
      return;
    }
    const Largest<T> found = find(context, a);
    const double largest = found.below.size > found.diagonal.size ? found.below.size : found.diagonal.size;
    if (largest <= state.tolerance) {
      if (first_thread) *a.to.state = {state.k, state.stages, 0, 1, largest, state.tolerance, 0};
      return;
    }
    const Stage<Context> stage(context, a, state, found);
    Candidate<T> own = Candidate<T>::none();
    stage.work(std::int64_t(context.block()) * threads + context.thread(), own);
    const Candidate<T> of_block = best_of_block(context, own);
    if (context.thread() == 0) a.to.diagonal_largest[context.block()] = of_block;
    if (first_thread) stage.note(state, largest, found.below.size);
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static Largest<T> find(Context& context, const Arguments& a) {
    Largest<T> own{Candidate<T>::none(), Candidate<T>::none()};
    for (int b = context.thread(); b < a.search_blocks; b += threads) own.below = better(own.below, a.largest[b]);
    for (int b = context.thread(); b < context.blocks(); b += threads)
      own.diagonal = better(own.diagonal, a.from.diagonal_largest[b]);
    return best_of_block(context, own);
  }

  /// Pending elements of M and C* of one row.
  struct Entries {
    T m[slots], minus_w[slots];
  };

  /// The data of the stage that all threads share, and the work of one thread.
  template <class Context>
  class Stage {
   public:
    PIVOTLAB_DEVICE Stage(Context& context, const Arguments& a, const State& state, const Largest<T>& found)
        : context_(context),
          a_(a),
          k_(state.k),
          pending_(is_full(state.pending, slots) ? 0 : state.pending),
          single_(ldlt_detail::PivotRule<double>{Pivoting::complete, a.alpha}.decide(
                      {found.diagonal.size, found.below.size}) == ldlt_detail::PivotDecision::pivot_1x1),
          exchange_(k_, single_ ? 1 : 2, single_ ? found.diagonal.place : found.below.place >> 32,
                    found.below.place & 0xffffffff),
          pivot_{single_, single_ ? Block{found.diagonal.value, T(0), T(0)}
                                  : Block{a.from.diagonal[exchange_.row[Exchange::pivot]], found.below.value,
                                          a.from.diagonal[exchange_.row[Exchange::pivot + 1]]}},
          m_(context.template shared<T>(largest_bytes, cross_entries)),
          minus_w_(
              context.template shared<T>(largest_bytes + cross_entries * static_cast<int>(sizeof(T)), cross_entries)) {
      for (int e = context.thread(); e < cross_entries; e += threads) {
        const std::int64_t at = e % slots * a.from.stride + exchange_.row[e / slots];
        m_[e] = a.from.m[at];
        minus_w_[e] = a.from.minus_w[at];
      }
      context.sync();
    }

    PIVOTLAB_DEVICE void work(std::int64_t i, Candidate<T>& own) const {
      if (i / warp_size == k_ / warp_size) eliminate_moved(own);
      if (i < k_)
        exchange_multipliers(i);
      else if (i < a_.A.order && !exchange_.touches(i))
        eliminate_row(i, own);
    }

    PIVOTLAB_DEVICE void note(const State& state, double largest, double below) const {
      const int size = exchange_.size;
      a_.factors.diagonal[k_] = pivot_.block.a;
      if (!single_) {
        a_.factors.diagonal[k_ + 1] = pivot_.block.c;
        a_.factors.subdiagonal[k_] = pivot_.block.b;
      }
      a_.factors.stages[state.stages] = {
          k_, {exchange_.row[Exchange::pivot], exchange_.row[Exchange::pivot + 1]}, size, largest};
      State next{k_ + size, state.stages + 1, pending_ + size, k_ + size >= a_.A.order, 0, state.tolerance, below};
      if (pending_ > 0 && state.stored > below) next.stored = state.stored;
      *a_.to.state = next;
    }

   private:
    /// Interchanges rows of column i of M.
    PIVOTLAB_DEVICE void exchange_multipliers(std::int64_t i) const {
      if (exchange_.trivial()) return;
      T x[Exchange::rows];
#pragma unroll
      for (int e = 0; e < Exchange::rows; ++e) x[e] = a_.A.at(exchange_.row[e], i);
      a_.A.at(exchange_.row[Exchange::first], i) = x[Exchange::pivot];
      if (!single_) a_.A.at(exchange_.row[Exchange::second], i) = x[Exchange::pivot + 1];
#pragma unroll
      for (int e = 0; e < 2; ++e)
        if (e < exchange_.moved) {
          T moved = x[Exchange::first];
          if (exchange_.from[e] == Exchange::second) moved = x[Exchange::second];
          a_.A.at(exchange_.row[exchange_.to[e]], i) = moved;
        }
    }

    /// Eliminates a row that is not moved.
    PIVOTLAB_DEVICE void eliminate_row(std::int64_t i, Candidate<T>& own) const {
      Entries entries;
#pragma unroll
      for (int t = 0; t < slots; ++t) {
        entries.m[t] = a_.from.m[t * a_.from.stride + i];
        entries.minus_w[t] = a_.from.minus_w[t * a_.from.stride + i];
      }
      const T c1 = current(i, entries, Exchange::pivot);
      const T c2 = single_ ? T(0) : current(i, entries, Exchange::pivot + 1);
      T moved[2];
#pragma unroll
      for (int e = 0; e < 2; ++e)
        if (e < exchange_.moved) moved[e] = current(i, entries, exchange_.from[e]);
#pragma unroll
      for (int e = 0; e < 2; ++e)
        if (e < exchange_.moved) put(i, exchange_.row[exchange_.to[e]], moved[e]);
      finish_row(i, c1, c2, a_.from.diagonal[i], entries, own);
    }

    /// Moves and eliminates the rows from k and k + 1. Five lanes read the elements that move or are eliminated, all of
    /// them before any is written.
    PIVOTLAB_DEVICE void eliminate_moved(Candidate<T>& own) const {
      const int lane = context_.lane(), e = lane / 2;
      T x(0);
      if (e < exchange_.moved && (lane % 2 == 0 || !single_))
        x = current(exchange_.from[e], Exchange::pivot + lane % 2);
      else if (lane == 4 && exchange_.moved == 2)
        x = current(exchange_.from[0], exchange_.from[1]);
      const T other = of_next_lane(x);
      context_.sync_warp();
      if (lane == 0 && !single_) a_.A.at(k_ + 1, k_) = T(0);  // M has the identity in this block
      if (lane == 4 && exchange_.moved == 2) put(exchange_.row[exchange_.to[0]], exchange_.row[exchange_.to[1]], x);
      if (e >= exchange_.moved || lane % 2 != 0) return;
      Entries nothing;
#pragma unroll
      for (int t = 0; t < slots; ++t) nothing.m[t] = nothing.minus_w[t] = T(0);
      finish_row(exchange_.row[exchange_.to[e]], x, other, a_.from.diagonal[exchange_.row[exchange_.from[e]]], nothing,
                 own);
    }
    PIVOTLAB_DEVICE T of_next_lane(const T& x) const {
      const int next = (context_.lane() + 1) % warp_size;
      if constexpr (is_complex<T>) {
        const double re = context_.shuffle(x.real(), next);
        return T(re, context_.shuffle(x.imag(), next));
      } else {
        return context_.shuffle(x, next);
      }
    }

    /// Computes row i of C·P⁻¹, its pending elements and its diagonal element.
    PIVOTLAB_DEVICE void finish_row(std::int64_t i, const T& c1, const T& c2, T diagonal, const Entries& entries,
                                    Candidate<T>& own) const {
      const typename PivotBlock<T, hermitian>::Row row = pivot_.eliminate(c1, c2);
      a_.A.at(i, k_) = row.m[0];
      if (!single_) a_.A.at(i, k_ + 1) = row.m[1];
      diagonal = pivot_.reduced(diagonal, row);
      a_.to.diagonal[i] = diagonal;
      own = better(own, {ldlt_detail::modulus(diagonal), i, diagonal});
#pragma unroll
      for (int t = 0; t < slots; ++t) {
        const std::int64_t at = t * a_.to.stride + i;
        const int fresh = t - pending_;
        a_.to.m[at] = fresh < 0 ? entries.m[t] : fresh == 0 ? row.m[0] : fresh == 1 ? row.m[1] : T(0);
        a_.to.minus_w[at] = fresh < 0    ? entries.minus_w[t]
                            : fresh == 0 ? row.minus_w[0]
                            : fresh == 1 ? row.minus_w[1]
                                         : T(0);
      }
    }

    /// Returns element (i, row[e]) with its pending updates applied, i being another row.
    PIVOTLAB_DEVICE T current(std::int64_t i, const Entries& entries, int e) const {
      const std::int64_t j = exchange_.row[e];
      const bool below = i > j;
      T x = below ? a_.A.at(i, j) : a_.A.at(j, i);
#pragma unroll
      for (int t = 0; t < slots; ++t)
        if (t < pending_)
          x = below ? ldlt_detail::multiply_add(entries.m[t], T(minus_w_[e * slots + t]), x)
                    : ldlt_detail::multiply_add(T(m_[e * slots + t]), entries.minus_w[t], x);
      return below ? x : ldlt_detail::across<hermitian>(x);
    }
    /// Returns element (row[e], row[f]) with its pending updates applied.
    PIVOTLAB_DEVICE T current(int e, int f) const {
      const bool below = exchange_.row[e] > exchange_.row[f];
      const int high = below ? e : f, low = below ? f : e;
      T x = a_.A.at(exchange_.row[high], exchange_.row[low]);
      for (int t = 0; t < pending_; ++t)
        x = ldlt_detail::multiply_add(T(m_[high * slots + t]), T(minus_w_[low * slots + t]), x);
      return below ? x : ldlt_detail::across<hermitian>(x);
    }
    PIVOTLAB_DEVICE void put(std::int64_t i, std::int64_t j, const T& x) const {
      if (i > j)
        put_below(i, j, x);
      else
        put_below(j, i, ldlt_detail::across<hermitian>(x));
    }
    PIVOTLAB_DEVICE void put_below(std::int64_t i, std::int64_t j, const T& x) const {
      a_.A.at(i, j) = x;
      if constexpr (std::is_same_v<T, double>)
        if (a_.copy.elements != nullptr) a_.copy.put(i, j, x);
    }

    using Block = ldlt_detail::Block<T>;
    using Shared = decltype(std::declval<Context&>().template shared<T>(0, 0));

    Context& context_;
    const Arguments& a_;
    std::int64_t k_;
    int pending_;
    bool single_;
    Exchange exchange_;
    PivotBlock<T, hermitian> pivot_;
    Shared m_, minus_w_;
  };
};

}  // namespace pivotlab::ldlt_device
