// SPDX-License-Identifier: BSD-3-Clause
// Multiplies residues by cuBLAS, on INT8 tensor cores.
#pragma once

#include "kernels/exact/integer_products.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/libraries/cublas.hpp"

namespace pivotlab::exact {

class CublasIntegers {
 public:
  explicit CublasIntegers(const CudaExecutor& executor) : blas_(executor.stream()) {}

  void multiply(const IntegerProducts& p) const {
    blas_.multiply_bytes({{p.A.data, p.inner, p.rows, p.A.stride}, p.A.plane},
                         {{p.B.data, p.inner, p.cols, p.B.stride}, p.B.plane}, p.adds,
                         {{p.C, p.rows, p.cols, p.c_stride}, p.c_plane}, p.count);
  }

 private:
  cuda::Cublas blas_;
};

}  // namespace pivotlab::exact
