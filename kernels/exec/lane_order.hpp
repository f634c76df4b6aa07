// SPDX-License-Identifier: BSD-3-Clause
// The order in which emulation runs the threads of a kernel.
#pragma once

#include <cstdint>
#include <utility>

namespace pivotlab {

/// A correct kernel gives the same bits in every order; a kernel that lacks a barrier does not.
enum class LaneOrder { forward, reverse, shuffled };

/// Arranges ranges in an order; a shuffled order changes with each call. SplitMix64 (Steele, Lea and Flood, 2014) makes
/// shuffled orders the same on all machines.
class Arranger {
 public:
  Arranger(LaneOrder order, std::uint64_t seed) : order_(order), state_(seed) {}

  /// Fills `items` with 0, 1, … in the selected order.
  template <class Items>
  void arrange(Items& items) {
    const int n = static_cast<int>(items.size());
    for (int i = 0; i < n; ++i) items[i] = order_ == LaneOrder::reverse ? n - 1 - i : i;
    rearrange(items);
  }

  template <class Items>
  void rearrange(Items& items) {
    if (order_ != LaneOrder::shuffled) return;
    for (int i = static_cast<int>(items.size()); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  int below(int bound) { return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32); }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  LaneOrder order_;
  std::uint64_t state_;
};

}  // namespace pivotlab
