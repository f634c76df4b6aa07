// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting, first half of a stage: the largest off-diagonal element of the reduced matrix.
//
// The updates of the last stages are delayed: up to `slots` columns of M and rows of C* are pending. The search applies
// them to every element in registers, with the same FMAs in the same order as without delay, and writes the elements
// back only when fewer than two slots are free. So each stage reads the triangle, and few stages write it.
//
// Each warp takes units of 64 rows × 32 columns, a contiguous range along the strips; its lanes keep the pending
// elements of M for their two rows in registers and share those of C* for the columns of a unit. With steering, a stage
// that does not write the triangle searches only the units in which the largest element may be, and a stage that writes
// it writes its copy, too.
#pragma once

#include "kernels/ldlt/device/steering.hpp"
#include "kernels/ldlt/device/thread_best.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <bit>
#include <type_traits>

namespace pivotlab::ldlt_device {

template <class T, int slots, bool steered = false>
struct Search {
  static_assert(!steered || std::is_same_v<T, double>);
  struct Arguments {
    Strips<T> A;
    Generation<T> now;
    Candidate<T>* largest;  ///< [block]
    Steering steering = {};
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 2;
  static constexpr int warps = threads / warp_size;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int pitch = parts * slots + 2;  ///< doubles of a column of a unit in shared memory
  static constexpr int w_bytes = warps * Units::columns * pitch * 8;
  static constexpr int candidate_bytes = threads * static_cast<int>(sizeof(Candidate<T>));
  static constexpr int shared_bytes = w_bytes > candidate_bytes ? w_bytes : candidate_bytes;
  static constexpr int batch = is_complex<T> || steered ? 4 : 8;  ///< columns processed together

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const State state = *a.now.state;
    ThreadBest<T> best;
    if (state.done == 0) search(context, a, state, best);
    context.sync();
    const Candidate<T> of_block = best_of_block(context, best.candidate());
    if (context.thread() == 0) a.largest[context.block()] = of_block;
  }

 private:
  /// Two elements of a column of a strip: rows 2·lane and 2·lane + 1, for complex numbers lane and lane + 32, so that a
  /// warp's accesses are consecutive.
  struct Rows {
    T x[2];

    static PIVOTLAB_DEVICE int row(int lane, int h) { return is_complex<T> ? lane + warp_size * h : 2 * lane + h; }

    template <class Context>
    PIVOTLAB_DEVICE void load(Context& context, const T* column) {
      const auto* from = reinterpret_cast<const double*>(column) + 2 * context.lane();
      const DoublePair first = context.load2(from);
      if constexpr (is_complex<T>) {
        const DoublePair second = context.load2(from + 2 * warp_size);
        x[0] = T(first.x, first.y);
        x[1] = T(second.x, second.y);
      } else {
        x[0] = first.x;
        x[1] = first.y;
      }
    }
    template <class Context>
    PIVOTLAB_DEVICE void store(Context& context, T* column) const {
      auto* to = reinterpret_cast<double*>(column) + 2 * context.lane();
      if constexpr (is_complex<T>) {
        context.store2(to, x[0].real(), x[0].imag());
        context.store2(to + 2 * warp_size, x[1].real(), x[1].imag());
      } else {
        context.store2(to, x[0], x[1]);
      }
    }
  };

  template <class Context>
  PIVOTLAB_DEVICE static void search(Context& context, const Arguments& a, const State& state, ThreadBest<T>& best) {
    const Units units(a.A.strips(), state.k);
    const std::int64_t all = std::int64_t(context.blocks()) * warps;
    const std::int64_t me = std::int64_t(context.block()) * warps + context.warp();
    const std::int64_t begin = units.count() * me / all, end = units.count() * (me + 1) / all;
    if (begin == end) return;
    auto w = context.template shared<double>(context.warp() * (w_bytes / warps), Units::columns * pitch);

    const Selection selected(context, a, state);
    Rows m[slots] = {};
    std::int64_t strip = -1;  // of m
    Units::Unit unit = units.locate(begin);
    std::int64_t at = begin;  // of unit
    for (std::int64_t u = selected.next(context, begin, end); u < end; u = selected.next(context, u + 1, end)) {
      if (u != at) unit = units.locate(u);
      if (unit.strip != strip) load_multipliers(context, a, unit.strip, m);
      strip = unit.strip;
      share_w(context, a, unit.column * Units::columns, w);
      const bool edge = unit.column * Units::columns < state.k || unit.column >= Units::in_block * unit.strip;
      if (edge)
        search_unit<true>(context, a, state, unit, m, w, best);
      else
        search_unit<false>(context, a, state, unit, m, w, best);
      unit = units.next(unit);
      at = u + 1;
    }
  }

  /// The units that are searched: all, or those in which Scan found that the largest element may be.
  class Selection {
   public:
    template <class Context>
    PIVOTLAB_DEVICE Selection(Context& context, const Arguments& a, const State& state)
        : all_(!steered || is_full(state.pending, slots)), of_units_(a.steering.of_units), least_(0) {
      if (all_) return;
      std::int32_t largest = 0;
      for (int b = context.lane(); b < a.steering.blocks; b += warp_size) {
        const std::int32_t x = a.steering.of_blocks[b];
        if (x > largest) largest = x;
      }
      largest = largest_of_warp(context, largest);
      least_ =
          double(std::bit_cast<float>(largest)) - 2 * steering_error(state.stored, slots, a.steering.multiplier_bound);
    }
    /// Returns the first of the units from `unit` on, or `end`.
    template <class Context>
    PIVOTLAB_DEVICE std::int64_t next(Context& context, std::int64_t unit, std::int64_t end) const {
      if (all_) return unit;
      for (; unit < end; unit += warp_size) {
        const std::int64_t own = unit + context.lane();
        const bool selects = own < end && !(double(std::bit_cast<float>(of_units_[own])) < least_);
        // the first lane has the largest number
        const int last = largest_of_warp(context, selects ? warp_size - context.lane() : 0);
        if (last > 0) return unit + warp_size - last;
      }
      return end;
    }

   private:
    bool all_;
    const std::int32_t* of_units_;
    double least_;
  };

  template <class Context>
  PIVOTLAB_DEVICE static void load_multipliers(Context& context, const Arguments& a, std::int64_t strip,
                                               Rows (&m)[slots]) {
#pragma unroll
    for (int t = 0; t < slots; ++t) m[t].load(context, a.now.m + t * a.now.stride + strip * strip_rows);
  }

  /// Loads −C* of the columns of a unit to shared memory, [column][slot].
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void share_w(Context& context, const Arguments& a, std::int64_t first, Array& w) {
    context.sync_warp();
#pragma unroll
    for (int t = 0; t < slots; ++t) {
      const T x = a.now.minus_w[t * a.now.stride + first + context.lane()];
      if constexpr (is_complex<T>) {
        w[context.lane() * pitch + 2 * t] = x.real();
        w[context.lane() * pitch + 2 * t + 1] = x.imag();
      } else {
        w[context.lane() * pitch + t] = x;
      }
    }
    context.sync_warp();
  }

  template <bool edge, class Context, class Array>
  PIVOTLAB_DEVICE static void search_unit(Context& context, const Arguments& a, const State& state, Units::Unit unit,
                                          const Rows (&m)[slots], const Array& w, ThreadBest<T>& best) {
    const std::int64_t first_row = unit.strip * strip_rows, first_column = unit.column * Units::columns;
    const bool write = is_full(state.pending, slots);
    const auto wanted = [&](std::int64_t row, std::int64_t column) { return column >= state.k && row > column; };
    for (int c = 0; c < Units::columns; c += batch) {
      T* const memory = a.A.column(unit.strip, first_column + c);
      Rows x[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) x[b].load(context, memory + b * strip_rows);
#pragma unroll
      for (int b = 0; b < batch; ++b) subtract(context, x[b], m, w + (c + b) * pitch);

      const double threshold = best.threshold(first_column + c);
      bool any = false;
#pragma unroll
      for (int b = 0; b < batch; ++b)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const std::int64_t row = first_row + Rows::row(context.lane(), h), column = first_column + c + b;
          const bool larger = ThreadBest<T>::screen(x[b].x[h]) > threshold;
          any |= edge ? larger && wanted(row, column) : larger;
          if (edge && write && wanted(row, column)) memory[b * strip_rows + Rows::row(context.lane(), h)] = x[b].x[h];
        }
      if (!edge && write) {
#pragma unroll
        for (int b = 0; b < batch; ++b) x[b].store(context, memory + b * strip_rows);
      }
      if constexpr (steered)
        if (write) store_copy(context, a, unit.strip, first_column + c, x);
      if (any) consider<edge>(context, x, first_row, first_column + c, wanted, best);
    }
  }

  /// Considers the lane's elements of the columns from `first_column` on; of real ones only the first of the largest,
  /// which takes a comparison each.
  template <bool edge, class Context, class Wanted>
  PIVOTLAB_DEVICE static void consider(Context& context, const Rows (&x)[batch], std::int64_t first_row,
                                       std::int64_t first_column, const Wanted& wanted, ThreadBest<T>& best) {
    double largest = -1;
    int at = 0;
    T value(0);
#pragma unroll
    for (int e = 2 * batch - 1; e >= 0; --e) {
      const std::int64_t row = first_row + Rows::row(context.lane(), e % 2), column = first_column + e / 2;
      if (edge && !wanted(row, column)) continue;
      const T element = x[e / 2].x[e % 2];
      if constexpr (is_complex<T>) {
        best.consider(element, row, column);
      } else if (const double size = ThreadBest<T>::screen(element); size >= largest) {
        largest = size;
        at = e;
        value = element;
      }
    }
    if (!is_complex<T> && largest >= 0)
      best.consider(value, first_row + Rows::row(context.lane(), at % 2), first_column + at / 2);
  }

  /// Writes a group of columns of the copy; elements outside of the reduced triangle are not read from it.
  template <class Context>
  PIVOTLAB_DEVICE static void store_copy(Context& context, const Arguments& a, std::int64_t strip, std::int64_t column,
                                         const Rows (&x)[batch]) {
    static_assert(batch == SteeringCopy::columns);
    struct Words {
      std::uint32_t x[batch];
    } words;
#pragma unroll
    for (int b = 0; b < batch; ++b)
      words.x[b] = SteeringCopy::rounded(x[b].x[0]) | SteeringCopy::rounded(x[b].x[1]) << 16;
    const auto pairs = std::bit_cast<DoublePair>(words);
    context.store2(reinterpret_cast<double*>(a.steering.copy.group(strip, column)) + 2 * context.lane(), pairs.x,
                   pairs.y);
  }

  /// Subtracts the pending products from two elements of a column.
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void subtract(Context& context, Rows& x, const Rows (&m)[slots], const Array& w) {
#pragma unroll
    for (int d = 0; d < parts * slots; d += 2) {
      const DoublePair two = context.load2(w + d);
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        if constexpr (is_complex<T>) {
          x.x[h] = ldlt_detail::multiply_add(m[d / 2].x[h], T(two.x, two.y), x.x[h]);
        } else {
          x.x[h] = fused(m[d].x[h], two.x, x.x[h]);
          x.x[h] = fused(m[d + 1].x[h], two.y, x.x[h]);
        }
      }
    }
  }
};

}  // namespace pivotlab::ldlt_device
