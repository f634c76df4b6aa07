// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting: a step of the search.
//
// The previous step has updated and searched a column. Every block makes the pivot decision redundantly (Algorithms 3,
// 4): either it adds the column or columns of M of a pivot to its rows of the panel, or another column must be
// searched. Then it updates its rows of the next column and finds the largest element:
//
//   x = A(:, c) − M·(C*)(:, c)   with all columns of the panel so far.
//
// Grid: one block per strip of 64 rows. Four threads share a row, each with a quarter of the panel's columns.
#pragma once

#include "kernels/ldlt/device/panel.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct PanelStep {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;
    SearchedColumns<T> searched;
    std::int32_t* place;  ///< [row]; read and written by the row's block only
    PanelGeneration from, to;
    const Found* found;    ///< [strip], of the last step
    Found* next_found;     ///< [strip], of this step
    const Found* largest;  ///< [block of UpdateTrailing], of the triangle
    int update_blocks;
    ldlt_detail::PivotRule<double> rule;
    FactorsView<T> factors;
  };
  static constexpr int columns = PanelColumns<T>::count;
  static constexpr int quarters = 4;
  static constexpr int threads = strip_rows * quarters;
  static constexpr int min_blocks = is_complex<T> ? 2 : 3;
  static constexpr int w_at = threads * static_cast<int>(sizeof(Found));
  static constexpr int sums_at = w_at + columns * static_cast<int>(sizeof(T));
  static constexpr int shared_bytes = sums_at + threads * static_cast<int>(sizeof(T));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Progress now = *a.from.progress;
    const std::int64_t strip = now.begin / strip_rows + context.block();
    if (now.phase == Phase::full || now.phase == Phase::done) {
      if (context.block() == 0) hand_on(context, a, now);
      return;
    }
    if (strip < a.A.strips()) Step<Context>(context, a, now, strip).run();
  }

 private:
  using PivotDecision = ldlt_detail::PivotDecision;

  template <class Context>
  PIVOTLAB_DEVICE static void hand_on(Context& context, const Arguments& a, const Progress& now) {
    if (context.thread() == 0) *a.to.progress = now;
    if (context.thread() < columns) a.to.front[context.thread()] = a.from.front[context.thread()];
  }

  /// The pivot, if one was found.
  struct Pivot {
    int size;           ///< 0: continue the search
    Row first, second;  ///< not an array, because indices unknown at compile time would cost registers
    int first_slot, second_slot;
    ldlt_detail::Block<T> block;
  };

  template <class Context>
  class Step {
   public:
    PIVOTLAB_DEVICE Step(Context& context, const Arguments& a, const Progress& now, std::int64_t strip)
        : context_(context),
          a_(a),
          now_(now),
          strip_(strip),
          row_(strip * strip_rows + context.thread() % strip_rows),
          quarter_(context.thread() / strip_rows),
          place_(now.phase == Phase::begin || row_ >= a.A.order ? static_cast<std::int32_t>(row_) : a.place[row_]) {
#pragma unroll
      for (int u = 0; u < of_quarter; ++u) m_[u] = column(u) < now.columns() ? a.panel.m.get(column(u), row_) : T(0);
    }

    PIVOTLAB_DEVICE void run() {
      const Found found = gather();
      const Pivot pivot = choose(found);
      const PlaceInterchanges interchanges(now_.k, pivot.size, pivot.first, pivot.second);
      Progress next = advance(found, pivot, interchanges);
      if (context_.block() == 0) note(next, pivot, interchanges);
      if (pivot.size > 0) eliminate(pivot);
      if (quarter_ == 0 && row_ < a_.A.order && (pivot.size > 0 || now_.phase == Phase::begin))
        a_.place[row_] = place_ = pivot.size > 0 ? interchanges.forward(place_) : place_;
      if (next.phase != Phase::full) search(next, pivot);
    }

   private:
    static constexpr int of_quarter = columns / quarters;
    PIVOTLAB_DEVICE int column(int u) const {
      return quarters * u + quarter_;
    }
    PIVOTLAB_DEVICE bool is_active(std::int64_t k) const {
      return row_ >= now_.begin && row_ < a_.A.order && place_ >= k;
    }

    /// Returns the largest element of the latest column; before the first column, that of the triangle.
    PIVOTLAB_DEVICE Found gather() {
      const bool begins = now_.phase == Phase::begin;
      const Found* all = begins ? a_.largest : a_.found;
      const std::int64_t first = begins ? 0 : now_.begin / strip_rows, end = begins ? a_.update_blocks : a_.A.strips();
      Found own = Found::none();
      for (std::int64_t i = first + context_.thread(); i < end; i += threads) own = better(own, all[i]);
      return best_of_block(context_, own);
    }

    PIVOTLAB_DEVICE Pivot choose(const Found& found) const {
      Pivot pivot{0, now_.latest, now_.latest, now_.slot, now_.slot, {T(0), T(0), T(0)}};
      if (now_.phase == Phase::begin) return pivot;
      const int before = a_.searched.before(now_.slot);
      const T latest = a_.searched.at(now_.slot, now_.latest.row);
      T previous = latest, between(0);
      if (now_.phase == Phase::further) {
        previous = a_.searched.at(before, now_.previous.row);
        between = a_.searched.at(before, now_.latest.row);
      }
      const ldlt_detail::ColumnModuli<double> moduli{ldlt_detail::modulus(latest), found.size};
      const PivotDecision decision = now_.phase == Phase::first
                                         ? a_.rule.decide(moduli)
                                         : a_.rule.decide({ldlt_detail::modulus(previous), now_.previous_size}, moduli);
      if (decision == PivotDecision::continue_search) return pivot;
      pivot.size = decision == PivotDecision::pivot_2x2 ? 2 : 1;
      pivot.block = {latest, between, latest};
      if (decision != PivotDecision::pivot_1x1) {
        pivot.first = now_.previous;
        pivot.first_slot = before;
        pivot.block.a = previous;
      }
      return pivot;
    }

    /// Returns the state in which the next step starts.
    PIVOTLAB_DEVICE Progress advance(const Found& found, const Pivot& pivot,
                                     const PlaceInterchanges& interchanges) const {
      Progress next = now_;
      next.slot = a_.searched.next(now_.slot);
      if (now_.phase == Phase::begin) {
        next.phase = Phase::first;
        next.largest = found.size;
        next.latest = {static_cast<std::int32_t>(now_.k), static_cast<std::int32_t>(now_.k)};
      } else if (pivot.size == 0) {
        next.phase = Phase::further;
        next.previous = now_.latest;
        next.previous_size = found.size;
        next.latest = found.at;
      } else {
        next.k += pivot.size;
        next.stages += 1;
        next.phase = next.k == a_.A.order || next.columns() + 2 > columns ? Phase::full : Phase::first;
        if (next.phase == Phase::first)
          next.latest = {row_in(static_cast<std::int32_t>(next.k), pivot, interchanges),
                         static_cast<std::int32_t>(next.k)};
      }
      return next;
    }

    /// Returns the row that the interchanges move to a place in the panel.
    PIVOTLAB_DEVICE std::int32_t row_in(std::int32_t place, const Pivot& pivot,
                                        const PlaceInterchanges& interchanges) const {
      if (pivot.size == 0) return a_.from.front[place - now_.begin];
      const std::int32_t source = interchanges.backward(place);
      if (source == pivot.first.place) return pivot.first.row;
      if (pivot.size == 2 && source == pivot.second.place) return pivot.second.row;
      return a_.from.front[source - now_.begin];
    }

    PIVOTLAB_DEVICE void note(const Progress& next, const Pivot& pivot, const PlaceInterchanges& interchanges) const {
      const int t = context_.thread();
      if (t < columns) a_.to.front[t] = row_in(static_cast<std::int32_t>(now_.begin + t), pivot, interchanges);
      if (t > 0) return;
      *a_.to.progress = next;
      if (pivot.size == 0) return;
      a_.factors.diagonal[now_.k] = pivot.block.a;
      if (pivot.size == 2) {
        a_.factors.subdiagonal[now_.k] = pivot.block.b;
        a_.factors.diagonal[now_.k + 1] = pivot.block.c;
      }
      a_.factors.stages[now_.stages] = {
          now_.k, {interchanges.first_partner(), interchanges.second_partner()}, pivot.size, now_.largest};
    }

    /// Computes this row of C·P⁻¹ and −C*; each new column is computed by one of the quarters.
    PIVOTLAB_DEVICE void eliminate(const Pivot& pivot) {
      const int t = now_.columns();
      const bool first = t % quarters == quarter_, second = pivot.size == 2 && (t + 1) % quarters == quarter_;
      if (!first && !second) return;
      T m(0), minus_w(0);
      if (is_active(now_.k) && row_ != pivot.first.row && (pivot.size == 1 || row_ != pivot.second.row)) {
        minus_w = new_minus_w(first ? pivot.first_slot : pivot.second_slot, row_);
        m = multiplier(pivot, first);
      }
      const int own = first ? t : t + 1;
      a_.panel.m.put(own, row_, m);
      a_.panel.minus_w.put(own, row_, minus_w);
#pragma unroll
      for (int u = 0; u < of_quarter; ++u)
        if (column(u) == own) m_[u] = m;
    }
    PIVOTLAB_DEVICE T new_minus_w(int slot, std::int64_t row) const {
      return ldlt_detail::negated(ldlt_detail::across<hermitian>(a_.searched.at(slot, row)));
    }
    PIVOTLAB_DEVICE T multiplier(const Pivot& pivot, bool first) const {
      using namespace ldlt_detail;
      const T c = a_.searched.at(pivot.first_slot, row_);
      if (pivot.size == 1)  // a zero pivot has a zero column
        return pivot.block.a == T(0) ? T(0) : divided_by_pivot<hermitian>(c, pivot.block.a);
      const auto row = BlockInverse<T, hermitian>(pivot.block).apply_to_row(c, a_.searched.at(pivot.second_slot, row_));
      return first ? row.first : row.second;
    }

    PIVOTLAB_DEVICE void search(const Progress& next, const Pivot& pivot) {
      const std::int64_t c = next.latest.row;
      T x(0);
      if (quarter_ == 0 && is_active(next.k)) x = stored(c);
      share_w(c, pivot);
      x = ldlt_detail::sum(x, product());

      Found own = Found::none();
      if (quarter_ == 0) {
        if (!is_active(next.k)) x = T(0);
        // Both columns contain this element, computed with different roundings; the earlier value is used.
        if (next.phase == Phase::further && row_ == next.previous.row)
          x = ldlt_detail::across<hermitian>(a_.searched.at(now_.slot, c));
        if (row_ == c) x = ldlt_detail::on_diagonal<hermitian>(x);
        a_.searched.at(next.slot, row_) = x;
        if (is_active(next.k) && row_ != c) own = {ldlt_detail::modulus(x), {static_cast<std::int32_t>(row_), place_}};
      }
      const Found of_strip = best_of_block(context_, own);
      if (context_.thread() == 0) a_.next_found[strip_] = of_strip;
    }

    /// Returns element (row, c) of the triangle.
    PIVOTLAB_DEVICE T stored(std::int64_t c) const {
      return row_ >= c ? a_.A.at(row_, c) : ldlt_detail::across<hermitian>(a_.A.at(c, row_));
    }

    /// Stores −C* of column c, for all columns of the panel, in shared memory.
    PIVOTLAB_DEVICE void share_w(std::int64_t c, const Pivot& pivot) {
      const auto w = context_.template shared<T>(w_at, columns);
      const int t = context_.thread(), known = now_.columns();
      if (t < columns)
        w[t] = t < known                ? a_.panel.minus_w.get(t, c)
               : t < known + pivot.size ? new_minus_w(t == known ? pivot.first_slot : pivot.second_slot, c)
                                        : T(0);
      context_.sync();
    }

    /// Returns M·(−C*) of this row and the next column; the sum is complete in the first quarter.
    PIVOTLAB_DEVICE T product() {
      const auto w = context_.template shared<T>(w_at, columns);
      const auto sums = context_.template shared<T>(sums_at, threads);
      T own(0);
#pragma unroll
      for (int u = 0; u < of_quarter; ++u) own = ldlt_detail::multiply_add(m_[u], T(w[column(u)]), own);
      sums[context_.thread()] = own;
      context_.sync();
      T sum(0);
      if (quarter_ == 0)
        for (int q = 0; q < quarters; ++q) sum = ldlt_detail::sum(sum, T(sums[q * strip_rows + context_.thread()]));
      return sum;
    }

    Context& context_;
    const Arguments& a_;
    const Progress& now_;
    std::int64_t strip_, row_;
    int quarter_;
    std::int32_t place_;
    T m_[of_quarter];  ///< this row of M in the quarter's columns
  };
};

}  // namespace pivotlab::ldlt_device
