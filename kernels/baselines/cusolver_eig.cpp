#include <kernels/baselines/cusolver.hpp>
#include <kernels/baselines/cusolver_eig.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::baselines {
namespace {

void check_geev(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_NOT_SUPPORTED)
    throw NotSupported("cuSOLVER: this version does not have the algorithm for this matrix; take cusolver:?geev");
  check(status, "Xgeev");
}

template <class T>
bool geev(MatrixView<const T> A, bool left, cusolverAlgMode_t algorithm, EigResult<double>& result) {
  using Complex = std::complex<double>;
  if (left) throw NotSupported("cuSOLVER: Xgeev has no left eigenvectors; take lapack:?geev for them");
  gpu();
  const auto& library = cuda::cusolver();
  if (library.geev == nullptr)
    throw NotSupported("cuSOLVER: this version has no Xgeev; install that of CUDA 12.8 or later");
  constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
  constexpr auto none = CUSOLVER_EIG_MODE_NOVECTOR, vectors = CUSOLVER_EIG_MODE_VECTOR;
  const AlgorithmChoice parameters(cuda::WithAlgorithms::geev, algorithm);
  const Index n = A.rows;
  const DeviceMatrix<T> matrix = to_device<T>(A), V(n, n);
  const auto values = allocate<Complex>(n);
  const auto info = allocate<int>(1);
  std::size_t bytes = 0, host_bytes = 0;
  check_geev(library.geev_buffer_size(gpu().solver, parameters.get(), none, vectors, n, type, matrix.view().data, n,
                                      CUDA_C_64F, values.data(), type, nullptr, n, type, V.view().data, n, type, &bytes,
                                      &host_bytes));
  const auto work = allocate<char>(static_cast<Index>(bytes));
  std::vector<char> host_work(host_bytes);

  DeviceStopwatch stopwatch;
  check_geev(library.geev(gpu().solver, parameters.get(), none, vectors, n, type, matrix.view().data, n, CUDA_C_64F,
                          values.data(), type, nullptr, n, type, V.view().data, n, type, work.data(), bytes,
                          host_work.data(), host_bytes, info.data()));
  result.compute_seconds = stopwatch.stop();

  const bool converged = checked_info("Xgeev", info) == 0;
  result.eigenvalues = download(values.data(), n);
  if constexpr (is_complex<T>)
    result.V = to_host(V);
  else
    result.V = unpacked_vectors(to_host(V), result.eigenvalues);
  return converged;
}

}  // namespace

template <class T>
bool cusolver_geev(MatrixView<const T> A, bool left, EigResult<double>& result) {
  return geev(A, left, CUSOLVER_ALG_0, result);
}
template <class T>
bool cusolver_geev_mixed(MatrixView<const T> A, bool left, EigResult<double>& result) {
  return geev(A, left, CUSOLVER_ALG_1, result);
}

using Complex = std::complex<double>;
template bool cusolver_geev(MatrixView<const double>, bool, EigResult<double>&);
template bool cusolver_geev(MatrixView<const Complex>, bool, EigResult<double>&);
template bool cusolver_geev_mixed(MatrixView<const double>, bool, EigResult<double>&);
template bool cusolver_geev_mixed(MatrixView<const Complex>, bool, EigResult<double>&);

}  // namespace pivotlab::baselines
