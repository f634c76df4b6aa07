// SPDX-License-Identifier: BSD-3-Clause
// Requirements on kernel bodies, checked at a launch.
#pragma once

#include "kernels/exec/portable.hpp"

#include <type_traits>

namespace pivotlab {

/// Returns how many blocks make a cluster of the kernel: Body::cluster_blocks, or 1 if the body has no such member.
template <class Body>
constexpr int cluster_blocks() {
  if constexpr (requires { Body::cluster_blocks; })
    return Body::cluster_blocks;
  else
    return 1;
}

/// Returns whether all blocks of a grid run at the same time and may wait for one another: Body::resident, or false.
template <class Body>
constexpr bool is_resident() {
  if constexpr (requires { Body::resident; })
    return Body::resident;
  else
    return false;
}

template <class Body>
constexpr void check_body() {
  static_assert(Body::threads % warp_size == 0 && Body::threads > 0 && Body::threads <= 1024,
                "a block has whole warps, at most 32 of them");
  static_assert(Body::min_blocks >= 1);
  static_assert(cluster_blocks<Body>() >= 1 && cluster_blocks<Body>() <= 16, "a cluster has at most 16 blocks");
  static_assert(!is_resident<Body>() || cluster_blocks<Body>() == 1, "a resident grid has no clusters");
  static_assert(std::is_trivially_copyable_v<typename Body::Arguments> && sizeof(typename Body::Arguments) <= 4096,
                "arguments are passed by value to the device");
}

}  // namespace pivotlab
