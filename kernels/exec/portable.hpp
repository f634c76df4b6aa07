// SPDX-License-Identifier: BSD-3-Clause
// Macros for functions that both compilers translate: nvcc for device and host, the C++ compiler for the host only.
#pragma once

#ifdef __CUDACC__
#define PIVOTLAB_DEVICE __host__ __device__
#else
#define PIVOTLAB_DEVICE
#endif

namespace pivotlab {

inline constexpr int warp_size = 32;

/// A number with the number of its message, twice: a device writes and reads eight bytes at once, so that both halves
/// with the right number are the whole of the message. Zeros are no message; the first has the number 1.
struct alignas(16) NumberedDouble {
  unsigned low, number, high, number_again;
};

/// Result of a context's load2.
struct DoublePair {
  double x, y;
};

}  // namespace pivotlab
