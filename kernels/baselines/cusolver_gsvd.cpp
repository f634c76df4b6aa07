// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/cusolver.hpp>
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

/// Computes [F; G] = [Q₁; Q₂]·R by xGEQRF and xORGQR, Q₁ = U·Σ_F·Wᴴ, then Q₂W = V·Σ_G and Z = R⁻¹W. Σ_G must be the
/// column norms of Q₂W: √(1−σ_F²) would lose a small σ_G. `make_svd` prepares a routine for Q₁, U, W and σ_F on the
/// GPU.
template <class T, class MakeSvd>
void solve_by_qr_and(const char* name, MakeSvd make_svd, MatrixView<const T> F, MatrixView<const T> G,
                     GsvdResult<T>& result) {
  const auto& [stream, blas, solver] = gpu();
  const Index n = F.cols, m = F.rows + G.rows;
  const DeviceMatrix<T> stacked(m, n), R(n, n), Q1(F.rows, n), U(F.rows, n), V(G.rows, n), W(n, n);
  const MatrixView<T> Q = stacked, top = Q.block(0, 0, F.rows, n), bottom = Q.block(F.rows, 0, G.rows, n);
  copy<T>(to_device<T>(F), top);
  copy<T>(to_device<T>(G), bottom);
  const auto tau = allocate<T>(n);
  const auto sigma_f = allocate<double>(n), sigma_g = allocate<double>(n);
  const auto info = allocate<int>(1);
  const int length = std::max(solver.geqrf_length(Q), solver.ungqr_length(Q));
  const auto memory = allocate<T>(length);
  const cuda::Work<T> work{memory.data(), length};
  auto svd = make_svd(Q1.view(), U.view(), W.view(), sigma_f.data());

  cuda::DeviceStopwatch stopwatch(gpu().stream);
  solver.geqrf(Q, tau.data(), work, info.data());
  checked_info("xGEQRF", info);
  copy<T>(Q.block(0, 0, n, n), R.view());  // its upper triangle is R
  const auto pivots = diagonal<T>(R);
  if (std::find(pivots.begin(), pivots.end(), T(0)) != pivots.end())
    throw DecompositionFailed("xGEQRF: [F; G] is not of full column rank: R has a zero on its diagonal");
  solver.ungqr(Q, tau.data(), work, info.data());
  copy<T>(top, Q1.view());
  svd(info.data());
  if (const int code = checked_info(name, info); code > 0)
    throw DecompositionFailed(fmt::format("{}: did not converge (info = {})", name, code));
  multiply<T>(bottom, W, V);
  column_norms(V, sigma_g);
  divide_columns(V, sigma_g);
  blas.trsm<T>(Side::left, Triangle::upper, Op::none, R, W);
  result.compute_seconds = stopwatch.stop();

  result.U = to_host(U);
  result.V = to_host(V);
  result.Z = to_host(W);
  result.sigma_f = download(sigma_f.data(), n);
  result.sigma_g = download(sigma_g.data(), n);
}

}  // namespace

/// Solves the normal equations FᴴF·x = λ·GᴴG·x by xSYGVD/xHEGVD; x overwrites Z = FᴴF. xᴴGᴴGx = 1, so Z = x·σ_G
/// and U = FZ/σ_F, V = GZ/σ_G.
template <class T>
void cusolver_hegvd(MatrixView<const T> F_view, MatrixView<const T> G_view, GsvdResult<T>& result) {
  const auto& [stream, blas, solver] = gpu();
  const auto& library = cuda::cusolver_routines();
  const Index n = F_view.cols;
  const DeviceMatrix<T> F = to_device<T>(F_view), G = to_device<T>(G_view), U(F.rows(), n), V(G.rows(), n);
  const DeviceMatrix<T> Z(n, n), GG(n, n);
  auto divisors = allocate<double>(n);
  const auto lambda = allocate<double>(n);
  const auto info = allocate<int>(1);
  const auto hegvd =
      with_workspace<T>(bound("xSYGVD", CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, size(n),
                              Z.view().data, size(n), GG.view().data, size(n), lambda.data()),
                        pick<T>(library.dsygvd_length, library.zhegvd_length), pick<T>(library.dsygvd, library.zhegvd));

  cuda::DeviceStopwatch stopwatch(gpu().stream);
  blas.gram<T>(Triangle::upper, F, Z);
  blas.gram<T>(Triangle::upper, G, GG);
  if (overflowed(Z) || overflowed(GG)) throw normal_equations_overflow();
  hegvd(info.data());
  check_hegvd(checked_info("xSYGVD", info), n);
  const std::vector<double> norm = store_sigmas(download(lambda.data(), n), result.sigma_f, result.sigma_g);
  const auto divide = [&](const DeviceMatrix<T>& A, const std::vector<double>& by) {
    upload(by, divisors);
    divide_columns(A, divisors);
  };
  divide(Z, norm);
  multiply<T>(F, Z, U);
  multiply<T>(G, Z, V);
  divide(U, result.sigma_f);
  divide(V, result.sigma_g);
  result.compute_seconds = stopwatch.stop();

  result.U = to_host(U);
  result.V = to_host(V);
  result.Z = to_host(Z);
}

template <class T>
void cusolver_qr_and_gesvdp(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  solve_by_qr_and("xGESVDP", polar_svd<T>, F, G, result);
}

template <class T>
void cusolver_qr_and_gesvdj(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  solve_by_qr_and("xGESVDJ", jacobi_svd<T>, F, G, result);
}

using Complex = std::complex<double>;
template decltype(cusolver_hegvd<double>) cusolver_hegvd<double>;
template decltype(cusolver_hegvd<Complex>) cusolver_hegvd<Complex>;
template decltype(cusolver_qr_and_gesvdp<double>) cusolver_qr_and_gesvdp<double>;
template decltype(cusolver_qr_and_gesvdp<Complex>) cusolver_qr_and_gesvdp<Complex>;
template decltype(cusolver_qr_and_gesvdj<double>) cusolver_qr_and_gesvdj<double>;
template decltype(cusolver_qr_and_gesvdj<Complex>) cusolver_qr_and_gesvdj<Complex>;

}  // namespace pivotlab::baselines
