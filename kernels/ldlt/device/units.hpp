// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting: the parts of the reduced triangle that a warp searches, and when the triangle is written.
#pragma once

#include "kernels/ldlt/device/strips.hpp"

#include <cmath>
#include <cstdint>

namespace pivotlab::ldlt_device {

/// Returns whether fewer than two slots are free; a 2×2 pivot needs two.
PIVOTLAB_DEVICE inline bool is_full(int pending, int slots) {
  return pending + 2 > slots;
}

/// The units of the reduced matrix from row and column k on, strip by strip.
class Units {
 public:
  static constexpr int columns = 32;
  static constexpr int in_block = strip_rows / columns;  ///< units in a block on the diagonal

  struct Unit {
    std::int64_t strip, column;  ///< the column counts units
  };

  PIVOTLAB_DEVICE Units(std::int64_t strips, std::int64_t k)
      : first_strip_(k / strip_rows),
        first_(k / columns),
        skipped_(first_ % in_block),
        strips_(strips - first_strip_) {}

  PIVOTLAB_DEVICE std::int64_t count() const { return before(strips_); }
  PIVOTLAB_DEVICE Unit locate(std::int64_t unit) const {
    auto strip = static_cast<std::int64_t>(std::sqrt(static_cast<double>(unit)));
    while (before(strip + 1) <= unit) ++strip;
    while (before(strip) > unit) --strip;
    return {first_strip_ + strip, first_ + unit - before(strip)};
  }
  PIVOTLAB_DEVICE Unit next(Unit unit) const {
    if (unit.column + 1 < in_block * (unit.strip + 1)) return {unit.strip, unit.column + 1};
    return {unit.strip + 1, first_};
  }

 private:
  /// Returns the number of units of the first strips: 2·(i + 1) of the i-th, minus those left of k.
  PIVOTLAB_DEVICE std::int64_t before(std::int64_t strips) const {
    static_assert(in_block == 2);
    return strips * (strips + 1 - skipped_);
  }

  std::int64_t first_strip_, first_, skipped_, strips_;
};

}  // namespace pivotlab::ldlt_device
