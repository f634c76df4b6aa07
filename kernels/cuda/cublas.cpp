#include <kernels/cuda/cublas.hpp>
#include <kernels/cuda/library.hpp>

namespace pivotlab::cuda {
namespace {

// The types of cublas_api.h: handles are pointers, enumerations are int.
struct Cublas {
  Library library{"cublas", {"13", "12"}};
  int (*create)(void**) = library.symbol<int(void**)>("cublasCreate_v2");
  int (*destroy)(void*) = library.symbol<int(void*)>("cublasDestroy_v2");
  int (*set_stream)(void*, void*) = library.symbol<int(void*, void*)>("cublasSetStream_v2");
  using Dgemm = int(void*, int, int, int, int, int, const double*, const double*, int, const double*, int,
                    const double*, double*, int);
  Dgemm* dgemm = library.symbol<Dgemm>("cublasDgemm_v2");
};

const Cublas& cublas() {
  static const Cublas* loaded = new Cublas;  // never unloaded: at exit, CUDA may be gone before it
  return *loaded;
}

void check(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + ": failed with status " + std::to_string(status));
}

}  // namespace

CublasHandle::CublasHandle(void* stream) {
  check(cublas().create(&handle_), "cublasCreate");
  check(cublas().set_stream(handle_, stream), "cublasSetStream");
}

CublasHandle::~CublasHandle() {
  if (handle_) cublas().destroy(handle_);
}

bool CublasHandle::available() {
  try {
    return cublas().dgemm != nullptr;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void CublasHandle::dgemm(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
                         MatrixView<double> C) const {
  const double one = 1, zero = 0;
  const Index inner = transpose_a ? A.rows : A.cols;
  check(cublas().dgemm(handle_, transpose_a, transpose_b, static_cast<int>(C.rows), static_cast<int>(C.cols),
                       static_cast<int>(inner), &one, A.data, static_cast<int>(A.stride), B.data,
                       static_cast<int>(B.stride), &zero, C.data, static_cast<int>(C.stride)),
        "cublasDgemm");
}

}  // namespace pivotlab::cuda
