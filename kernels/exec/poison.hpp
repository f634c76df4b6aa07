// SPDX-License-Identifier: BSD-3-Clause
// The initial contents of memory of the host's executor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pivotlab::host {

/// Fills memory: every double in it is a signaling NaN, every int a number too large for an index.
inline void poison(void* memory, std::size_t bytes) {
  constexpr std::uint64_t pattern = 0x7ff4dead7ff4dead;
  const std::size_t words = bytes / sizeof pattern, rest = bytes % sizeof pattern;
  std::fill_n(static_cast<std::uint64_t*>(memory), words, pattern);
  if (rest > 0) std::memcpy(static_cast<std::uint64_t*>(memory) + words, &pattern, rest);
}

}  // namespace pivotlab::host
