// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting: all columns of a panel in one kernel.
//
// In each step a column of the reduced matrix has been brought up to date and searched. Every block makes the pivot
// decision redundantly (Algorithms 3, 4): either the column or columns of a pivot join the panel, or another column
// must be searched. Then each block updates its rows of the next column and finds their largest element:
//
//   x = A(:, c) − M·(C*)(:, c)   with all columns of the panel so far.
//
// The blocks of a resident grid send one another these elements as messages. They also send C* of each of their rows,
// because every block reads that of row c. A thread has a row, whose part of M in the first chunk of columns remains in
// registers if a block has no more rows than threads. That of a second chunk is read again for each product.
#pragma once

#include "kernels/ldlt/device/panel.hpp"
#include "kernels/ldlt/device/panel_mail.hpp"
#include "kernels/ldlt/device/warp_best.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"

namespace pivotlab::ldlt_device {

template <class T, bool hermitian>
struct SearchedPanel {
  struct Arguments {
    Strips<T> A;
    Panel<T> panel;
    SearchedColumns<T> searched;
    std::int32_t* place;  ///< [row]; read and written by the row's block only
    PanelGeneration from, to;
    int columns;           ///< of the panel, if it becomes full
    const Found* largest;  ///< [block of UpdateTrailing], of the triangle
    int update_blocks;
    int least_rows;  ///< of a block, if there are so many: messages between more blocks take longer
    int most_steps;  ///< after which the kernel ends, so that the host can end the elimination; the next one goes on
    ldlt_detail::PivotRule<double> rule;
    FactorsView<T> factors;
    PanelMail<T> mail;  ///< zeros before the first panel
    int* gave_up;       ///< is set if a block has waited for too long
  };
  static constexpr int kept_columns = PanelColumns<T>::count, most_columns = PanelColumns<T>::most;
  static constexpr int threads = 192, warps = threads / warp_size, min_blocks = 1;
  static constexpr bool resident = true;

 private:
  static constexpr int fronts_at = most_columns * static_cast<int>(sizeof(T));  // after the row of −C*
  static constexpr int diagonal_at = fronts_at + 2 * most_columns * 4, best_at = diagonal_at + 16;
  static constexpr int shared_of_steps = best_at + 2 * warps * static_cast<int>(sizeof(FoundElement<T>));
  static constexpr int shared_of_begin = threads * static_cast<int>(sizeof(Found));

 public:
  static constexpr int shared_bytes = shared_of_steps > shared_of_begin ? shared_of_steps : shared_of_begin;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    if (a.from.progress->phase != Phase::done)
      Part<Context>(context, a).run();
    else if (context.block() == 0 && context.thread() == 0)
      *a.to.progress = *a.from.progress;
  }

 private:
  using PivotDecision = ldlt_detail::PivotDecision;

  /// The pivot, if one was found.
  struct Pivot {
    int size;           ///< 0: continue the search
    Row first, second;  ///< not an array, because indices unknown at compile time would cost registers
    bool is_previous;   ///< the first column is the previous one
    ldlt_detail::Block<T> block;
  };

  /// An element of −C*.
  struct W {
    T x;
    bool has_come;
  };

  /// Does the work of a block.
  template <class Context>
  class Part {
   public:
    PIVOTLAB_DEVICE Part(Context& context, const Arguments& a) : context_(context), a_(a), now_(*a.from.progress) {
      const auto rows = static_cast<int>(a.A.order - now_.begin);
      rows_ = (rows + context.blocks() - 1) / context.blocks();
      rows_ = rows_ < a.least_rows ? a.least_rows : rows_;
      blocks_ = (rows + rows_ - 1) / rows_;
    }

    PIVOTLAB_DEVICE void run() {
      if (context_.block() >= blocks_) return;
      begin();
      for (int step = 0; step < a_.most_steps && now_.phase != Phase::full; ++step)
        if (!do_step()) return;
      if (context_.block() == 0) {
        if (context_.thread() == 0) *a_.to.progress = now_;
        if (context_.thread() < most_columns) a_.to.front[context_.thread()] = front(now_.step)[context_.thread()];
      }
    }

   private:
    PIVOTLAB_DEVICE bool is_active(std::int64_t k) const { return exists_ && place_ >= k; }
    PIVOTLAB_DEVICE auto front(unsigned step) const {
      return context_.template shared<std::int32_t>(fronts_at + static_cast<int>(step % 2) * most_columns * 4,
                                                    most_columns);
    }
    PIVOTLAB_DEVICE auto bests() const { return context_.template shared<FoundElement<T>>(best_at, 2 * warps); }
    PIVOTLAB_DEVICE auto w() const {
      return context_.template shared<double>(0, most_columns * PanelColumns<T>::parts);
    }

    PIVOTLAB_DEVICE void begin() {
      if (now_.phase == Phase::begin)
        find_largest();
      else if (now_.phase == Phase::further) {
        const int before = SearchedColumns<T>::before(now_.slot);
        previous_ = a_.searched.at(before, now_.previous.row);
        between_ = a_.searched.at(before, now_.latest.row);
      }
      const int t = context_.thread();
      if (t < most_columns) front(now_.step)[t] = a_.from.front[t];
      held_ = now_.columns();
      select(0);
      context_.sync();
    }
    /// Finds the largest element of the triangle.
    PIVOTLAB_DEVICE void find_largest() {
      Found own = Found::none();
      for (int i = context_.thread(); i < a_.update_blocks; i += threads) own = better(own, a_.largest[i]);
      now_.largest = best_of_block(context_, own).size;
    }

    /// Calls work() for all rows of the block, as many at once as it has threads.
    template <class Work>
    PIVOTLAB_DEVICE void for_rows(const Work& work) {
#pragma unroll 1
      for (int first = 0; first < rows_; first += threads) {
        select(first);
        work();
      }
    }
    /// Makes the first-th row and those after it the rows of the threads.
    PIVOTLAB_DEVICE void select(int first) {
      if (first == selected_) return;
      selected_ = first;
      const int own = first + context_.thread();
      row_ = own < rows_ ? now_.begin + std::int64_t(context_.block()) * rows_ + own : a_.A.order;
      exists_ = row_ < a_.A.order;
      place_ = static_cast<std::int32_t>(row_);
      if (exists_ && now_.phase != Phase::begin) {
        place_ = a_.place[row_];
        latest_ = a_.searched.at(now_.slot, row_);
        before_ = a_.searched.at(SearchedColumns<T>::before(now_.slot), row_);
      }
#pragma unroll
      for (int t = 0; t < kept_columns; ++t) m_[t] = exists_ && t < held_ ? a_.panel.m.get(t, row_) : T(0);
    }

    /// Decides about the latest column, and searches the next one. Returns whether all messages have come.
    PIVOTLAB_DEVICE bool do_step() {
      FoundElement<T> found = FoundElement<T>::none();
      T latest(0);
      if (now_.phase != Phase::begin && !receive_found(found, latest)) return false;
      const Pivot pivot = choose(found.found, latest);
      const PlaceInterchanges interchanges(now_.k, pivot.size, pivot.first, pivot.second);
      const Progress next = advance(found.found, pivot, interchanges);
      note(next, pivot, interchanges);
      held_ += pivot.size;
      W own_w{};
      if (next.phase != Phase::full) own_w = receive_w(next.latest.row, pivot);
      for_rows([&] {
        if (next.phase != Phase::full) x_ = stored(next.latest.row);
        if (pivot.size > 0) eliminate(pivot);
        if (exists_ && (pivot.size > 0 || now_.phase == Phase::begin))
          a_.place[row_] = place_ = pivot.size > 0 ? interchanges.forward(place_) : place_;
      });
      if (next.phase != Phase::full && !search(next, pivot, own_w, found.value)) return false;
      previous_ = latest;
      between_ = found.value;
      now_ = next;
      return true;
    }

    /// Receives the largest element of the latest column and its diagonal element.
    PIVOTLAB_DEVICE bool receive_found(FoundElement<T>& found, T& latest) {
      const int t = context_.thread(), receivers = (blocks_ + warp_size - 1) / warp_size;
      const auto diagonal = context_.template shared<T>(diagonal_at, 1);
      FoundElement<T> own = FoundElement<T>::none();
      const auto ready = [&] {
        if (t < blocks_) return a_.mail.receive_largest(context_, t, now_.step, own);
        if (t < threads - 1) return true;
        T x(0);
        const bool has_come = receive(context_, a_.mail.diagonal(now_.step), now_.step, x);
        diagonal[0] = x;
        return has_come;
      };
      if (!context_.wait_until(ready, a_.gave_up)) return false;
      const auto all = bests() + warps;
      if (context_.warp() < receivers && is_best(own)) all[context_.warp()] = own;
      context_.sync();
      latest = diagonal[0];
      found = all[0];
      for (int i = 1; i < receivers; ++i)
        if (precedes(all[i], found)) found = all[i];
      return true;
    }
    /// Returns whether x is larger than y or, if they are equal, is at the lesser place.
    PIVOTLAB_DEVICE static bool precedes(const FoundElement<T>& x, const FoundElement<T>& y) {
      return better(y.found, x.found).at.row == x.found.at.row;
    }
    /// Returns whether no lane of the warp has a better one.
    PIVOTLAB_DEVICE bool is_best(const FoundElement<T>& own) {
      return is_best_of_warp(context_, own.found.size, ~static_cast<unsigned>(own.found.at.place));
    }

    PIVOTLAB_DEVICE Pivot choose(const Found& found, const T& latest) const {
      Pivot pivot{0, now_.latest, now_.latest, false, {T(0), T(0), T(0)}};
      if (now_.phase == Phase::begin) return pivot;
      const ldlt_detail::ColumnModuli<double> moduli{ldlt_detail::modulus(latest), found.size};
      const PivotDecision decision =
          now_.phase == Phase::first ? a_.rule.decide(moduli)
                                     : a_.rule.decide({ldlt_detail::modulus(previous_), now_.previous_size}, moduli);
      if (decision == PivotDecision::continue_search) return pivot;
      pivot.size = decision == PivotDecision::pivot_2x2 ? 2 : 1;
      pivot.block = {latest, between_, latest};
      if (decision != PivotDecision::pivot_1x1) {
        pivot.first = now_.previous;
        pivot.is_previous = true;
        pivot.block.a = previous_;
      }
      return pivot;
    }

    /// Returns the state in which the next step starts.
    PIVOTLAB_DEVICE Progress advance(const Found& found, const Pivot& pivot,
                                     const PlaceInterchanges& interchanges) const {
      Progress next = now_;
      next.step += 1;
      next.slot = SearchedColumns<T>::next(now_.slot);
      if (now_.phase == Phase::begin) {
        next.phase = Phase::first;
        next.latest = {static_cast<std::int32_t>(now_.k), static_cast<std::int32_t>(now_.k)};
      } else if (pivot.size == 0) {
        next.phase = Phase::further;
        next.previous = now_.latest;
        next.previous_size = found.size;
        next.latest = found.at;
      } else {
        next.k += pivot.size;
        next.stages += 1;
        next.phase = next.k == a_.A.order || next.columns() + 2 > a_.columns ? Phase::full : Phase::first;
        if (next.phase == Phase::first)
          next.latest = {row_in(static_cast<std::int32_t>(next.k), pivot, interchanges),
                         static_cast<std::int32_t>(next.k)};
      }
      return next;
    }

    /// Returns the row that the interchanges move to a place in the panel.
    PIVOTLAB_DEVICE std::int32_t row_in(std::int32_t place, const Pivot& pivot,
                                        const PlaceInterchanges& interchanges) const {
      if (pivot.size == 0) return front(now_.step)[place - now_.begin];
      const std::int32_t source = interchanges.backward(place);
      if (source == pivot.first.place) return pivot.first.row;
      if (pivot.size == 2 && source == pivot.second.place) return pivot.second.row;
      return front(now_.step)[source - now_.begin];
    }

    PIVOTLAB_DEVICE void note(const Progress& next, const Pivot& pivot, const PlaceInterchanges& interchanges) const {
      const int t = context_.thread();
      if (t < most_columns)
        front(next.step)[t] = row_in(static_cast<std::int32_t>(now_.begin + t), pivot, interchanges);
      if (context_.block() > 0 || t > 0 || pivot.size == 0) return;
      a_.factors.diagonal[now_.k] = pivot.block.a;
      if (pivot.size == 2) {
        a_.factors.subdiagonal[now_.k] = pivot.block.b;
        a_.factors.diagonal[now_.k + 1] = pivot.block.c;
      }
      a_.factors.stages[now_.stages] = {
          now_.k, {interchanges.first_partner(), interchanges.second_partner()}, pivot.size, now_.largest};
    }

    /// Returns the step of one of the pivot's columns.
    PIVOTLAB_DEVICE unsigned step_of(const Pivot& pivot, bool first) const {
      return first && pivot.is_previous ? now_.step - 1 : now_.step;
    }
    /// Computes this row of C·P⁻¹ and −C*.
    PIVOTLAB_DEVICE void eliminate(const Pivot& pivot) {
      const int t = now_.columns();
      T m[2] = {T(0), T(0)}, minus_w[2] = {T(0), T(0)};
      if (is_active(now_.k) && row_ != pivot.first.row && (pivot.size == 1 || row_ != pivot.second.row)) {
        using namespace ldlt_detail;
        const T c = pivot.is_previous ? before_ : latest_;
        minus_w[0] = across_of(c);
        send(context_, a_.mail.minus_w(t, row_), minus_w[0], tag());
        if (pivot.size == 2) {
          minus_w[1] = across_of(latest_);
          send(context_, a_.mail.minus_w(t + 1, row_), minus_w[1], tag());
          const auto row = BlockInverse<T, hermitian>(pivot.block).apply_to_row(c, latest_);
          m[0] = row.first;
          m[1] = row.second;
        } else if (pivot.block.a != T(0)) {  // a zero pivot has a zero column
          m[0] = divided_by_pivot<hermitian>(c, pivot.block.a);
        }
      }
      if (!exists_) return;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (e == pivot.size) break;
        a_.panel.m.put(t + e, row_, m[e]);
        a_.panel.minus_w.put(t + e, row_, minus_w[e]);
        if (t + e < kept_columns) keep<0, kept_columns>(t + e, m[e]);
      }
    }
    /// Sets m_[t], where t is first … end − 1, by branches: an index unknown at compile time would cost registers.
    template <int first, int end>
    PIVOTLAB_DEVICE void keep(int t, const T& m) {
      constexpr int middle = (first + end) / 2;
      if constexpr (end - first == 1)
        m_[first] = m;
      else if (t < middle)
        keep<first, middle>(t, m);
      else
        keep<middle, end>(t, m);
    }
    PIVOTLAB_DEVICE static T across_of(const T& x) {
      return ldlt_detail::negated(ldlt_detail::across<hermitian>(x));
    }
    /// Returns the number that messages about C* have in this panel.
    PIVOTLAB_DEVICE unsigned tag() const {
      return static_cast<unsigned>(now_.begin) + 1;
    }

    PIVOTLAB_DEVICE bool search(const Progress& next, const Pivot& pivot, W& own_w, const T& of_column) {
      const std::int32_t c = next.latest.row;
      if (!share_w(c, pivot, own_w)) return false;
      FoundElement<T> best = FoundElement<T>::none();
      for_rows([&] {
        if (rows_ > threads) x_ = stored(c);
        if (!exists_) return;
        T x(0);
        if (is_active(next.k)) x = ldlt_detail::sum(x_, product());
        // Both columns contain this element, computed with different roundings; the earlier value is used.
        if (next.phase == Phase::further && row_ == next.previous.row) x = ldlt_detail::across<hermitian>(of_column);
        if (row_ == c) x = ldlt_detail::on_diagonal<hermitian>(x);
        tell(next, c, x, best);
      });
      send_best(next.step, best);
      return true;
    }

    /// Returns element (row, c) of the triangle.
    PIVOTLAB_DEVICE T stored(std::int64_t c) const {
      if (!exists_) return T(0);
      return row_ >= c ? a_.A.at(row_, c) : ldlt_detail::across<hermitian>(a_.A.at(c, row_));
    }

    /// Reads the thread's element of −C* of row c, if it has come.
    PIVOTLAB_DEVICE W receive_w(std::int32_t c, const Pivot& pivot) {
      const int t = context_.thread(), known = now_.columns();
      W w{T(0), true};
      if (t < known) {
        w.has_come = receive(context_, a_.mail.minus_w(t, c), tag(), w.x);
      } else if (t < held_) {
        const unsigned step = step_of(pivot, t == known);
        w.has_come = receive(context_, a_.mail.front(step, c - now_.begin), step, w.x);
        w.x = across_of(w.x);
      }
      return w;
    }
    /// Stores the row of −C* of row c in shared memory.
    PIVOTLAB_DEVICE bool share_w(std::int32_t c, const Pivot& pivot, W& own) {
      const auto ready = [&] {
        if (!own.has_come) own = receive_w(c, pivot);
        const int t = context_.thread();
        if (t < most_columns) {
          w()[t * PanelColumns<T>::parts] = real_part(own.x);
          if constexpr (is_complex<T>) w()[2 * t + 1] = own.x.imag();
        }
        return own.has_come;
      };
      return context_.wait_until(ready, a_.gave_up);
    }

    /// Returns M·(−C*) of this row and the next column, as four sums.
    PIVOTLAB_DEVICE T product() {
      constexpr int sums = 4;
      T of[sums] = {T(0), T(0), T(0), T(0)};
      const auto factors = w();
#pragma unroll
      for (int t = 0; t < kept_columns; t += 2 / PanelColumns<T>::parts) {
        const DoublePair x = context_.load2(factors + t * PanelColumns<T>::parts);
        if constexpr (is_complex<T>) {
          of[t % sums] = ldlt_detail::multiply_add(m_[t], T(x.x, x.y), of[t % sums]);
        } else {
          of[t % sums] = ldlt_detail::multiply_add(m_[t], x.x, of[t % sums]);
          of[(t + 1) % sums] = ldlt_detail::multiply_add(m_[t + 1], x.y, of[(t + 1) % sums]);
        }
      }
#pragma unroll 2
      for (int first = kept_columns; first < held_; first += sums) {
#pragma unroll
        for (int t = 0; t < sums; ++t) {
          const T m = first + t < held_ ? a_.panel.m.get(first + t, row_) : T(0);
          if constexpr (is_complex<T>)
            of[t] = ldlt_detail::multiply_add(m, T(factors[2 * (first + t)], factors[2 * (first + t) + 1]), of[t]);
          else
            of[t] = ldlt_detail::multiply_add(m, factors[first + t], of[t]);
        }
      }
      T sum(0);
#pragma unroll
      for (const T& x : of) sum = ldlt_detail::sum(sum, x);
      return sum;
    }

    /// Stores this row's element of the next column, and sends it where others need it.
    PIVOTLAB_DEVICE void tell(const Progress& next, std::int32_t c, const T& x, FoundElement<T>& best) {
      a_.searched.at(next.slot, row_) = x;
      before_ = latest_;
      latest_ = x;
      if (row_ < now_.begin + a_.columns) send(context_, a_.mail.front(next.step, row_ - now_.begin), x, next.step);
      if (row_ == c) send(context_, a_.mail.diagonal(next.step), x, next.step);
      if (row_ == c || !is_active(next.k)) return;
      const FoundElement<T> own{{ldlt_detail::modulus(x), {static_cast<std::int32_t>(row_), place_}}, x};
      if (precedes(own, best)) best = own;
    }

    /// Sends the best element of all threads to the other blocks.
    PIVOTLAB_DEVICE void send_best(unsigned step, const FoundElement<T>& own) {
      const auto all = bests();
      if (is_best(own)) all[context_.warp()] = own;
      context_.sync();
      if (context_.warp() > 0) return;
      const FoundElement<T> of_warp =
          context_.lane() < warps ? FoundElement<T>(all[context_.lane()]) : FoundElement<T>::none();
      if (is_best(of_warp)) a_.mail.send_largest(context_, context_.block(), step, of_warp);
    }

    Context& context_;
    const Arguments& a_;
    Progress now_;
    int rows_, blocks_;  ///< rows of a block; blocks that have some
    int selected_ = -1;  ///< the first row of the block that threads have
    int held_ = 0;       ///< columns of the panel with those of this step
    std::int64_t row_ = 0;
    bool exists_ = false;
    std::int32_t place_ = 0;
    T m_[kept_columns];                   ///< this row of M in the panel's first chunk
    T latest_ = T(0), before_ = T(0);     ///< this row's elements of the searched columns
    T x_ = T(0);                          ///< that of the next column, before its updates
    T previous_ = T(0), between_ = T(0);  ///< elements of the previous column: on the diagonal, and the largest one
  };
};

}  // namespace pivotlab::ldlt_device
