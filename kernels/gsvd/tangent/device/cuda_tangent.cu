// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/gsvd/tangent/device/cuda_library.hpp"
#include "kernels/gsvd/tangent/device/device_machine.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/device/tangent_driver.hpp"
#include "kernels/gsvd/tangent/shared/pipeline.hpp"

#include <utility>

namespace pivotlab::tangent {
namespace {

/// Executor of Kernels on a stream that the caller owns.
class StreamExecutor {
 public:
  explicit StreamExecutor(cudaStream_t stream) : stream_(stream) {}

  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) const {
    auto copy = arguments;
    void* parameters[] = {&copy};
    cuda::launch(cuda::launch_of<Body>(blocks, shared_bytes, parameters), stream_);
  }
  /// `from` is pageable memory, which has been copied when this returns.
  template <class X>
  void upload(X* to, const X* from, std::size_t count) const {
    cuda::check(cudaMemcpyAsync(to, from, count * sizeof(X), cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
  }
  template <class X>
  void download(X* to, const X* from, std::size_t count) const {
    cuda::check(cudaMemcpyAsync(to, from, count * sizeof(X), cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

 private:
  cudaStream_t stream_;
};

using CudaMachine = DeviceMachine<Kernels<StreamExecutor>, CudaLibrary>;

}  // namespace

template <class T>
struct DeviceTangent<T>::Parts {
  Parts(const Shape& shape, const TangentVariant& variant, cudaStream_t stream, Observer observer)
      : executor(stream),
        machine(Kernels<StreamExecutor>(executor), CudaLibrary(stream), std::move(observer)),
        pipeline(machine, shape, variant) {}

  StreamExecutor executor;
  CudaMachine machine;
  Pipeline<T, CudaMachine> pipeline;
};

template <class T>
DeviceTangent<T>::DeviceTangent(const Shape& shape, const TangentVariant& variant, void* stream, Observer observer)
    : parts_(std::make_unique<Parts>(shape, variant, static_cast<cudaStream_t>(stream), std::move(observer))) {}

template <class T>
DeviceTangent<T>::~DeviceTangent() = default;

template <class T>
std::size_t DeviceTangent<T>::workspace_bytes() const {
  return parts_->pipeline.workspace_bytes();
}

template <class T>
Outcome DeviceTangent<T>::run(MatrixView<const T> F, MatrixView<const T> G, const Factors<T>& factors,
                              bool estimate_errors, void* workspace) {
  return parts_->pipeline.run(F, G, factors, estimate_errors, workspace);
}

template class DeviceTangent<double>;
template class DeviceTangent<std::complex<double>>;

}  // namespace pivotlab::tangent
