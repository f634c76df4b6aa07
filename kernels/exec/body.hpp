// Requirements on kernel bodies, checked at a launch.
#pragma once

#include "kernels/exec/portable.hpp"

#include <type_traits>

namespace pivotlab {

template <class Body>
constexpr void check_body() {
  static_assert(Body::threads % warp_size == 0 && Body::threads > 0 && Body::threads <= 1024,
                "a block has whole warps, at most 32 of them");
  static_assert(Body::min_blocks >= 1);
  static_assert(std::is_trivially_copyable_v<typename Body::Arguments> && sizeof(typename Body::Arguments) <= 4096,
                "arguments are passed by value to the device");
}

}  // namespace pivotlab
