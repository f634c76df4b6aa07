// SPDX-License-Identifier: BSD-3-Clause
// Declares what the wrappers of cuBLAS and cuSOLVER share. The header is plain, because nvcc reads it, too.
#pragma once

#include "kernels/exec/device_memory.hpp"
#include "kernels/exec/pool.hpp"
#include "kernels/libraries/options.hpp"

#include <cublas_v2.h>

#include <complex>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <source_location>
#include <stdexcept>

namespace pivotlab::cuda {

inline int size(Index n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("a dimension does not fit into the integers of cuBLAS and cuSOLVER");
  return static_cast<int>(n);
}

/// Has what cuBLAS and cuSOLVER share as libraries of PooledHandle. Handles have memory of the GPU, also those
/// that nobody uses; so few are kept, and none when memory is short.
template <class Library, class HandleOfLibrary>
struct Handles {
  using Handle = HandleOfLibrary;
  static constexpr std::size_t most_kept = 8;

  static Pool<Handle>& pool() {
    static Pool<Handle>& all = *[] {
      on_shortage([]() noexcept { pool().clear(); });
      return new Pool<Handle>(most_kept, Library::destroy);
    }();
    return all;
  }
  static std::uint64_t context() noexcept { return cuda::context(); }
  static bool is_idle(std::uint64_t given) noexcept { return cuda::is_idle(given); }
};

/// Conversion of arguments: to the complex type of the libraries.
template <class X>
X raw(X x) {
  return x;
}
inline cuDoubleComplex* raw(std::complex<double>* x) {
  return reinterpret_cast<cuDoubleComplex*>(x);
}
inline const cuDoubleComplex* raw(const std::complex<double>* x) {
  return reinterpret_cast<const cuDoubleComplex*>(x);
}

inline cublasSideMode_t cublas(Side side) {
  return side == Side::left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
inline cublasFillMode_t cublas(Triangle triangle) {
  return triangle == Triangle::upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
template <class T>
cublasOperation_t cublas(Op op) {
  return op == Op::none ? CUBLAS_OP_N : is_complex<T> && op == Op::adjoint ? CUBLAS_OP_C : CUBLAS_OP_T;
}

}  // namespace pivotlab::cuda
