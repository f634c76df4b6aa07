// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/cusolver.hpp>
#include <kernels/baselines/ldlt_factors.hpp>

namespace pivotlab::baselines {
namespace {

/// Computes X := A⁻¹·X from the factors.
template <class T>
void solve(const DeviceMatrix<T>& factors, const std::vector<Index>& ipiv, const DeviceMatrix<T>& X,
           const Buffer<int>& info) {
  const auto& library = cuda::cusolver_routines();
  const Index n = factors.rows();
  const std::vector<std::int64_t> wide(ipiv.begin(), ipiv.end());
  auto rows = allocate<std::int64_t>(n);
  upload(wide, rows);
  with_workspaces(bound("xSYTRS", CUBLAS_FILL_MODE_LOWER, n, X.cols(), type_of<T>, factors.view().data, n, rows.data(),
                        type_of<T>, X.view().data, n),
                  library.sytrs_bytes, library.sytrs)(info.data());
}

}  // namespace

template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result) {
  gpu();
  const auto& library = cuda::cusolver_routines();
  const Index n = A.rows();
  const DeviceMatrix<T> factors = to_device<T>(A.view());
  const MatrixView<T> L = factors;
  const auto rows = allocate<int>(n), info = allocate<int>(1);
  int length = 0;
  bound("xSYTRF", size(n), L.data, size(n))(pick<T>(library.dsytrf_length, library.zsytrf_length), &length);
  const auto work = allocate<T>(length);

  cuda::DeviceStopwatch stopwatch(gpu().stream);
  bound("xSYTRF", CUBLAS_FILL_MODE_LOWER, size(n), L.data, size(n), rows.data(), work.data(), length,
        info.data())(pick<T>(library.dsytrf, library.zsytrf));
  result.compute_seconds = stopwatch.stop();

  const bool singular = checked_info("xSYTRF", info) > 0;
  const std::vector<int> narrow = download(rows.data(), n);
  const std::vector<Index> ipiv(narrow.begin(), narrow.end());
  if (!singular) {
    const DeviceMatrix<T> X = to_device<T>(B);
    solve(factors, ipiv, X, info);
    if (checked_info("xSYTRS", info) == 0) result.X = to_host(X);
  }
  copy<T>(factors.view(), A.view());
  check(cudaStreamSynchronize(gpu().stream), "download");
  split_block_diagonal(std::move(A), ipiv, LapackConvention::sytrf, result);
}

using Complex = std::complex<double>;
template decltype(cusolver_sytrf<double>) cusolver_sytrf<double>;
template decltype(cusolver_sytrf<Complex>) cusolver_sytrf<Complex>;

}  // namespace pivotlab::baselines
