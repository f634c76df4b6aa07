// SPDX-License-Identifier: BSD-3-Clause
// Pointers to shared memory on the host.
#pragma once

#include <cstddef>
#include <type_traits>

namespace pivotlab {

namespace host {
[[noreturn]] void report_overrun(std::ptrdiff_t first, std::ptrdiff_t count, std::ptrdiff_t size);
[[noreturn]] void report_outside(std::ptrdiff_t offset, std::ptrdiff_t bytes, std::ptrdiff_t available);
[[noreturn]] void report_no_rank(int rank, int blocks);
[[noreturn]] void report_misaligned(const void* address, std::size_t alignment);

inline void check_aligned(const void* address, std::size_t alignment) {
  if (reinterpret_cast<std::size_t>(address) % alignment != 0) report_misaligned(address, alignment);
}
}  // namespace host

/// A pointer with the bounds of its array: every access is checked, also after arithmetic.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(T* first, std::ptrdiff_t size) : first_(first), size_(size) {}
  template <class U>
  requires std::is_same_v<const U, T> SharedArray(const SharedArray<U>& other)
      : first_(other.first_), size_(other.size_), at_(other.at_) {}

  T& operator[](std::ptrdiff_t i) const { return *checked(i, 1); }
  T& operator*() const { return *checked(0, 1); }
  T* operator->() const { return checked(0, 1); }

  SharedArray& operator+=(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  SharedArray& operator-=(std::ptrdiff_t n) { return *this += -n; }
  friend SharedArray operator+(SharedArray a, std::ptrdiff_t n) { return a += n; }
  friend SharedArray operator-(SharedArray a, std::ptrdiff_t n) { return a -= n; }

  /// Returns the address of 16 bytes that are read or written at once.
  T* vector() const {
    T* address = checked(0, 16 / sizeof(T));
    host::check_aligned(address, 16);
    return address;
  }

 private:
  template <class>
  friend class SharedArray;

  T* checked(std::ptrdiff_t i, std::ptrdiff_t count) const {
    if (at_ + i < 0 || at_ + i + count > size_) host::report_overrun(at_ + i, count, size_);
    return first_ + at_ + i;
  }

  T* first_ = nullptr;
  std::ptrdiff_t size_ = 0;
  std::ptrdiff_t at_ = 0;
};

}  // namespace pivotlab
