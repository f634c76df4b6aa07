// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/cusolver_svd.hpp>
#include <kernels/two_stage/shared/eigensolver.hpp>
#include <pivotlab/error.hpp>

#include <functional>
#include <memory>
#include <string>

namespace pivotlab::baselines {
namespace {

/// Computes A = U·diag(w)·Uᴴ by the tridiagonal form (Xsyevd with an algorithm of the library); U overwrites A.
template <class T>
auto tridiagonal(cusolverAlgMode_t algorithm, MatrixView<T> A, double* w) {
  const auto& library = cuda::cusolver_routines();
  return with_workspaces(bound("Xsyevd", algorithm_of(WithAlgorithms::syevd, algorithm), CUSOLVER_EIG_MODE_VECTOR,
                               CUBLAS_FILL_MODE_UPPER, A.rows, type_of<T>, A.data, A.stride, CUDA_R_64F, w, type_of<T>),
                         library.syevd_bytes, library.syevd);
}

/// Computes the same by our own reduction to tridiagonal form and back, and Xstedc.
template <class T>
auto own_reduction(MatrixView<T> A, double* w) {
  if (A.rows > two_stage::most_rows)
    throw NotSupported(std::string(pick<T>("cusolver:dstedc", "cusolver:zstedc")) + ";two-stage: matrices of at most " +
                       std::to_string(two_stage::most_rows) + " rows; take cusolver:" + pick<T>("dsyevd", "zheevd"));
  const std::shared_ptr solver = two_stage::make_cuda_eigensolver<T>(
      gpu().stream, {}, {two_stage::TridiagonalSolver::library, two_stage::Reduction::two_stages});
  return [=, work = allocate<char>(static_cast<Index>(solver->workspace_bytes(A.rows)))](int* info) {
    const int code = solver->solve(A, w, work.data()) == two_stage::Outcome::converged ? 0 : 1;
    check(cudaMemcpyAsync(info, &code, sizeof code, cudaMemcpyHostToDevice, gpu().stream), "cudaMemcpyAsync");
  };
}

/// Computes the same by two-sided Jacobi (xSYEVJ/xHEEVJ).
template <class T>
auto two_sided_jacobi(MatrixView<T> A, double* w) {
  const auto& library = cuda::cusolver_routines();
  const Parameters parameters(library.create_syevj_info, library.destroy_syevj_info);
  check(library.syevj_set_tolerance(parameters, 1e-15), "cusolverDnXsyevjSetTolerance");
  check(library.syevj_set_max_sweeps(parameters, 100), "cusolverDnXsyevjSetMaxSweeps");
  return with_workspace<T>(
      bound("xSYEVJ", CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(A.rows), A.data, size(A.stride), w),
      pick<T>(library.dsyevj_length, library.zheevj_length), pick<T>(library.dsyevj, library.zheevj), parameters);
}

/// `make` prepares a routine for a matrix and eigenvalues on the GPU.
template <class T, class Make>
void decompose(const char* name, Make make, MatrixView<const T> A_host, EighResult<T>& result) {
  gpu();
  const Index n = A_host.cols;
  const DeviceMatrix<T> A = to_device<T>(A_host);
  const auto values = allocate<double>(n);
  const bool converged = timed(name, make(A.view(), values.data()), result.compute_seconds);
  result.eigenvalues = download(values.data(), n);
  result.U = to_host(A);
  require_convergence(converged);
}

/// `make` prepares a routine for G, U, V and σ on the GPU.
template <class T, class Make>
void decompose(const char* name, Make make, MatrixView<const T> G_host, HsvdResult<T>& result) {
  gpu();
  const Index n = G_host.cols;
  const DeviceMatrix<T> G = to_device<T>(G_host), U(G.rows(), n), V(n, n);
  const auto sigma = allocate<double>(n);
  const bool converged = timed(name, make(G.view(), U.view(), V.view(), sigma.data()), result.compute_seconds);
  result.sigma = download(sigma.data(), n);
  result.U = to_host(U);
  result.V = to_host(V);
  require_convergence(converged);
}

}  // namespace

template <class T>
void cusolver_heevd(MatrixView<const T> A, EighResult<T>& result) {
  decompose("Xsyevd", std::bind_front(tridiagonal<T>, CUSOLVER_ALG_0), A, result);
}
template <class T>
void cusolver_heevd_two_stage(MatrixView<const T> A, EighResult<T>& result) {
  decompose("Xsyevd", std::bind_front(tridiagonal<T>, CUSOLVER_ALG_2), A, result);
}
template <class T>
void cusolver_stedc(MatrixView<const T> A, EighResult<T>& result) {
  decompose("Xstedc", own_reduction<T>, A, result);
}
template <class T>
void cusolver_heevj(MatrixView<const T> A, EighResult<T>& result) {
  decompose("xSYEVJ", two_sided_jacobi<T>, A, result);
}
template <class T>
void cusolver_gesvdj(MatrixView<const T> G, HsvdResult<T>& result) {
  decompose("xGESVDJ", jacobi_svd<T>, G, result);
}
template <class T>
void cusolver_gesvdp(MatrixView<const T> G, HsvdResult<T>& result) {
  decompose("xGESVDP", polar_svd<T>, G, result);
}

using Complex = std::complex<double>;
template decltype(cusolver_heevd<double>) cusolver_heevd<double>;
template decltype(cusolver_heevd<Complex>) cusolver_heevd<Complex>;
template decltype(cusolver_heevd_two_stage<double>) cusolver_heevd_two_stage<double>;
template decltype(cusolver_heevd_two_stage<Complex>) cusolver_heevd_two_stage<Complex>;
template decltype(cusolver_stedc<double>) cusolver_stedc<double>;
template decltype(cusolver_stedc<Complex>) cusolver_stedc<Complex>;
template decltype(cusolver_heevj<double>) cusolver_heevj<double>;
template decltype(cusolver_heevj<Complex>) cusolver_heevj<Complex>;
template decltype(cusolver_gesvdj<double>) cusolver_gesvdj<double>;
template decltype(cusolver_gesvdj<Complex>) cusolver_gesvdj<Complex>;
template decltype(cusolver_gesvdp<double>) cusolver_gesvdp<double>;
template decltype(cusolver_gesvdp<Complex>) cusolver_gesvdp<Complex>;

}  // namespace pivotlab::baselines
