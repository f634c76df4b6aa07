// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/cusolver.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::baselines {
namespace {

void check_geev(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_NOT_SUPPORTED)
    throw NotSupported("cuSOLVER: this version does not have the algorithm for this matrix; take cusolver:?geev");
  check(status, "Xgeev");
}

template <class T>
void geev(MatrixView<const T> A, bool left, cusolverAlgMode_t algorithm, EigResult<double>& result) {
  using Complex = std::complex<double>;
  if (left) throw NotSupported("cuSOLVER: Xgeev has no left eigenvectors; take lapack:?geev for them");
  gpu();
  const auto& library = cuda::cusolver_routines();
  if (library.geev == nullptr)
    throw NotSupported("cuSOLVER: this version has no Xgeev; install that of CUDA 12.8 or later");
  const auto parameters = algorithm_of(WithAlgorithms::geev, algorithm);
  const Index n = A.rows;
  const DeviceMatrix<T> matrix = to_device<T>(A), V(n, n);
  const auto values = allocate<Complex>(n);
  const auto call = [&](auto* routine, auto... last) {
    check_geev(routine(gpu().solver.handle(), parameters, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR, n,
                       type_of<T>, matrix.view().data, n, CUDA_C_64F, values.data(), type_of<T>, nullptr, n, type_of<T>,
                       V.view().data, n, type_of<T>, last...));
  };
  const bool converged =
      timed("Xgeev", with_workspaces(call, library.geev_bytes, library.geev), result.compute_seconds);
  result.eigenvalues = download(values.data(), n);
  result.V = unpacked_vectors(to_host(V), result.eigenvalues);
  require_convergence(converged, "the QR algorithm does not converge");
}

}  // namespace

template <class T>
void cusolver_geev(MatrixView<const T> A, bool left, EigResult<double>& result) {
  geev(A, left, CUSOLVER_ALG_0, result);
}
template <class T>
void cusolver_geev_mixed(MatrixView<const T> A, bool left, EigResult<double>& result) {
  geev(A, left, CUSOLVER_ALG_1, result);
}

using Complex = std::complex<double>;
template decltype(cusolver_geev<double>) cusolver_geev<double>;
template decltype(cusolver_geev<Complex>) cusolver_geev<Complex>;
template decltype(cusolver_geev_mixed<double>) cusolver_geev_mixed<double>;
template decltype(cusolver_geev_mixed<Complex>) cusolver_geev_mixed<Complex>;

}  // namespace pivotlab::baselines
