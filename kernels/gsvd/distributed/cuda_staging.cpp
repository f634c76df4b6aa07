// SPDX-License-Identifier: BSD-3-Clause
// Page-locked host memory, and copies between it and a GPU.
#include "kernels/exec/cuda_error.hpp"
#include "kernels/gsvd/distributed/staged_transport.hpp"

#include <array>
#include <new>
#include <vector>

namespace pivotlab {
namespace {

using cuda::check;

/// Ordinary memory that is page-locked if the system permits; otherwise copies are slower. Memory of cudaHostAlloc()
/// would be a mapping of the driver, which other processes, and therefore an MPI that copies between processes, may be
/// unable to read.
class LockedMemory {
 public:
  explicit LockedMemory(std::size_t bytes)
      : data_(::operator new(bytes, page)),
        locked_(cudaHostRegister(data_, bytes, cudaHostRegisterPortable) == cudaSuccess) {
    if (!locked_) cudaGetLastError();  // a later call must not report this error
  }
  LockedMemory(const LockedMemory&) = delete;
  LockedMemory& operator=(const LockedMemory&) = delete;
  ~LockedMemory() {
    if (locked_) cudaHostUnregister(data_);
    ::operator delete(data_, page);
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  static constexpr std::align_val_t page{4096};
  void* data_;
  bool locked_;
};

class CudaStaging final : public Staging {
 public:
  explicit CudaStaging(int device) {
    check(cudaSetDevice(device), "cudaSetDevice");
    for (cudaStream_t& stream : streams_)
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  CudaStaging(const CudaStaging&) = delete;
  CudaStaging& operator=(const CudaStaging&) = delete;
  ~CudaStaging() override {
    for (cudaStream_t stream : streams_) {
      cudaStreamSynchronize(stream);  // an aborted exchange may still copy
      cudaStreamDestroy(stream);
    }
  }

  std::byte* allocate(std::size_t bytes) override {
    return memory_.emplace_back(std::make_unique<LockedMemory>(bytes))->data();
  }
  void begin(Way way, void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, way == to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice,
                          streams_[way]),
          "cudaMemcpyAsync");
  }
  void wait(Way way) override { check(cudaStreamSynchronize(streams_[way]), "cudaStreamSynchronize"); }

 private:
  std::vector<std::unique_ptr<LockedMemory>> memory_;
  std::array<cudaStream_t, 2> streams_{};  // by way
};

}  // namespace

std::unique_ptr<Staging> make_cuda_staging(int device) {
  return std::make_unique<CudaStaging>(device);
}

}  // namespace pivotlab
