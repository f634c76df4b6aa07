// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting: the largest of the elements that a thread has seen.
#pragma once

#include "kernels/ldlt/device/stage.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <bit>

namespace pivotlab::ldlt_device {

/// The best candidate of a thread and a threshold for quick comparisons with it.
template <class T>
class ThreadBest {
 public:
  PIVOTLAB_DEVICE const Candidate<T>& candidate() const { return best_; }

  /// Returns a bound: screen(x) of every better element in this or a later column exceeds it.
  PIVOTLAB_DEVICE double threshold(std::int64_t column) const {
    return !is_complex<T> && column >= column_ ? best_.size : threshold_;
  }
  /// Returns one for elements of any place.
  PIVOTLAB_DEVICE double bound() const { return threshold_; }
  /// Returns |x|, or for complex numbers |x|², which is cheaper.
  static PIVOTLAB_DEVICE double screen(const T& x) {
    if constexpr (is_complex<T>)
      return fused(x.real(), x.real(), x.imag() * x.imag());
    else
      return absolute(x);
  }
  PIVOTLAB_DEVICE void consider(const T& x, std::int64_t row, std::int64_t column) {
    const double size = ldlt_detail::modulus(x);
    const std::int64_t place = column << 32 | row;
    if (!(size > best_.size || (size == best_.size && place < best_.place))) return;
    best_ = {size, place, x};
    column_ = column;
    if constexpr (is_complex<T>) {
      const double square = best_.size * best_.size;
      threshold_ = square < 0x1p-960 ? -1 : square * (1 - 0x1p-45);  // rounding and underflow hide no element
    } else {
      threshold_ = best_.size == 0 ? -1 : std::bit_cast<double>(std::bit_cast<std::int64_t>(best_.size) - 1);
    }
  }

 private:
  Candidate<T> best_ = Candidate<T>::none();
  std::int64_t column_ = 0;
  double threshold_ = 0;
};

}  // namespace pivotlab::ldlt_device
