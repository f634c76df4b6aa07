// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting: all interchanges of a panel at once.
//
// Let k₁ be the end of the panel. A place ≥ k₁ whose row was taken as a pivot is a hole; a row that began at one of the
// panel's places fills it. So the rows and columns that move within the triangle come from columns of the panel and go
// to holes, and no element is both read and written.
#pragma once

#include "kernels/ldlt/device/panel.hpp"

namespace pivotlab::ldlt_device {

/// Grid: one block per strip. In the reduced matrix the block moves the strip's rows of the triangle and of the panel;
/// left of the panel it moves as many columns of M.
template <class T, bool hermitian, int chunks>
struct ExchangePanel {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;
    Panel<T> exchanged;  ///< [new place]; other columns than the panel's become zero
    const std::int32_t* place;
    PanelGeneration now;
  };
  static constexpr int columns = chunks * PanelColumns<T>::count;
  static constexpr int quarters = 4;
  static constexpr int threads = strip_rows * quarters;
  static constexpr int min_blocks = 3;
  static constexpr int shared_bytes = 2 * columns * 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Progress now = *a.now.progress;
    if (now.phase != Phase::full) return;
    const Moves<Context> moves(context, a, now);
    const std::int64_t first = std::int64_t(context.block()) * strip_rows;
    if (first < now.begin) exchange_rows_of_m(context, a, now, moves, first);
    if (first + strip_rows > now.begin) {
      const std::int64_t place = first + context.thread() % strip_rows;
      gather_panel(context, a, now, moves, place);
      if (place >= now.k && place < a.A.order) fill_holes(context, a, now, moves, place);
    }
  }

 private:
  template <class Context>
  class Moves {
   public:
    PIVOTLAB_DEVICE Moves(Context& context, const Arguments& a, const Progress& now)
        : begin_(now.begin),
          count_(now.columns()),
          hole_(context.template shared<std::int32_t>(0, columns)),
          front_(context.template shared<std::int32_t>(4 * columns, columns)) {
      const int s = context.thread();
      if (s < count_) {
        const std::int32_t place = a.place[begin_ + s];
        hole_[s] = place >= now.k ? place : -1;
        front_[s] = a.now.front[s];
      }
      context.sync();
    }
    PIVOTLAB_DEVICE int count() const { return count_; }
    /// Returns the place beyond the panel to which the row at begin + s goes, or −1.
    PIVOTLAB_DEVICE std::int32_t hole(int s) const { return hole_[s]; }
    /// Returns the row that moves to place s of the panel.
    PIVOTLAB_DEVICE std::int32_t front(int s) const { return front_[s]; }
    /// Returns the row that moves to a place ≥ begin.
    PIVOTLAB_DEVICE std::int64_t row_in(std::int64_t place) const {
      if (place < begin_ + count_) return front_[place - begin_];
      for (int s = 0; s < count_; ++s)
        if (hole_[s] == place) return begin_ + s;
      return place;
    }

   private:
    using Shared = decltype(std::declval<Context&>().template shared<std::int32_t>(0, 0));

    std::int64_t begin_;
    int count_;
    Shared hole_, front_;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void gather_panel(Context& context, const Arguments& a, const Progress& now,
                                           const Moves<Context>& moves, std::int64_t place) {
    const std::int64_t row = place >= now.begin && place < a.A.order ? moves.row_in(place) : place;
    for (int t = context.thread() / strip_rows; t < columns; t += quarters) {
      const bool exists = t < moves.count() && place >= now.begin;
      a.exchanged.m.put(t, place, exists ? a.panel.m.get(t, row) : T(0));
      a.exchanged.minus_w.put(t, place, exists ? a.panel.minus_w.get(t, row) : T(0));
    }
  }

  /// Writes row and column `hole` of the new triangle, at the elements of one other column and row.
  template <class Context>
  PIVOTLAB_DEVICE static void fill_holes(Context& context, const Arguments& a, const Progress& now,
                                         const Moves<Context>& moves, std::int64_t place) {
    using ldlt_detail::across;
    const std::int64_t row = moves.row_in(place);
    for (int s = context.thread() / strip_rows; s < moves.count(); s += quarters) {
      const std::int64_t hole = moves.hole(s), from = now.begin + s;
      if (hole < 0 || (row < now.k && place < hole)) continue;  // for two holes, the threads of the later one write
      const T x = row >= from ? a.A.at(row, from) : across<hermitian>(a.A.at(from, row));
      if (place >= hole)
        a.A.at(place, hole) = x;
      else
        a.A.at(hole, place) = across<hermitian>(x);
    }
  }

  /// Moves columns first … first + 63 of M.
  template <class Context>
  PIVOTLAB_DEVICE static void exchange_rows_of_m(Context& context, const Arguments& a, const Progress& now,
                                                 const Moves<Context>& moves, std::int64_t first) {
    constexpr int at_once = threads / columns;
    const int s = context.thread() % columns;
    for (int c = 0; c < strip_rows; c += at_once) {
      const std::int64_t column = first + c + context.thread() / columns;
      const bool works = s < moves.count() && column < now.begin;
      T to_front(0), to_hole(0);
      if (works) {
        to_front = a.A.at(moves.front(s), column);
        if (moves.hole(s) >= 0) to_hole = a.A.at(now.begin + s, column);
      }
      context.sync();
      if (!works) continue;
      a.A.at(now.begin + s, column) = to_front;
      if (moves.hole(s) >= 0) a.A.at(moves.hole(s), column) = to_hole;
    }
  }
};

}  // namespace pivotlab::ldlt_device
