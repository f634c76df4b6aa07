// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting of a triangle that fits in the shared memory of all multiprocessors: all stages in one kernel.
//
// The triangle is spread over a resident grid of P × Q blocks: element (i, j), i > j, belongs to block (i mod P, j mod
// Q), so that each of them has work until the end; element i of the diagonal belongs to all blocks with row i. A stage
// has two exchanges by messages. Each block tells all others its largest elements, and all make the same decision. Then
// the owners of the rows of the pivot, and of those that move, tell their elements, from which each block makes M and
// C* of its own rows and columns; it updates its elements at once, and searches them on the way. So an element has the
// FMAs of Search and Eliminate in the same order.
//
// Messages of candidates take the place of those of two stages before: a block sends them when it has received the last
// stage's from all blocks, which had read those before. Messages of rows take the place of the last stage's.
//
// Rows and columns are counted from the first one of the triangle.
#pragma once

#include "kernels/ldlt/device/exchange.hpp"
#include "kernels/ldlt/device/pivot_block.hpp"
#include "kernels/ldlt/device/resident_triangle.hpp"
#include "kernels/ldlt/device/warp_best.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"
#include "kernels/numerics/messages.hpp"

#include <bit>

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct EliminateResident {
  struct Arguments {
    Strips<T> A;
    Generation<T> now;  ///< its state becomes that of the end
    ResidentGrid<T> grid;
    double alpha;
    FactorsView<T> factors;
    NumberedDouble* mail;  ///< grid.mail_words(), zeros
    int* gave_up;          ///< is set if a block has waited for too long
  };
  static constexpr int threads = ResidentGrid<T>::threads, min_blocks = 1, warps = threads / warp_size;
  static constexpr bool resident = true;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    Part<Context>(context, a).run();
  }

 private:
  static constexpr int parts = ResidentGrid<T>::parts, words = ResidentGrid<T>::words_of_candidate;
  static constexpr int rows = Exchange::rows, warps_of_row = warps / rows;

  /// The largest elements of a block, or of all.
  struct Found {
    Candidate<T> below, diagonal;

    PIVOTLAB_DEVICE double largest() const { return below.size > diagonal.size ? below.size : diagonal.size; }
  };

  /// The pivot of a stage, and the rows that move.
  struct Stage {
    int size, moved;
    int pivot[2];  ///< the rows that become k and k + 1
    int to[2];     ///< rows that get another one,
    int from[2];   ///< which is k + from
    PivotBlock<T, hermitian> block;

    /// Returns the former place of row i.
    PIVOTLAB_DEVICE int source(int i, int k) const {
      if (moved > 0 && i == to[0]) return k + from[0];
      return moved > 1 && i == to[1] ? k + from[1] : i;
    }
    /// Returns whether blocks need k, k + 1 or a pivot, the place being that of an Exchange.
    PIVOTLAB_DEVICE bool needs(int place) const {
      if (place >= Exchange::pivot) return place < Exchange::pivot + size;
      return (moved > 0 && from[0] == place) || (moved > 1 && from[1] == place);
    }
  };

  /// Does the work of a block.
  template <class Context>
  class Part {
   public:
    PIVOTLAB_DEVICE Part(Context& context, const Arguments& a)
        : context_(context),
          a_(a),
          state_(*a.now.state),
          first_(state_.k),
          order_(a.grid.order),
          own_(context, a.grid) {}

    PIVOTLAB_DEVICE void run() {
      own_.load(a_.A, a_.now, state_);
#pragma unroll 1
      for (int a = context_.thread(); a < own_.row_count; a += threads) consider_diagonal(a);
      below_ = own_.update(0, 1);
      double remainder = 0;
#pragma unroll 1
      for (number_ = 1; k_ < order_; ++number_) {
        send_found();
        Found found;
        if (!receive_found(found)) return;
        if (found.largest() <= state_.tolerance) {
          remainder = found.largest();
          break;
        }
        Stage stage = decide(found);
        send_rows(stage);
        context_.sync();
        if (!receive_rows(stage)) return;
        if (is_first()) note(stage, found.largest());
        k_ += stage.size;
        below_ = own_.update(k_, stage.size);
      }
      own_.store(a_.A, first_);
      if (is_first()) *a_.now.state = {first_ + k_, state_.stages + number_ - 1, 0, 1, remainder, state_.tolerance, 0};
    }

   private:
    PIVOTLAB_DEVICE bool is_first() const {
      return context_.block() == 0 && context_.thread() == 0;
    }

    PIVOTLAB_DEVICE auto candidates() const {
      return context_.template shared<Candidate<T>>(a_.grid.of_candidates, 2 * warps);
    }

    /// Stores the best candidate of the lanes of a warp; equal ones, which are none, are stored alike.
    PIVOTLAB_DEVICE void keep_best(const Candidate<T>& own, int place) const {
      if (is_best(own)) candidates()[place] = own;
    }
    PIVOTLAB_DEVICE bool is_best(const Candidate<T>& own) const {
      // A column and a row take less than half of the bits; the least place has the largest complement.
      const auto place = static_cast<unsigned>(own.place >> 32) << 16 | static_cast<unsigned>(own.place & 0xffff);
      return is_best_of_warp(context_, own.size, ~place);
    }

    PIVOTLAB_DEVICE NumberedDouble* box_below(int block) const {
      return a_.mail + (number_ % 2 * a_.grid.blocks() + block) * words;
    }
    PIVOTLAB_DEVICE NumberedDouble* box_diagonal(int row) const {
      return a_.mail + (2 * a_.grid.blocks() + number_ % 2 * a_.grid.rows + row) * words;
    }
    /// Returns the box of element i of a row, of which `place` is the place in an Exchange.
    PIVOTLAB_DEVICE NumberedDouble* box_of_row(int place, int i) const {
      return a_.mail + 2 * (a_.grid.blocks() + a_.grid.rows) * words + (place * order_ + i) * parts;
    }

    PIVOTLAB_DEVICE void send_candidate(NumberedDouble* box, const Candidate<T>& x) const {
      context_.send(box, std::bit_cast<double>(x.place), number_);
      send(context_, box + 1, x.value, number_);
      if constexpr (is_complex<T>) context_.send(box + 3, x.size, number_);
    }
    PIVOTLAB_DEVICE bool receive_candidate(const NumberedDouble* box, Candidate<T>& x) const {
      double place = 0;
      bool has_come = context_.receive(box, number_, place);
      has_come &= receive(context_, box + 1, number_, x.value);
      if constexpr (is_complex<T>)
        has_come &= context_.receive(box + 3, number_, x.size);
      else
        x.size = absolute(x.value);
      x.place = std::bit_cast<std::int64_t>(place);
      return has_come;
    }

    PIVOTLAB_DEVICE void send_found() {
      const int w = context_.warp();
      keep_best(below_, w);
      keep_best(diagonal_, warps + w);
      context_.sync();
      if (w >= 2) return;
      const Candidate<T> own = candidates()[w * warps + context_.lane() % warps];
      if (!is_best(own)) return;
      if (w == 0) send_candidate(box_below(context_.block()), own);
      if (w == 1 && own_.columns.own() == 0) send_candidate(box_diagonal(own_.rows.own()), own);
    }

    /// Receives all candidates: a thread that of a block below the diagonal, or on it that of the blocks of a row.
    PIVOTLAB_DEVICE bool receive_found(Found& found) const {
      const int blocks = a_.grid.blocks(), t = context_.thread();
      const int below_warps = (blocks + warp_size - 1) / warp_size, of_diagonal = t - below_warps * warp_size;
      Candidate<T> own = Candidate<T>::none();
      const auto ready = [&] {
        if (t < blocks) return receive_candidate(box_below(t), own);
        return of_diagonal < 0 || of_diagonal >= a_.grid.rows || receive_candidate(box_diagonal(of_diagonal), own);
      };
      if (!context_.wait_until(ready, a_.gave_up)) return false;
      if (context_.warp() <= below_warps) keep_best(own, context_.warp());
      context_.sync();
      const auto all = candidates();
      const int lane = context_.lane();
      const bool is_best_lane = is_best(lane < below_warps ? Candidate<T>(all[lane]) : Candidate<T>::none());
      found = {all[context_.warp_max(is_best_lane && lane < below_warps ? lane : 0)], all[below_warps]};
      return true;
    }

    PIVOTLAB_DEVICE Stage decide(const Found& found) const {
      const bool single = ldlt_detail::PivotRule<double>{Pivoting::complete, a_.alpha}.decide(
                              {found.diagonal.size, found.below.size}) == ldlt_detail::PivotDecision::pivot_1x1;
      const Exchange exchange(k_, single ? 1 : 2, single ? found.diagonal.place : found.below.place >> 32,
                              found.below.place & 0xffffffff);
      Stage stage{exchange.size, exchange.moved, {}, {}, {}, {single, {found.diagonal.value, T(0), T(0)}}};
      if (!single) stage.block.block.b = found.below.value;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        stage.pivot[e] = static_cast<int>(exchange.row[Exchange::pivot + e]);
        stage.to[e] = exchange.to[e] == Exchange::pivot ? static_cast<int>(exchange.row[Exchange::pivot])
                                                        : static_cast<int>(exchange.row[Exchange::pivot + 1]);
        stage.from[e] = exchange.from[e];
      }
      return stage;
    }

    /// Sends the block's elements of the pivots' rows, and of those that move: a quarter of the warps those of a row.
    PIVOTLAB_DEVICE void send_rows(const Stage& stage) const {
      const int place = context_.warp() / warps_of_row, t = context_.thread() % (warps_of_row * warp_size);
      if (!stage.needs(place)) return;
      const int row = place < Exchange::pivot ? k_ + place : place == Exchange::pivot ? stage.pivot[0] : stage.pivot[1];
      const bool has_row = own_.rows.has(row), has_column = own_.columns.has(row);
      if (has_column) {
        const int b = own_.columns.from(row);
#pragma unroll 1
        for (int a = own_.first_below(b) + t; a < own_.row_count; a += threads / rows)
          send(context_, box_of_row(place, own_.rows.at(a)), T(own_.at(a, b)), number_);
      }
      if (!has_row) return;
      const int a = own_.rows.from(row), end = own_.columns.from(row);
#pragma unroll 1
      for (int b = t; b < end; b += threads / rows) {
        const int j = own_.columns.at(b);
        const T x = own_.at(a, b);
        send(context_, box_of_row(place, j), j < k_ ? x : ldlt_detail::across<hermitian>(x), number_);
      }
      if (has_column && t == 0) send(context_, box_of_row(place, row), T(own_.diagonal(a)), number_);
    }

    /// Receives what the block's rows and columns need, makes M and C*, and moves rows.
    PIVOTLAB_DEVICE bool receive_rows(Stage& stage) {
      const int first_row = own_.rows.from(k_ + stage.size), items = own_.row_count - first_row + own_.column_count;
      int item = context_.thread();
      diagonal_ = Candidate<T>::none();
      const auto ready = [&] {
#pragma unroll 1
        for (; item < items; item += threads) {
          const int a = first_row + item;
          if (!(a < own_.row_count ? take_row(stage, a) : take_column(stage, a - own_.row_count))) return false;
        }
        return !is_first() || receive_pivot(stage, stage.block);
      };
      if (context_.thread() == 0) {
        own_.clear_bound();
        if (stage.size == 2 && own_.rows.has(k_ + 1) && own_.columns.has(k_))
          own_.at(own_.rows.from(k_ + 1), own_.columns.from(k_)) = T(0);  // M has the identity in this block
        for (int t = 0; t < stage.size; ++t)
          if (own_.columns.has(k_ + t)) own_.finish(own_.columns.from(k_ + t));
      }
      return context_.wait_until(ready, a_.gave_up);
    }

    PIVOTLAB_DEVICE bool receive_of_row(int place, int i, T& x) const {
      return receive(context_, box_of_row(place, i), number_, x);
    }
    /// Receives the diagonal of a 2×2 pivot.
    PIVOTLAB_DEVICE bool receive_pivot(const Stage& stage, PivotBlock<T, hermitian>& pivot) const {
      if (stage.size == 1) return true;
      const bool has_first = receive_of_row(Exchange::pivot, stage.pivot[0], pivot.block.a);
      return receive_of_row(Exchange::pivot + 1, stage.pivot[1], pivot.block.c) && has_first;
    }

    PIVOTLAB_DEVICE bool take_row(const Stage& stage, int a) {
      const int i = own_.rows.at(a), source = stage.source(i, k_);
      T c[2] = {T(0), T(0)}, moved[2] = {T(0), T(0)};
      bool takes[2];
      auto pivot = stage.block;
      bool all = receive_pivot(stage, pivot);
#pragma unroll
      for (int t = 0; t < 2; ++t)
        if (t < stage.size) all &= receive_of_row(Exchange::pivot + t, source, c[t]);
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        takes[e] = e < stage.moved && (i == stage.to[e] || (i > stage.to[e] && own_.columns.has(stage.to[e])));
        if (takes[e]) all &= receive_of_row(stage.from[e], source, moved[e]);
      }
      if (!all) return false;

      const typename PivotBlock<T, hermitian>::Row row = pivot.eliminate(c[0], c[1]);
      T x = own_.diagonal(a);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        own_.multiplier(a, t) = row.m[t];
        if (t < stage.size && own_.columns.has(k_ + t)) own_.at(a, own_.columns.from(k_ + t)) = row.m[t];
        if (!takes[t]) continue;
        if (i == stage.to[t])
          x = moved[t];
        else
          own_.at(a, own_.columns.from(stage.to[t])) = moved[t];
      }
      own_.diagonal(a) = pivot.reduced(x, row);
      consider_diagonal(a);
      return true;
    }
    PIVOTLAB_DEVICE void consider_diagonal(int a) {
      const T x = own_.diagonal(a);
      diagonal_ = better(diagonal_, {ldlt_detail::modulus(x), own_.rows.at(a), x});
    }

    PIVOTLAB_DEVICE bool take_column(const Stage& stage, int b) const {
      using ldlt_detail::across;
      const int j = own_.columns.at(b);
      const bool is_eliminated = j < k_;
      if (!is_eliminated && j < k_ + stage.size) return true;
      const int source = is_eliminated ? j : stage.source(j, k_);
      T c[2] = {T(0), T(0)}, moved[2] = {T(0), T(0)};
      bool needs[2], takes[2], all = true;
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        needs[t] = t < stage.size && (!is_eliminated || (stage.pivot[t] != k_ + t && own_.rows.has(k_ + t)));
        if (needs[t]) all &= receive_of_row(Exchange::pivot + t, source, c[t]);
        takes[t] = t < stage.moved && (is_eliminated || j < stage.to[t]) && own_.rows.has(stage.to[t]);
        if (takes[t]) all &= receive_of_row(stage.from[t], source, moved[t]);
      }
      if (!all) return false;
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        if (needs[t] && is_eliminated) own_.at(own_.rows.from(k_ + t), b) = c[t];
        if (!is_eliminated) own_.minus_w(b, t) = ldlt_detail::negated(across<hermitian>(c[t]));
        if (takes[t]) own_.at(own_.rows.from(stage.to[t]), b) = is_eliminated ? moved[t] : across<hermitian>(moved[t]);
      }
      return true;
    }

    PIVOTLAB_DEVICE void note(const Stage& stage, double largest) const {
      const auto& pivot = stage.block.block;
      const std::int64_t k = first_ + k_;
      a_.factors.diagonal[k] = pivot.a;
      if (stage.size == 2) {
        a_.factors.diagonal[k + 1] = pivot.c;
        a_.factors.subdiagonal[k] = pivot.b;
      }
      a_.factors.stages[state_.stages + number_ - 1] = {
          k, {first_ + stage.pivot[0], first_ + stage.pivot[1]}, stage.size, largest};
    }

    Context& context_;
    const Arguments& a_;
    State state_;         ///< in the beginning
    std::int64_t first_;  ///< row of the triangle in A
    int order_, k_ = 0;
    ResidentTriangle<Context, T> own_;
    unsigned number_ = 0;  ///< of the messages of a stage
    Candidate<T> below_ = Candidate<T>::none(), diagonal_ = Candidate<T>::none();
  };
};

}  // namespace pivotlab::ldlt_device
