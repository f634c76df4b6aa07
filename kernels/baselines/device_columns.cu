// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/baselines/device_columns.hpp"
#include "kernels/exec/cuda_error.hpp"

namespace pivotlab::baselines {
namespace {

constexpr int threads = 256;

/// Returns the sum or the maximum over a block to all of its threads, in a fixed order.
template <class Combine>
__device__ double over_block(double value, double* shared, Combine combine) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

/// One block per column. The column is scaled by a power of two, which rounds nothing.
__global__ void __launch_bounds__(threads) norms_kernel(const double* A, std::ptrdiff_t height, double* norms) {
  __shared__ double shared[threads];
  const double* column = A + blockIdx.x * height;
  double largest = 0;
  for (std::ptrdiff_t i = threadIdx.x; i < height; i += threads) largest = fmax(largest, fabs(column[i]));
  largest = over_block(largest, shared, [](double a, double b) { return fmax(a, b); });
  const int exponent = largest > 0 && isfinite(largest) ? ilogb(largest) : 0;
  double sum = 0;
  for (std::ptrdiff_t i = threadIdx.x; i < height; i += threads) {
    const double x = ldexp(column[i], -exponent);
    sum = fma(x, x, sum);
  }
  sum = over_block(sum, shared, [](double a, double b) { return a + b; });
  if (threadIdx.x == 0) norms[blockIdx.x] = ldexp(sqrt(sum), exponent);
}

__global__ void __launch_bounds__(threads) divide_kernel(double* A, std::ptrdiff_t height, const double* divisors) {
  double* column = A + blockIdx.x * height;
  const double divisor = divisors[blockIdx.x];
  for (std::ptrdiff_t i = threadIdx.x; i < height; i += threads) column[i] = divisor == 0 ? 0 : column[i] / divisor;
}

}  // namespace

void column_norms(const double* A, std::ptrdiff_t height, std::ptrdiff_t count, double* norms, cudaStream_t stream) {
  norms_kernel<<<static_cast<unsigned>(count), threads, 0, stream>>>(A, height, norms);
  cuda::check(cudaGetLastError(), "column_norms");
}

void divide_columns(double* A, std::ptrdiff_t height, std::ptrdiff_t count, const double* divisors,
                    cudaStream_t stream) {
  divide_kernel<<<static_cast<unsigned>(count), threads, 0, stream>>>(A, height, divisors);
  cuda::check(cudaGetLastError(), "divide_columns");
}

}  // namespace pivotlab::baselines
