// SPDX-License-Identifier: BSD-3-Clause
// Products of residues by cuBLAS, on INT8 tensor cores.
#pragma once

#include "kernels/exact/integer_products.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/libraries/cublas.hpp"

namespace pivotlab::exact {

class CublasIntegers {
 public:
  explicit CublasIntegers(const CudaExecutor& executor) : blas_(executor.stream()) {}

  void multiply(const IntegerProducts& p) const {
    for (int t = 0; t < p.count; ++t)
      blas_.multiply_bytes({p.A.data + t * p.A.plane, p.inner, p.rows, p.A.stride},
                           {p.B.data + t * p.B.plane, p.inner, p.cols, p.B.stride}, p.adds,
                           {p.C + t * p.c_plane, p.rows, p.cols, p.c_stride});
  }

 private:
  cuda::Cublas blas_;
};

}  // namespace pivotlab::exact
