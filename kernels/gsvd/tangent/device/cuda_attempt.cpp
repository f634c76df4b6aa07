// The tangent path on the first GPU, with copies of the matrices of the host.
#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/staged_copy.hpp"
#include "kernels/gsvd/tangent/device/device_tangent.hpp"
#include "kernels/gsvd/tangent/shared/attempt.hpp"
#include "kernels/numerics/first_touch.hpp"

#include <cuda_runtime_api.h>
#include <memory>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::tangent {
namespace {

using cuda::check;

struct Release {
  void operator()(void* memory) const { cudaFree(memory); }
};
using Memory = std::unique_ptr<void, Release>;

Memory allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return Memory(memory);
}

/// A matrix of the GPU.
template <class T>
class OnDevice {
 public:
  OnDevice(Index rows, Index cols)
      : memory_(allocate(std::max<std::size_t>(static_cast<std::size_t>(rows * cols) * sizeof(T), 1))),
        view_{static_cast<T*>(memory_.get()), rows, cols, rows} {}
  OnDevice(MatrixView<const T> A, cudaStream_t stream) : OnDevice(A.rows, A.cols) {
    if (A.stride == A.rows) {
      cuda::copy(view_.data, A.data, bytes(A.rows * A.cols), cudaMemcpyHostToDevice, stream);
      return;
    }
    check(cudaMemcpy2DAsync(view_.data, bytes(view_.stride), A.data, bytes(A.stride), bytes(A.rows),
                            static_cast<std::size_t>(A.cols), cudaMemcpyHostToDevice, stream),
          "cudaMemcpy2DAsync");
    check(cudaStreamSynchronize(stream), "cudaMemcpy2DAsync");
  }

  MatrixView<T> view() const { return view_; }
  void download(Matrix<T>& to, cudaStream_t stream) const {
    cuda::copy(to.data(), view_.data, bytes(to.size()), cudaMemcpyDeviceToHost, stream);
  }

 private:
  static std::size_t bytes(Index count) { return static_cast<std::size_t>(count) * sizeof(T); }

  Memory memory_;
  MatrixView<T> view_;
};

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, decltype(&cudaStreamDestroy)>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, decltype(&cudaEventDestroy)>;

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return {event, cudaEventDestroy};
}

}  // namespace

template <class T>
Attempt<T> attempt_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  const Index n = F.cols;
  check(cudaSetDevice(0), "cudaSetDevice");
  cudaStream_t raw = nullptr;
  check(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  const Stream stream(raw, cudaStreamDestroy);
  DeviceTangent<T> solver({F.rows, G.rows, n}, options.variant, raw);
  const OnDevice<T> f(F, raw), g(G, raw), U(F.rows, n), V(G.rows, n), Z(n, n), X(n, options.compute_x ? n : 0);
  const Memory workspace = allocate(solver.workspace_bytes());
  const Event begin = make_event(), end = make_event();

  const auto memory = [](MatrixView<T> A) { return Matrix<T>::uninitialized(A.rows, A.cols); };
  Attempt<T> result{
      .outcome = {}, .U = memory(U.view()), .V = memory(V.view()), .Z = memory(Z.view()), .X = memory(X.view())};
  {
    const FirstTouch touch(options.threads, result.U, result.V, result.Z, result.X);
    check(cudaEventRecord(begin.get(), raw), "cudaEventRecord");
    result.outcome = solver.run(f.view(), g.view(), {U.view(), V.view(), Z.view(), X.view()}, options.estimate_errors,
                                workspace.get());
    check(cudaEventRecord(end.get(), raw), "cudaEventRecord");
    check(cudaEventSynchronize(end.get()), "the tangent path on the GPU");
  }
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  result.compute_seconds = 1e-3 * static_cast<double>(milliseconds);
  if (result.outcome.breakdown != Breakdown::none) {
    result.U = {}, result.V = {}, result.Z = {}, result.X = {};
    return result;
  }
  U.download(result.U, raw), V.download(result.V, raw), Z.download(result.Z, raw);
  if (options.compute_x) X.download(result.X, raw);
  return result;
}

using Complex = std::complex<double>;
template Attempt<double> attempt_on_cuda(MatrixView<const double>, MatrixView<const double>, const TangentOptions&);
template Attempt<Complex> attempt_on_cuda(MatrixView<const Complex>, MatrixView<const Complex>, const TangentOptions&);

}  // namespace pivotlab::tangent
