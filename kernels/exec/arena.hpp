// SPDX-License-Identifier: BSD-3-Clause
// Pieces of a workspace.
#pragma once

#include <cstddef>

namespace pivotlab {

/// Takes aligned pieces from a block of memory; of a null block it only counts.
class Arena {
 public:
  explicit Arena(void* block) : block_(static_cast<unsigned char*>(block)) {}
  template <class T>
  T* take(std::ptrdiff_t count) {
    constexpr std::size_t alignment = 256;
    T* piece = block_ ? reinterpret_cast<T*>(block_ + used_) : nullptr;
    used_ += (static_cast<std::size_t>(count) * sizeof(T) + alignment - 1) / alignment * alignment;
    return piece;
  }
  std::size_t used() const { return used_; }

 private:
  unsigned char* block_;
  std::size_t used_ = 0;
};

}  // namespace pivotlab
