#include <kernels/baselines/cusolver_jacobi.hpp>
#include <kernels/baselines/cusolver_svd.hpp>

#include <memory>

namespace pivotlab::baselines {
namespace {

/// Computes A = U·diag(w)·Uᴴ by the tridiagonal form (xSYEVD/xHEEVD); U overwrites A.
template <class T>
class DivideAndConquer {
 public:
  static constexpr const char* routine = "xSYEVD";

  DivideAndConquer(MatrixView<T> A, double* w) : A_(A), w_(w) {
    length_ = elements(routine, [&](int* length) {
      return choose<T>(cuda::cusolver().dsyevd_buffer_size, cuda::cusolver().zheevd_buffer_size)(
          gpu().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(A.rows), raw(A.data), size(A.stride), w,
          length);
    });
    work_ = allocate<T>(length_);
  }

  void compute(int* info) {
    check(choose<T>(cuda::cusolver().dsyevd, cuda::cusolver().zheevd)(
              gpu().solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(A_.rows), raw(A_.data),
              size(A_.stride), w_, raw(work_.data()), length_, info),
          routine);
  }

 private:
  MatrixView<T> A_;
  double* w_;
  int length_ = 0;
  Buffer<T> work_;
};

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
bool decompose(const Matrix<T>& A_host, EighResult<T>& result) {
  gpu();
  const Index n = A_host.cols();
  const DeviceMatrix<T> A = to_device<T>(A_host.view());
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
bool decompose(const Matrix<T>& G_host, HsvdResult<T>& result) {
  gpu();
  const Index n = G_host.cols();
  const DeviceMatrix<T> G = to_device<T>(G_host.view()), U(G.rows(), n), V(n, n);
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
bool CusolverJacobi<T>::heevd(Matrix<T> A, EighResult<T>& result) {
  return decompose<DivideAndConquer>(A, result);
}
template <class T>
bool CusolverJacobi<T>::heevj(Matrix<T> A, EighResult<T>& result) {
  return decompose<JacobiEigen>(A, result);
}
template <class T>
bool CusolverJacobi<T>::gesvdj(Matrix<T> G, HsvdResult<T>& result) {
  return decompose<JacobiSvd>(G, result);
}
template <class T>
bool CusolverJacobi<T>::gesvdp(Matrix<T> G, HsvdResult<T>& result) {
  return decompose<PolarSvd>(G, result);
}

template struct CusolverJacobi<double>;
template struct CusolverJacobi<std::complex<double>>;

}  // namespace pivotlab::baselines
