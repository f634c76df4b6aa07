// SPDX-License-Identifier: BSD-3-Clause
// Two adjacent numbers in double or single precision that are read and written at once, as doubles.
#pragma once

#include "kernels/exec/portable.hpp"

#include <type_traits>

namespace pivotlab {

template <class R>
struct alignas(2 * sizeof(R)) RealPair {
  R x, y;
};

/// Loads two adjacent numbers of device or shared memory, aligned to their size together.
template <class Context, class Pointer>
PIVOTLAB_DEVICE inline DoublePair load_pair(const Context& context, const Pointer& from) {
  using R = std::remove_cvref_t<decltype(from[0])>;
  if constexpr (std::is_same_v<R, double>) {
    return context.load2(from);
  } else if constexpr (std::is_pointer_v<Pointer>) {
    const auto pair = *reinterpret_cast<const RealPair<R>*>(from);
    return {pair.x, pair.y};
  } else {  // shared memory of the host
    return {from[0], from[1]};
  }
}

/// Stores two doubles, rounded if need be, to adjacent numbers of device memory.
template <class Context, class R>
PIVOTLAB_DEVICE inline void store_pair(const Context& context, R* to, double x, double y) {
  context.store(to, {static_cast<R>(x), static_cast<R>(y)});
}

}  // namespace pivotlab
