#include <kernels/baselines/cusolver_jacobi.hpp>
#include <kernels/baselines/cusolver_svd.hpp>

#include <memory>

namespace pivotlab::baselines {
namespace {

/// Computes A = U·diag(w)·Uᴴ by the tridiagonal form (Xsyevd with an algorithm of the library); U overwrites A.
template <class T, cusolverAlgMode_t algorithm>
class DivideAndConquer {
 public:
  static constexpr const char* routine = "Xsyevd";

  DivideAndConquer(MatrixView<T> A, double* w) : A_(A), w_(w) {
    check(cuda::cusolver().syevd_buffer_size(gpu().solver, parameters_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                             CUBLAS_FILL_MODE_UPPER, A.rows, type, A.data, A.stride, CUDA_R_64F, w,
                                             type, &bytes_, &host_bytes_),
          routine);
    work_ = allocate<char>(static_cast<Index>(bytes_));
    host_work_.resize(host_bytes_);
  }

  void compute(int* info) {
    check(cuda::cusolver().syevd(gpu().solver, parameters_.get(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER,
                                 A_.rows, type, A_.data, A_.stride, CUDA_R_64F, w_, type, work_.data(), bytes_,
                                 host_work_.data(), host_bytes_, info),
          routine);
  }

 private:
  static constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;

  MatrixView<T> A_;
  double* w_;
  AlgorithmChoice parameters_{cuda::WithAlgorithms::syevd, algorithm};
  std::size_t bytes_ = 0, host_bytes_ = 0;
  Buffer<char> work_;
  std::vector<char> host_work_;
};
template <class T>
using AnyStages = DivideAndConquer<T, CUSOLVER_ALG_0>;
template <class T>
using TwoStages = DivideAndConquer<T, CUSOLVER_ALG_2>;

/// Computes the same by two-sided Jacobi (xSYEVJ/xHEEVJ).
template <class T>
class JacobiEigen {
 public:
  static constexpr const char* routine = "xSYEVJ";

  JacobiEigen(MatrixView<T> A, double* w) : A_(A), w_(w) {
    check(cuda::cusolver().syevj_set_tolerance(parameters_.get(), 1e-15), "cusolverDnXsyevjSetTolerance");
    check(cuda::cusolver().syevj_set_max_sweeps(parameters_.get(), 100), "cusolverDnXsyevjSetMaxSweeps");
    length_ = elements(routine, [&](int* length) {
      return choose<T>(cuda::cusolver().dsyevj_buffer_size, cuda::cusolver().zheevj_buffer_size)(
          gpu().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(A.rows), raw(A.data), size(A.stride), w,
          length, parameters_.get());
    });
    work_ = allocate<T>(length_);
  }

  void compute(int* info) {
    check(choose<T>(cuda::cusolver().dsyevj, cuda::cusolver().zheevj)(
              gpu().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(A_.rows), raw(A_.data),
              size(A_.stride), w_, raw(work_.data()), length_, info, parameters_.get()),
          routine);
  }

 private:
  struct Destroy {
    void operator()(syevjInfo_t parameters) const { cuda::cusolver().destroy_syevj_info(parameters); }
  };
  using Parameters = std::unique_ptr<std::remove_pointer_t<syevjInfo_t>, Destroy>;

  static Parameters make_parameters() {
    syevjInfo_t parameters = nullptr;
    check(cuda::cusolver().create_syevj_info(&parameters), "cusolverDnCreateSyevjInfo");
    return Parameters(parameters);
  }

  MatrixView<T> A_;
  double* w_;
  Parameters parameters_ = make_parameters();
  int length_ = 0;
  Buffer<T> work_;
};

template <template <class> class Routine, class T>
bool decompose(MatrixView<const T> A_host, EighResult<T>& result) {
  gpu();
  const Index n = A_host.cols;
  const DeviceMatrix<T> A = to_device<T>(A_host);
  const auto values = allocate<double>(n);
  const auto info = allocate<int>(1);
  Routine<T> routine(A, values.data());

  DeviceStopwatch stopwatch;
  routine.compute(info.data());
  result.compute_seconds = stopwatch.stop();

  const bool converged = checked_info(Routine<T>::routine, info) == 0;
  result.eigenvalues = download(values.data(), n);
  result.U = to_host(A);
  return converged;
}

template <template <class> class Routine, class T>
bool decompose(MatrixView<const T> G_host, HsvdResult<T>& result) {
  gpu();
  const Index n = G_host.cols;
  const DeviceMatrix<T> G = to_device<T>(G_host), U(G.rows(), n), V(n, n);
  const auto sigma = allocate<double>(n);
  const auto info = allocate<int>(1);
  Routine<T> routine(G, U, V, sigma.data());

  DeviceStopwatch stopwatch;
  routine.compute(info.data());
  result.compute_seconds = stopwatch.stop();

  const bool converged = checked_info(Routine<T>::routine, info) == 0;
  result.sigma = download(sigma.data(), n);
  result.U = to_host(U);
  result.V = to_host(V);
  return converged;
}

}  // namespace

template <class T>
bool CusolverJacobi<T>::heevd(MatrixView<const T> A, EighResult<T>& result) {
  return decompose<AnyStages>(A, result);
}
template <class T>
bool CusolverJacobi<T>::heevd_two_stage(MatrixView<const T> A, EighResult<T>& result) {
  return decompose<TwoStages>(A, result);
}
template <class T>
bool CusolverJacobi<T>::heevj(MatrixView<const T> A, EighResult<T>& result) {
  return decompose<JacobiEigen>(A, result);
}
template <class T>
bool CusolverJacobi<T>::gesvdj(MatrixView<const T> G, HsvdResult<T>& result) {
  return decompose<JacobiSvd>(G, result);
}
template <class T>
bool CusolverJacobi<T>::gesvdp(MatrixView<const T> G, HsvdResult<T>& result) {
  return decompose<PolarSvd>(G, result);
}

template struct CusolverJacobi<double>;
template struct CusolverJacobi<std::complex<double>>;

}  // namespace pivotlab::baselines
