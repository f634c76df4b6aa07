#include <fmt/format.h>
#include <kernels/baselines/cusolver.hpp>
#include <kernels/baselines/cusolver_gsvd.hpp>
#include <kernels/baselines/cusolver_svd.hpp>

#include <cmath>

namespace pivotlab::baselines {

namespace {

/// Checks the diagonal of a Gram matrix: another element is not finite only if a diagonal element is not.
template <class T>
bool overflowed(const DeviceMatrix<T>& gram_matrix) {
  const auto elements = diagonal<T>(gram_matrix);
  return std::any_of(elements.begin(), elements.end(), [](const T& x) { return !std::isfinite(std::abs(x)); });
}

/// Solves FᴴF·x = λ·GᴴG·x by xSYGVD/xHEGVD; x overwrites A = FᴴF.
template <class T>
class EigenProblem {
 public:
  explicit EigenProblem(Index n)
      : A(n, n),
        B_(n, n),
        lambda_(allocate<double>(n)),
        info_(allocate<int>(1)),
        length_(query()),
        work_(allocate<T>(length_)) {}

  const DeviceMatrix<T> A;

  std::vector<double> solve(const DeviceMatrix<T>& F, const DeviceMatrix<T>& G) {
    const Index n = A.cols();
    gram<T>(F, A);
    gram<T>(G, B_);
    if (overflowed(A) || overflowed(B_))
      throw DecompositionFailed("the normal equations overflow: the entries of FᴴF or GᴴG are not finite");
    const auto& library = cuda::cusolver();
    check(choose<T>(library.dsygvd, library.zhegvd)(gpu().solver, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
                                                    CUBLAS_FILL_MODE_UPPER, size(n), raw(A.view().data), size(n),
                                                    raw(B_.view().data), size(n), lambda_.data(), raw(work_.data()),
                                                    length_, info_.data()),
          "xSYGVD");
    const int info = checked_info("xSYGVD", info_);
    if (info > n)
      throw DecompositionFailed(fmt::format(
          "xSYGVD: GᴴG is numerically not positive definite (leading minor of order {}); the normal equations square "
          "the condition of G",
          info - n));
    if (info > 0) throw DecompositionFailed(fmt::format("xSYGVD: xSYEVD did not converge (info = {})", info));
    return download(lambda_.data(), n);
  }

 private:
  int query() const {
    const int n = size(A.cols());
    const auto& library = cuda::cusolver();
    return elements("xSYGVD", [&](int* length) {
      return choose<T>(library.dsygvd_buffer_size, library.zhegvd_buffer_size)(
          gpu().solver, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, raw(A.view().data), n,
          raw(B_.view().data), n, lambda_.data(), length);
    });
  }

  DeviceMatrix<T> B_;
  Buffer<double> lambda_;
  Buffer<int> info_;
  int length_;
  Buffer<T> work_;
};

/// Computes [F; G] = Q·R by xGEQRF and xORGQR; Q overwrites the stacked pair.
template <class T>
class QrFactorization {
 public:
  QrFactorization(MatrixView<const T> F, MatrixView<const T> G)
      : rows_of_f_(F.rows),
        Q_(F.rows + G.rows, F.cols),
        R_(F.cols, F.cols),
        tau_(allocate<T>(F.cols)),
        info_(allocate<int>(1)),
        length_(std::max(query_geqrf(), query_orgqr())),
        work_(allocate<T>(length_)) {
    copy<T>(to_device<T>(F), Q1());
    copy<T>(to_device<T>(G), Q2());
  }

  void factor() {
    const MatrixView<T> Q = Q_;
    const int m = size(Q.rows), n = size(Q.cols);
    const auto& library = cuda::cusolver();
    check(choose<T>(library.dgeqrf, library.zgeqrf)(gpu().solver, m, n, raw(Q.data), m, raw(tau_.data()),
                                                    raw(work_.data()), length_, info_.data()),
          "xGEQRF");
    checked_info("xGEQRF", info_);
    copy<T>(Q.block(0, 0, n, n), R_.view());
    const auto pivots = diagonal<T>(R_);
    if (std::find(pivots.begin(), pivots.end(), T(0)) != pivots.end())
      throw DecompositionFailed("xGEQRF: [F; G] is not of full column rank: R has a zero on its diagonal");
    check(choose<T>(library.dorgqr, library.zungqr)(gpu().solver, m, n, n, raw(Q.data), m, raw(tau_.data()),
                                                    raw(work_.data()), length_, info_.data()),
          "xORGQR");
  }

  MatrixView<T> Q1() const { return Q_.view().block(0, 0, rows_of_f_, Q_.cols()); }
  MatrixView<T> Q2() const { return Q_.view().block(rows_of_f_, 0, Q_.rows() - rows_of_f_, Q_.cols()); }
  MatrixView<T> R() const { return R_; }  ///< in the upper triangle; the lower triangle is not used

 private:
  int query_geqrf() const {
    return elements("xGEQRF", [&](int* length) {
      return choose<T>(cuda::cusolver().dgeqrf_buffer_size, cuda::cusolver().zgeqrf_buffer_size)(
          gpu().solver, size(Q_.rows()), size(Q_.cols()), raw(Q_.view().data), size(Q_.rows()), length);
    });
  }
  int query_orgqr() const {
    return elements("xORGQR", [&](int* length) {
      return choose<T>(cuda::cusolver().dorgqr_buffer_size, cuda::cusolver().zungqr_buffer_size)(
          gpu().solver, size(Q_.rows()), size(Q_.cols()), size(Q_.cols()), raw(Q_.view().data), size(Q_.rows()),
          raw(tau_.data()), length);
    });
  }

  Index rows_of_f_;
  DeviceMatrix<T> Q_, R_;
  Buffer<T> tau_;
  Buffer<int> info_;
  int length_;
  Buffer<T> work_;
};

/// Computes [F; G] = [Q₁; Q₂]·R, Q₁ = U·Σ_F·Wᴴ, then Q₂W = V·Σ_G and Z = R⁻¹W. Σ_G must be the column norms of Q₂W:
/// √(1−σ_F²) would lose a small σ_G.
template <template <class> class Svd, class T>
void solve_by_qr_and(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  const Index n = F.cols;
  QrFactorization<T> qr(F, G);
  const DeviceMatrix<T> Q1(F.rows, n), U(F.rows, n), V(G.rows, n), W(n, n);
  const auto sigma_f = allocate<double>(n), sigma_g = allocate<double>(n);
  const auto info = allocate<int>(1);
  Svd<T> svd(Q1, U, W, sigma_f.data());

  DeviceStopwatch stopwatch;
  qr.factor();
  copy<T>(qr.Q1(), Q1.view());
  svd.compute(info.data());
  if (const int code = checked_info(Svd<T>::routine, info); code > 0)
    throw DecompositionFailed(fmt::format("{}: did not converge (info = {})", Svd<T>::routine, code));
  multiply<T>(qr.Q2(), W, V);
  column_norms(V, sigma_g);
  divide_columns(V, sigma_g);
  solve_upper<T>(qr.R(), W);
  result.compute_seconds = stopwatch.stop();

  result.U = to_host(U);
  result.V = to_host(V);
  result.Z = to_host(W);
  result.sigma_f = download(sigma_f.data(), n);
  result.sigma_g = download(sigma_g.data(), n);
}

}  // namespace

/// Solves the normal equations. xᴴGᴴGx = 1, so Z = x·σ_G with σ_G = 1/√(1+λ), and U = FZ/σ_F, V = GZ/σ_G. σ = √λ is the
/// routine's value: if rounding gives λ ≤ 0, then σ_F = 0 and U has a zero column.
template <class T>
void CusolverGsvd<T>::normal_equations(MatrixView<const T> F_view, MatrixView<const T> G_view, GsvdResult<T>& result) {
  const Index n = F_view.cols;
  gpu();
  const DeviceMatrix<T> F = to_device<T>(F_view), G = to_device<T>(G_view), U(F.rows(), n), V(G.rows(), n);
  auto divisors = allocate<double>(n);
  EigenProblem<T> problem(n);

  DeviceStopwatch stopwatch;
  std::vector<double> norm;
  for (const double square : problem.solve(F, G)) {
    const double sigma = std::sqrt(std::max(square, 0.0));
    norm.push_back(std::hypot(1.0, sigma));
    result.sigma_f.push_back(sigma / norm.back());
    result.sigma_g.push_back(1.0 / norm.back());
  }
  const auto divide = [&](const DeviceMatrix<T>& A, const std::vector<double>& by) {
    upload(by, divisors);
    divide_columns(A, divisors);
  };
  divide(problem.A, norm);
  multiply<T>(F, problem.A, U);
  multiply<T>(G, problem.A, V);
  divide(U, result.sigma_f);
  divide(V, result.sigma_g);
  result.compute_seconds = stopwatch.stop();

  result.U = to_host(U);
  result.V = to_host(V);
  result.Z = to_host(problem.A);
}

template <class T>
void CusolverGsvd<T>::qr_and_polar_svd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  gpu();
  solve_by_qr_and<PolarSvd>(F, G, result);
}

template <class T>
void CusolverGsvd<T>::qr_and_jacobi_svd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  gpu();
  solve_by_qr_and<JacobiSvd>(F, G, result);
}

template struct CusolverGsvd<double>;
template struct CusolverGsvd<std::complex<double>>;

}  // namespace pivotlab::baselines
