// SPDX-License-Identifier: BSD-3-Clause
// The tangent path on the first GPU, with copies of the matrices of the host.
#include "kernels/exec/device_matrix.hpp"
#include "kernels/gsvd/tangent/device/tangent_driver.hpp"
#include "kernels/gsvd/tangent/shared/attempt.hpp"
#include "kernels/numerics/first_touch.hpp"

#include <complex>
#include <memory>
#include <type_traits>

namespace pivotlab::tangent {

using cuda::check;
using cuda::DeviceMatrix;

template <class T>
Attempt<T> attempt_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  const Index n = F.cols;
  check(cudaSetDevice(0), "cudaSetDevice");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  const std::unique_ptr<std::remove_pointer_t<cudaStream_t>, decltype(&cudaStreamDestroy)> owner(stream,
                                                                                                 cudaStreamDestroy);
  DeviceTangent<T> solver({F.rows, G.rows, n}, options.variant, stream);
  const DeviceMatrix<T> f(F, stream), g(G, stream), U(F.rows, n), V(G.rows, n), Z(n, n),
      X(n, options.compute_x ? n : 0);
  const auto workspace = cuda::allocate<char>(static_cast<Index>(solver.workspace_bytes()));

  const auto memory = [](const DeviceMatrix<T>& A) { return Matrix<T>::uninitialized(A.rows(), A.cols()); };
  Attempt<T> result{.outcome = {}, .U = memory(U), .V = memory(V), .Z = memory(Z), .X = memory(X)};
  {
    const FirstTouch touch(options.threads, result.U, result.V, result.Z, result.X);
    cuda::DeviceStopwatch stopwatch(stream);
    result.outcome = solver.run(f.view(), g.view(), {U.view(), V.view(), Z.view(), X.view()}, options.estimate_errors,
                                workspace.data());
    result.compute_seconds = stopwatch.stop();
  }
  if (result.outcome.breakdown != Breakdown::none) {
    result.U = {}, result.V = {}, result.Z = {}, result.X = {};
    return result;
  }
  U.download(result.U, stream), V.download(result.V, stream), Z.download(result.Z, stream);
  if (options.compute_x) X.download(result.X, stream);
  return result;
}

template decltype(attempt_on_cuda<double>) attempt_on_cuda<double>;
template decltype(attempt_on_cuda<std::complex<double>>) attempt_on_cuda<std::complex<double>>;

}  // namespace pivotlab::tangent
