// SPDX-License-Identifier: BSD-3-Clause
// The execution context of the device (README.md describes each call). Compiled by nvcc only.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace pivotlab {

namespace cuda {
inline constexpr unsigned all_lanes = 0xffffffffu;

extern __shared__ __align__(16) unsigned char dynamic_shared_memory[];
}  // namespace cuda

template <int Threads>
class CudaContext {
 public:
  __device__ static int block() { return static_cast<int>(blockIdx.x); }
  __device__ static int blocks() { return static_cast<int>(gridDim.x); }
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static constexpr int threads() { return Threads; }
  __device__ static int warp() { return thread() / warp_size; }
  __device__ static int lane() { return thread() % warp_size; }

  template <class T>
  __device__ static T* shared(int offset, int /*count*/) {
    return reinterpret_cast<T*>(cuda::dynamic_shared_memory + offset);
  }

  __device__ static void sync() { __syncthreads(); }
  __device__ static int count(bool x) { return __syncthreads_count(x); }
  __device__ static void sync_warp() { __syncwarp(); }

  __device__ static int cluster_rank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
  }
  template <class T>
  __device__ static T* cluster_shared(int rank, int offset, int /*count*/) {
    const auto own = reinterpret_cast<unsigned long long>(cuda::dynamic_shared_memory + offset);
    unsigned long long other;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
    return reinterpret_cast<T*>(other);
  }
  __device__ static void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
  }

  __device__ static bool warp_any(bool x) {
    const bool any = __any_sync(cuda::all_lanes, x);
    __syncwarp();  // the vote alone does not order memory
    return any;
  }

  __device__ static unsigned warp_max(unsigned x) { return __reduce_max_sync(cuda::all_lanes, x); }

  template <class Ready>
  __device__ static bool wait_until(const Ready& ready, int* gave_up) {
    constexpr int look_at_others = 1024, most_tries = 1 << 22;  // a second or more
    bool waits = true;
    for (int tries = 1; waits && !ready(); ++tries)
      if (tries % look_at_others == 0) waits = tries < most_tries && *static_cast<volatile int*>(gave_up) == 0;
    if (!waits) *static_cast<volatile int*>(gave_up) = 1;
    return !__syncthreads_or(!waits);
  }
  __device__ static void send(NumberedDouble* to, double x, unsigned number) {
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};"
                 :
                 : "l"(to), "r"(__double2loint(x)), "r"(number), "r"(__double2hiint(x))
                 : "memory");
  }
  __device__ static bool receive(const NumberedDouble* from, unsigned number, double& x) {
    int low, high;
    unsigned first, second;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(low), "=r"(first), "=r"(high), "=r"(second)
                 : "l"(from)
                 : "memory");
    x = __hiloint2double(high, low);
    return first == number && second == number;
  }

  __device__ static void raise(std::int32_t* x, std::int32_t least) { atomicMax(x, least); }

  template <class T>
  __device__ static T shuffle_xor(T x, int mask) {
    return __shfl_xor_sync(cuda::all_lanes, x, mask);
  }
  template <class T>
  __device__ static T shuffle(T x, int lane) {
    return __shfl_sync(cuda::all_lanes, x, lane);
  }

  __device__ static void mma(double (&c)[4], const double (&a)[2], const double (&b)[1]) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  }
  __device__ static void mma(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  }
  __device__ static void mma(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
        "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
  }

  template <int levels, int digits>
  __device__ static void mma(std::int32_t (&c)[levels][4], const std::uint32_t (&a)[digits][4],
                             const std::uint32_t (&b)[digits][2]) {
#pragma unroll
    for (int d = 0; d < digits; ++d)
#pragma unroll
      for (int e = 0; e < digits; ++e)
        if (const int l = d + e; l < levels)
          asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+r"(c[l][0]), "+r"(c[l][1]), "+r"(c[l][2]), "+r"(c[l][3])
              : "r"(a[d][0]), "r"(a[d][1]), "r"(a[d][2]), "r"(a[d][3]), "r"(b[e][0]), "r"(b[e][1]));
  }

  template <class T>
  __device__ static void copy_async(T* to, const T* from) {
    static_assert(16 % sizeof(T) == 0);
    const auto target = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(target), "l"(from) : "memory");
  }
  __device__ static void commit() {
    asm volatile("cp.async.commit_group;" : : : "memory");
  }
  template <int N>
  __device__ static void wait() {
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
  }

  __device__ static DoublePair load2(const double* from) {
    const double2 pair = *reinterpret_cast<const double2*>(from);
    return {pair.x, pair.y};
  }
  __device__ static DoublePair load2_constant(const double* from) {
    DoublePair pair;
    asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(pair.x), "=d"(pair.y) : "l"(from));
    return pair;
  }
  // The compiler would divide these stores.
  __device__ static void store(double* to, const double (&x)[2]) {
    asm volatile("st.global.v2.f64 [%0], {%1, %2};" : : "l"(to), "d"(x[0]), "d"(x[1]) : "memory");
  }
  __device__ static void store(float* to, const float (&x)[2]) {
    asm volatile("st.global.v2.f32 [%0], {%1, %2};" : : "l"(to), "f"(x[0]), "f"(x[1]) : "memory");
  }
  __device__ static void store(float* to, const float (&x)[4]) {
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(to), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3])
                 : "memory");
  }
  __device__ static void store2(double* to, double x, double y) {
    *reinterpret_cast<double2*>(to) = make_double2(x, y);
  }
};

}  // namespace pivotlab
