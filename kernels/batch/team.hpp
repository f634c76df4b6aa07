// SPDX-License-Identifier: BSD-3-Clause
// The threads of a block as the team that works on one matrix: barriers, and the largest of their numbers.
#pragma once

#include "kernels/exec/portable.hpp"

#include <limits>

namespace pivotlab::batch {

/// A number, and a place that decides between equal ones: the least place wins. No number is larger than nothing.
struct LargestAt {
  double size = 0;
  int place = std::numeric_limits<int>::max();

  PIVOTLAB_DEVICE void consider(double other, int at) {
    if (other > size || (other == size && at < place)) size = other, place = at;
  }
};

/// All threads of a block of `threads` threads. `scratch_bytes` of shared memory begin at `scratch_at`, a multiple
/// of 8.
template <class Context, int threads>
class Team {
 public:
  static constexpr int warps = threads / warp_size;
  static constexpr int scratch_bytes = 16 * warps;

  PIVOTLAB_DEVICE Team(Context& context, int scratch_at)
      : context_(context),
        sizes_(context.template shared<double>(scratch_at, warps)),
        places_(context.template shared<int>(scratch_at + 8 * warps, warps)) {}

  /// Barrier.
  PIVOTLAB_DEVICE void sync() {
    if constexpr (warps == 1)
      context_.sync_warp();
    else
      context_.sync();
  }

  /// Returns the largest of the threads' numbers to all of them; a barrier.
  PIVOTLAB_DEVICE LargestAt largest(LargestAt own) {
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
      const double size = context_.shuffle_xor(own.size, mask);
      own.consider(size, context_.shuffle_xor(own.place, mask));
    }
    if constexpr (warps == 1) {
      sync();
    } else {
      context_.sync();
      if (context_.lane() == 0) sizes_[context_.warp()] = own.size, places_[context_.warp()] = own.place;
      context_.sync();
      for (int warp = 0; warp < warps; ++warp) own.consider(sizes_[warp], places_[warp]);
    }
    return own;
  }
  PIVOTLAB_DEVICE double largest(double own) { return largest(LargestAt{own, 0}).size; }

  /// Returns the sum of the threads' numbers, with the same bits to all of them; a barrier.
  PIVOTLAB_DEVICE double sum(double own) {
    for (int mask = warp_size / 2; mask > 0; mask /= 2) own += context_.shuffle_xor(own, mask);
    sync();
    if constexpr (warps > 1) {
      if (context_.lane() == 0) sizes_[context_.warp()] = own;
      context_.sync();
      own = sizes_[0];
      for (int warp = 1; warp < warps; ++warp) own += sizes_[warp];
    }
    return own;
  }

 private:
  Context& context_;
  decltype(context_.template shared<double>(0, 1)) sizes_;
  decltype(context_.template shared<int>(0, 1)) places_;
};

}  // namespace pivotlab::batch
