// SPDX-License-Identifier: BSD-3-Clause
// Memory of an executor.
#pragma once

#include <cstddef>
#include <utility>

namespace pivotlab {

/// `size()` elements that the kernels of one executor can access, released by the destructor. A buffer can be moved,
/// not copied. New memory is uninitialized.
template <class T>
class Buffer {
 public:
  using Release = void (*)(void*) noexcept;

  Buffer() = default;
  Buffer(T* data, std::size_t size, Release release) : data_(data), size_(size), release_(release) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), release_(other.release_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Buffer() {
    if (data_) release_(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  Release release_ = nullptr;
};

}  // namespace pivotlab
