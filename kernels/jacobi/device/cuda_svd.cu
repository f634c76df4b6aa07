// SPDX-License-Identifier: BSD-3-Clause
// The SVD by eigenvectors of G*G on the first GPU, with copies of the matrices of the host.
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/device_matrix.hpp"
#include "kernels/gsvd/tangent/device/cuda_library.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"
#include "kernels/jacobi/device/spectral_svd.hpp"

#include <complex>

namespace pivotlab::jacobi {

template <class T>
SpectralSvdOutcome spectral_svd_on_cuda(MatrixView<const T> G, MatrixView<T> U, MatrixView<T> V,
                                        const tangent::Observer& observer, const std::function<void()>& before_copies) {
  CudaExecutor executor;
  const cudaStream_t stream = executor.stream();
  using Machine = tangent::Machine<tangent::Kernels<CudaExecutor>, tangent::CudaLibrary>;
  Machine machine(tangent::Kernels<CudaExecutor>(executor), tangent::CudaLibrary(stream), observer);
  SpectralSvd<T, Machine> svd(machine, G.rows, G.cols, [stream](const exact::Plan& plan) {
    return exact::make_cuda_product(plan, nullptr, CallerStream{stream});
  });
  const cuda::DeviceMatrix<T> g(G, stream), u(U.rows, U.cols), v(V.rows, V.cols);
  const auto workspace = cuda::allocate<char>(static_cast<Index>(svd.workspace_bytes()));
  cuda::DeviceStopwatch stopwatch(stream);
  SpectralSvdOutcome outcome = svd.run(g, u, v, workspace.data());
  outcome.compute_seconds = stopwatch.stop();
  if (before_copies) before_copies();
  u.download(U, stream), v.download(V, stream);
  executor.synchronize();
  return outcome;
}

template decltype(spectral_svd_on_cuda<double>) spectral_svd_on_cuda<double>;
template decltype(spectral_svd_on_cuda<std::complex<double>>) spectral_svd_on_cuda<std::complex<double>>;

}  // namespace pivotlab::jacobi
