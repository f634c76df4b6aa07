// The machine of a GPU. Compiled by nvcc only.
#pragma once

#include "kernels/cuda/cublas_handle.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/extended/machine.hpp"

namespace pivotlab::extended {

class CublasGemm {
 public:
  explicit CublasGemm(CudaExecutor& executor) : handle_(executor.stream()) {}
  void operator()(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
                  MatrixView<double> C) const {
    handle_.dgemm(transpose_a, A, transpose_b, B, C);
  }

 private:
  cuda::CublasHandle handle_;
};

using CudaMachine = Machine<CudaExecutor, CublasGemm>;

}  // namespace pivotlab::extended
