#include <kernels/baselines/cusolver.hpp>
#include <kernels/baselines/cusolver_ldlt.hpp>
#include <kernels/baselines/ldlt_factors.hpp>

namespace pivotlab::baselines {
namespace {

/// Computes X := A⁻¹·X from the factors.
template <class T>
void solve(const DeviceMatrix<T>& factors, const std::vector<Index>& ipiv, const DeviceMatrix<T>& X,
           const Buffer<int>& info) {
  constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
  const auto& library = cuda::cusolver();
  const Index n = factors.rows();
  const std::vector<std::int64_t> wide(ipiv.begin(), ipiv.end());
  auto rows = allocate<std::int64_t>(n);
  upload(wide, rows);
  std::size_t bytes = 0, host_bytes = 0;
  check(library.sytrs_buffer_size(gpu().solver, CUBLAS_FILL_MODE_LOWER, n, X.cols(), type, factors.view().data, n,
                                  rows.data(), type, X.view().data, n, &bytes, &host_bytes),
        "xSYTRS");
  const auto work = allocate<char>(static_cast<Index>(bytes));
  std::vector<char> host_work(host_bytes);
  check(library.sytrs(gpu().solver, CUBLAS_FILL_MODE_LOWER, n, X.cols(), type, factors.view().data, n, rows.data(),
                      type, X.view().data, n, work.data(), bytes, host_work.data(), host_bytes, info.data()),
        "xSYTRS");
}

}  // namespace

template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result) {
  gpu();
  const auto& library = cuda::cusolver();
  const Index n = A.rows();
  const DeviceMatrix<T> factors = to_device<T>(A.view());
  const auto rows = allocate<int>(n), info = allocate<int>(1);
  const int length = elements("xSYTRF", [&](int* count) {
    return choose<T>(library.dsytrf_buffer_size, library.zsytrf_buffer_size)(gpu().solver, size(n),
                                                                             raw(factors.view().data), size(n), count);
  });
  const auto work = allocate<T>(length);

  DeviceStopwatch stopwatch;
  check(
      choose<T>(library.dsytrf, library.zsytrf)(gpu().solver, CUBLAS_FILL_MODE_LOWER, size(n), raw(factors.view().data),
                                                size(n), rows.data(), raw(work.data()), length, info.data()),
      "xSYTRF");
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

template void cusolver_sytrf(Matrix<double>, MatrixView<const double>, LdltBaselineResult<double>&);
template void cusolver_sytrf(Matrix<std::complex<double>>, MatrixView<const std::complex<double>>,
                             LdltBaselineResult<std::complex<double>>&);

}  // namespace pivotlab::baselines
