// SPDX-License-Identifier: BSD-3-Clause
// Products of residues: bytes, with sums in 32 bits, which are exact for at most 65536 terms. This header is plain C++,
// which a device compiler also reads.
#pragma once

#include <cstdint>
#include <pivotlab/matrix.hpp>

namespace pivotlab::exact {

/// Describes C_t := A_tᵀ·B_t, or C_t + A_tᵀ·B_t, for 0 ≤ t < count: columns of `inner` bytes, contiguous, at a distance
/// of `stride`; planes[t] follow each other at a distance of `plane`. Inner length, numbers of columns and strides are
/// multiples of 32.
struct IntegerProducts {
  struct Factor {
    const std::int8_t* data;
    Index stride, plane;
  } A, B;
  std::int32_t* C;
  Index c_stride, c_plane;
  Index rows, cols, inner;
  int count;
  bool adds;
};

/// Multiplies on the host with plain loops; threads change no bit.
class HostIntegers {
 public:
  template <class Executor>
  explicit HostIntegers(const Executor&) {}
  void multiply(const IntegerProducts& products) const;
};

}  // namespace pivotlab::exact
