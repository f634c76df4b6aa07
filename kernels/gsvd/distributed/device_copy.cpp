// SPDX-License-Identifier: BSD-3-Clause
// Copies between the GPUs that one process sees.
#include "kernels/exec/cuda_error.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/transport.hpp>

namespace pivotlab {
namespace {

using cuda::check;

/// Enables peer access between all GPUs if the host supports it; otherwise copies go through host memory.
void connect(int devices) {
  int current = 0;
  check(cudaGetDevice(&current), "cudaGetDevice");
  for (int device = 0; device < devices; ++device) {
    check(cudaSetDevice(device), "cudaSetDevice");
    for (int peer = 0; peer < devices; ++peer) {
      int possible = 0;
      if (peer != device) check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
      if (possible == 0) continue;
      const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
      else
        check(status, "cudaDeviceEnablePeerAccess");
    }
  }
  check(cudaSetDevice(current), "cudaSetDevice");
}

}  // namespace

CopyBytes copy_between_devices() {
  if (!why_no_device().empty()) return {};
  connect(static_cast<int>(list_devices().size()));
  return [](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cudaStreamPerThread), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize");
  };
}

}  // namespace pivotlab
