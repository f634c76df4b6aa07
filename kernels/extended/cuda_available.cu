#include "kernels/cuda/cublas.hpp"
#include "kernels/extended/cuda_available.hpp"

#include <cuda_runtime_api.h>

namespace pivotlab::extended {

bool cuda_available() {
  static const bool available = [] {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 && cuda::CublasHandle::available();
  }();
  return available;
}

}  // namespace pivotlab::extended
