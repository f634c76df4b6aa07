// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenvalues and the singular value decomposition by LAPACK.
#include <kernels/baselines/baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::Padded;

/// xSYEVD or xHEEVD: tridiagonal form, divide and conquer.
template <class T>
void heevd(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  result.eigenvalues.resize(A.rows());
  const lapack_int info =
      timed(result.compute_seconds, [&] { return lapack::heevd<T>(Triangle::upper, A, result.eigenvalues.data()); });
  result.U = A.compact();
  require_convergence(info == 0);
}

/// xSYEVR or xHEEVR: tridiagonal form, relatively robust representations.
template <class T>
void heevr(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given), U(given.rows, given.rows);
  result.eigenvalues.resize(A.rows());
  const lapack_int info =
      timed(result.compute_seconds, [&] { return lapack::heevr<T>(A, result.eigenvalues.data(), U); });
  result.U = U.compact();
  require_convergence(info == 0);
}

/// xSYEV_2STAGE or xHEEV_2STAGE: tridiagonal form by a band matrix. LAPACK computes no vectors by it.
template <class T>
void heev_2stage(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  result.eigenvalues.resize(A.rows());
  const lapack_int info =
      timed(result.compute_seconds, [&] { return lapack::heev_2stage<T>(A, result.eigenvalues.data()); });
  require_convergence(info == 0);
}

/// xGESVJ: one-sided Jacobi.
template <class T>
void gesvj(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), V(given.cols, given.cols);
  result.sigma.resize(G.cols());
  const lapack_int info = timed(result.compute_seconds, [&] { return lapack::gesvj<T>(G, result.sigma.data(), V); });
  result.U = G.compact();
  result.V = V.compact();
  require_convergence(info == 0);
}

/// xGEJSV: QR with column pivoting, then one-sided Jacobi.
template <class T>
void gejsv(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), U(given.rows, given.cols), V(given.cols, given.cols);
  result.sigma.resize(G.cols());
  const lapack_int info = timed(result.compute_seconds, [&] { return lapack::gejsv<T>(G, result.sigma.data(), U, V); });
  result.U = U.compact();
  result.V = V.compact();
  require_convergence(info == 0);
}

/// xGESDD: bidiagonal form, divide and conquer.
template <class T>
void gesdd(MatrixView<const T> given, HsvdResult<T>& result) {
  const Index n = given.cols;
  Padded<T> G(given), U(given.rows, n), VH(n, n);
  result.sigma.resize(n);
  const lapack_int info =
      timed(result.compute_seconds, [&] { return lapack::gesdd<T>(G, result.sigma.data(), U, VH); });
  result.U = U.compact();
  result.V = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result.V(i, j) = conjugate(VH.view()(j, i));
  require_convergence(info == 0);
}

}  // namespace

template <class T>
std::vector<EighBaseline<T>> lapack_eigh_baselines() {
  return {{pick<T>("lapack:dsyevd", "lapack:zheevd"), "Tridiagonal form, divide and conquer", heevd<T>},
          {pick<T>("lapack:dsyevr", "lapack:zheevr"), "Tridiagonal form, relatively robust representations", heevr<T>},
          {pick<T>("lapack:dsyev_2stage", "lapack:zheev_2stage"),
           "Tridiagonal form by a band matrix, QR algorithm; eigenvalues only", heev_2stage<T>}};
}
template decltype(lapack_eigh_baselines<double>) lapack_eigh_baselines<double>;
template decltype(lapack_eigh_baselines<Complex>) lapack_eigh_baselines<Complex>;

template <class T>
std::vector<SvdBaseline<T>> lapack_svd_baselines() {
  return {{pick<T>("lapack:dgesvj", "lapack:zgesvj"), "One-sided Jacobi", gesvj<T>},
          {pick<T>("lapack:dgejsv", "lapack:zgejsv"), "QR with column pivoting, then one-sided Jacobi", gejsv<T>},
          {pick<T>("lapack:dgesdd", "lapack:zgesdd"), "Bidiagonal form, divide and conquer", gesdd<T>}};
}
template decltype(lapack_svd_baselines<double>) lapack_svd_baselines<double>;
template decltype(lapack_svd_baselines<Complex>) lapack_svd_baselines<Complex>;

}  // namespace pivotlab::baselines
