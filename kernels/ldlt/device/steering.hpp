// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting of large real matrices: a copy of the reduced triangle in 16 bits, which tells where its largest
// elements may be.
//
// A number of the copy is the upper half of a single-precision number. `Scan` applies the pending updates to the copy
// in single precision and finds the largest modulus of each unit of 64 × 32 elements, with an error of at most
// steering_error(). The largest element of the reduced matrix is in one of the units whose modulus is within twice
// that of the largest one; `Search` searches only these, in double precision.
#pragma once

#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/device/strips.hpp"
#include "kernels/ldlt/device/units.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace pivotlab::ldlt_device {

/// Layout: strips as those of the triangle, each in groups of four columns; a lane's two rows of these are adjacent.
struct SteeringCopy {
  static constexpr int columns = 4;  ///< of a group

  std::uint16_t* elements = nullptr;

  PIVOTLAB_DEVICE std::uint16_t* group(std::int64_t strip, std::int64_t j) const {
    return elements + Strips<double>::offset(strip) + j / columns * (columns * strip_rows);
  }
  PIVOTLAB_DEVICE std::uint16_t& at(std::int64_t i, std::int64_t j) const {
    const std::int64_t row = i % strip_rows;
    return group(i / strip_rows, j)[row / 2 * (2 * columns) + j % columns * 2 + row % 2];
  }
  /// Rounds to 16 bits, to nearest.
  static PIVOTLAB_DEVICE std::uint32_t rounded(double x) {
    return (std::bit_cast<std::uint32_t>(static_cast<float>(x)) + 0x8000) >> 16;
  }
  PIVOTLAB_DEVICE void put(std::int64_t i, std::int64_t j, double x) const {
    at(i, j) = static_cast<std::uint16_t>(rounded(x));
  }
};

/// The copy, and the largest moduli in it as bits of single-precision numbers ≥ 0, which compare as integers.
struct Steering {
  SteeringCopy copy;
  std::int32_t* of_units;   ///< [unit of the reduced matrix]
  std::int32_t* of_blocks;  ///< [block of Scan]
  int blocks = 0;           ///< of Scan
  double multiplier_bound = 0;
};

/// Returns a bound of the error of an element that Scan computes. `stored` bounds the elements of the triangle and of
/// the pending rows of C*. Rounding to 16 bits errs by 2⁻⁸ of an element; p updates in single precision, whose factors
/// are rounded, err by p·(p + 4)·(1 + max|M|)·2⁻²³ at most; the last term is that of underflow.
PIVOTLAB_DEVICE inline double steering_error(double stored, int updates, double multiplier_bound) {
  if (!(stored < 0x1p100)) return std::numeric_limits<double>::infinity();
  const double relative = 0x1.04p-8 + updates * (updates + 4) * (1 + multiplier_bound) * 0x1p-23;
  return relative * stored + 0x1p-120 * (1 + multiplier_bound);
}

/// Returns the largest of the numbers of all lanes to each of them.
template <class Context>
PIVOTLAB_DEVICE inline std::int32_t largest_of_warp(Context& context, std::int32_t x) {
  for (int mask = warp_size / 2; mask > 0; mask /= 2) {
    const std::int32_t other = context.shuffle_xor(x, mask);
    if (other > x) x = other;
  }
  return x;
}

/// Finds the largest modulus of each unit, and of those of a block, approximately. Does nothing if all slots are used:
/// then the triangle itself is searched. A warp takes a contiguous range of units, as in Search.
template <int slots>
struct Scan {
  struct Arguments {
    std::int64_t strips;
    Generation<double> now;
    Steering steering;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 3;
  static constexpr int warps = threads / warp_size;
  static constexpr int together = 4;                    ///< slots that are loaded together
  static constexpr int pitch = (slots + together) / 2;  ///< pairs of numbers of a column of a unit in shared memory
  static constexpr int w_bytes = warps * Units::columns * pitch * 8;
  static constexpr int shared_bytes = w_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const State state = *a.now.state;
    if (state.done != 0 || is_full(state.pending, slots)) return;
    const std::int32_t of_warp = scan(context, a, state);
    context.sync();
    auto all = context.template shared<std::int32_t>(0, warps);
    if (context.lane() == 0) all[context.warp()] = of_warp;
    context.sync();
    if (context.thread() > 0) return;
    std::int32_t largest = 0;
    for (int w = 0; w < warps; ++w)
      if (all[w] > largest) largest = all[w];
    a.steering.of_blocks[context.block()] = largest;
  }

 private:
  static constexpr int groups = Units::columns / SteeringCopy::columns;  ///< of a unit

  struct Floats {
    float x[together];
  };
  struct Words {
    std::uint32_t x[SteeringCopy::columns];  ///< two rows each
  };
  struct Rows {
    float x[2];
  };

  template <class Context>
  PIVOTLAB_DEVICE static std::int32_t scan(Context& context, const Arguments& a, const State& state) {
    const Units units(a.strips, state.k);
    const std::int64_t all = std::int64_t(context.blocks()) * warps;
    const std::int64_t me = std::int64_t(context.block()) * warps + context.warp();
    const std::int64_t begin = units.count() * me / all, end = units.count() * (me + 1) / all;
    std::int32_t largest = 0;
    if (begin == end) return largest;
    auto w = context.template shared<double>(context.warp() * (w_bytes / warps), Units::columns * pitch);

    Rows m[slots] = {};
    Units::Unit unit = units.locate(begin);
    load_multipliers(context, a, state, unit.strip, m);
    for (std::int64_t u = begin;;) {
      share_w(context, a, state, unit.column * Units::columns, w);
      const bool edge = unit.column * Units::columns < state.k || unit.column >= Units::in_block * unit.strip;
      const float of_lane =
          edge ? scan_unit<true>(context, a, state, unit, m, w) : scan_unit<false>(context, a, state, unit, m, w);
      const std::int32_t of_unit = largest_of_warp(context, std::bit_cast<std::int32_t>(of_lane));
      if (context.lane() == 0) a.steering.of_units[u] = of_unit;
      if (of_unit > largest) largest = of_unit;
      if (++u == end) return largest;
      const std::int64_t strip = unit.strip;
      unit = units.next(unit);
      if (unit.strip != strip) load_multipliers(context, a, state, unit.strip, m);
    }
  }

  template <class Context>
  PIVOTLAB_DEVICE static void load_multipliers(Context& context, const Arguments& a, const State& state,
                                               std::int64_t strip, Rows (&m)[slots]) {
#pragma unroll
    for (int t = 0; t < slots; ++t)
      if (t < state.pending) {
        const DoublePair two = context.load2(a.now.m + t * a.now.stride + strip * strip_rows + 2 * context.lane());
        m[t] = {{static_cast<float>(two.x), static_cast<float>(two.y)}};
      }
  }

  /// Loads −C* of the columns of a unit to shared memory, [column][slot].
  template <class Context, class Array>
  PIVOTLAB_DEVICE static void share_w(Context& context, const Arguments& a, const State& state, std::int64_t first,
                                      Array& w) {
    context.sync_warp();
#pragma unroll
    for (int t = 0; t < slots; t += together)
      if (t < state.pending) {
        Floats x;
#pragma unroll
        for (int s = 0; s < together; ++s)
          x.x[s] = static_cast<float>(a.now.minus_w[(t + s) * a.now.stride + first + context.lane()]);
        const auto pairs = std::bit_cast<DoublePair>(x);
        context.store2(w + (context.lane() * pitch + t / 2), pairs.x, pairs.y);
      }
    context.sync_warp();
  }

  template <bool edge, class Context, class Array>
  PIVOTLAB_DEVICE static float scan_unit(Context& context, const Arguments& a, const State& state, Units::Unit unit,
                                         const Rows (&m)[slots], const Array& w) {
    const std::int64_t row = unit.strip * strip_rows + 2 * context.lane(), first = unit.column * Units::columns;
    const auto* const memory =
        reinterpret_cast<const double*>(a.steering.copy.group(unit.strip, first)) + 2 * context.lane();
    Words words[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g)
      words[g] = std::bit_cast<Words>(context.load2(memory + g * (SteeringCopy::columns * strip_rows / 4)));
    float largest = 0;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      Rows x[SteeringCopy::columns];
#pragma unroll
      for (int b = 0; b < SteeringCopy::columns; ++b)
        x[b] = {{std::bit_cast<float>(words[g].x[b] << 16), std::bit_cast<float>(words[g].x[b] & 0xffff0000)}};
#pragma unroll
      for (int t = 0; t < slots; t += together)
        if (t < state.pending) {
#pragma unroll
          for (int b = 0; b < SteeringCopy::columns; ++b) {
            const auto four =
                std::bit_cast<Floats>(context.load2(w + ((g * SteeringCopy::columns + b) * pitch + t / 2)));
#pragma unroll
            for (int s = 0; s < together; ++s)
#pragma unroll
              for (int h = 0; h < 2; ++h) x[b].x[h] = fused(m[t + s].x[h], four.x[s], x[b].x[h]);
          }
        }
#pragma unroll
      for (int b = 0; b < SteeringCopy::columns; ++b)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const std::int64_t column = first + g * SteeringCopy::columns + b;
          if (!edge || (column >= state.k && row + h > column)) largest = std::fmax(largest, absolute(x[b].x[h]));
        }
    }
    return largest;
  }
};

}  // namespace pivotlab::ldlt_device
