// Functions that both compilers translate: nvcc for the device and the host, the C++ compiler for the host alone.
#pragma once

#ifdef __CUDACC__
#define PIVOTLAB_DEVICE __host__ __device__
#else
#define PIVOTLAB_DEVICE
#endif

namespace pivotlab {

inline constexpr int warp_size = 32;

/// What a context's load2 returns.
struct DoublePair {
  double x, y;
};

}  // namespace pivotlab
