#include "kernels/cuda/cublas_handle.hpp"

#include "kernels/cuda/cublas.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::cuda {
namespace {

cublasHandle_t typed(void* handle) {
  return static_cast<cublasHandle_t>(handle);
}

cublasOperation_t operation(bool transpose) {
  return transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
}

}  // namespace

CublasHandle::CublasHandle(void* stream) {
  cublasHandle_t handle = nullptr;
  check(cublas().create(&handle), "cublasCreate");
  handle_ = handle;
  check(cublas().set_stream(handle, static_cast<cudaStream_t>(stream)), "cublasSetStream");
}

CublasHandle::~CublasHandle() {
  cublas().destroy(typed(handle_));
}

bool CublasHandle::available() {
  try {
    cublas();
    return true;
  } catch (const NotSupported&) {
    return false;
  }
}

void CublasHandle::dgemm(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
                         MatrixView<double> C) const {
  const double one = 1, zero = 0;
  const Index inner = transpose_a ? A.rows : A.cols;
  check(cublas().dgemm(typed(handle_), operation(transpose_a), operation(transpose_b), static_cast<int>(C.rows),
                       static_cast<int>(C.cols), static_cast<int>(inner), &one, A.data, static_cast<int>(A.stride),
                       B.data, static_cast<int>(B.stride), &zero, C.data, static_cast<int>(C.stride)),
        "cublasDgemm");
}

}  // namespace pivotlab::cuda
