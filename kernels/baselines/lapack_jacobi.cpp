// Hermitian eigenvalues and the singular value decomposition by LAPACK.
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::Padded;

/// xSYEVD or xHEEVD: tridiagonal form, divide and conquer.
template <class T>
bool heevd(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  result.eigenvalues.resize(static_cast<std::size_t>(A.rows()));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::heevd<T>(Triangle::upper, A, result.eigenvalues.data());
  }
  result.U = A.compact();
  return info == 0;
}

/// xSYEVR or xHEEVR: tridiagonal form, relatively robust representations.
template <class T>
bool heevr(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given), U(given.rows, given.rows);
  result.eigenvalues.resize(static_cast<std::size_t>(A.rows()));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::heevr<T>(A, result.eigenvalues.data(), U);
  }
  result.U = U.compact();
  return info == 0;
}

/// xSYEV_2STAGE or xHEEV_2STAGE: tridiagonal form by a band matrix. LAPACK computes no vectors by it.
template <class T>
bool heev_2stage(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  result.eigenvalues.resize(static_cast<std::size_t>(A.rows()));
  const ScopeTimer timer(result.compute_seconds);
  return lapack::heev_2stage<T>(A, result.eigenvalues.data()) == 0;
}

/// xGESVJ: one-sided Jacobi.
template <class T>
bool gesvj(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), V(given.cols, given.cols);
  result.sigma.resize(static_cast<std::size_t>(G.cols()));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::gesvj<T>(G, result.sigma.data(), V);
  }
  result.U = G.compact();
  result.V = V.compact();
  return info == 0;
}

/// xGEJSV: QR with column pivoting, then one-sided Jacobi.
template <class T>
bool gejsv(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), U(given.rows, given.cols), V(given.cols, given.cols);
  result.sigma.resize(static_cast<std::size_t>(G.cols()));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::gejsv<T>(G, result.sigma.data(), U, V);
  }
  result.U = U.compact();
  result.V = V.compact();
  return info == 0;
}

/// xGESDD: bidiagonal form, divide and conquer.
template <class T>
bool gesdd(MatrixView<const T> given, HsvdResult<T>& result) {
  const Index n = given.cols;
  Padded<T> G(given), U(given.rows, n), VH(n, n);
  result.sigma.resize(static_cast<std::size_t>(n));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::gesdd<T>(G, result.sigma.data(), U, VH);
  }
  result.U = U.compact();
  result.V = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result.V(i, j) = conjugate(VH.view()(j, i));
  return info == 0;
}

constexpr std::string_view by_heevd = "Tridiagonal form, divide and conquer",
                           by_heevr = "Tridiagonal form, relatively robust representations",
                           by_2stage = "Tridiagonal form by a band matrix, QR algorithm; eigenvalues only",
                           by_gesvj = "One-sided Jacobi", by_gejsv = "QR with column pivoting, then one-sided Jacobi",
                           by_gesdd = "Bidiagonal form, divide and conquer";
constexpr std::array<EighBaseline<double>, 3> real_eigh_baselines{{{"lapack:dsyevd", by_heevd, heevd},
                                                                   {"lapack:dsyevr", by_heevr, heevr},
                                                                   {"lapack:dsyev_2stage", by_2stage, heev_2stage}}};
constexpr std::array<EighBaseline<Complex>, 3> complex_eigh_baselines{
    {{"lapack:zheevd", by_heevd, heevd},
     {"lapack:zheevr", by_heevr, heevr},
     {"lapack:zheev_2stage", by_2stage, heev_2stage}}};
constexpr std::array<SvdBaseline<double>, 3> real_svd_baselines{
    {{"lapack:dgesvj", by_gesvj, gesvj}, {"lapack:dgejsv", by_gejsv, gejsv}, {"lapack:dgesdd", by_gesdd, gesdd}}};
constexpr std::array<SvdBaseline<Complex>, 3> complex_svd_baselines{
    {{"lapack:zgesvj", by_gesvj, gesvj}, {"lapack:zgejsv", by_gejsv, gejsv}, {"lapack:zgesdd", by_gesdd, gesdd}}};

}  // namespace

template <>
std::span<const EighBaseline<double>> lapack_eigh_baselines() {
  return real_eigh_baselines;
}
template <>
std::span<const EighBaseline<Complex>> lapack_eigh_baselines() {
  return complex_eigh_baselines;
}
template <>
std::span<const SvdBaseline<double>> lapack_svd_baselines() {
  return real_svd_baselines;
}
template <>
std::span<const SvdBaseline<Complex>> lapack_svd_baselines() {
  return complex_svd_baselines;
}

}  // namespace pivotlab::baselines
