// Hermitian eigenvalues and the singular value decomposition by LAPACK.
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::leading;
using lapack::Padded;

/// xSYEVD or xHEEVD: tridiagonal form, divide and conquer.
template <class T>
bool heevd(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  result.eigenvalues.resize(static_cast<std::size_t>(A.rows()));
  bool converged = false;
  {
    const ScopeTimer timer(result.compute_seconds);
    converged = lapack::heevd(A, result.eigenvalues.data()) == 0;
  }
  result.U = A.compact();
  return converged;
}

/// xSYEVR or xHEEVR: tridiagonal form, relatively robust representations.
template <class T>
bool heevr(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given), U(given.rows, given.rows);
  const lapack_int n = lapack::size(A.rows()), ld = leading(A.view());
  lapack_int found = 0;
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(n));
  result.eigenvalues.resize(static_cast<std::size_t>(n));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = LAPACKE_zheevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', n, A.data(), ld, 0, 0, 0, 0, 0, &found,
                            result.eigenvalues.data(), U.data(), ld, support.data());
    else
      info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', n, A.data(), ld, 0, 0, 0, 0, 0, &found,
                            result.eigenvalues.data(), U.data(), ld, support.data());
  }
  result.U = U.compact();
  return lapack::checked("xsyevr", info) == 0;
}

/// xSYEV_2STAGE or xHEEV_2STAGE: tridiagonal form by a band matrix. LAPACK computes no vectors by it.
template <class T>
bool heev_2stage(MatrixView<const T> given, EighResult<T>& result) {
  Padded<T> A(given);
  const lapack_int n = lapack::size(A.rows()), ld = leading(A.view());
  result.eigenvalues.resize(static_cast<std::size_t>(n));
  const ScopeTimer timer(result.compute_seconds);
  if constexpr (is_complex<T>)
    return lapack::checked("zheev_2stage", LAPACKE_zheev_2stage(LAPACK_COL_MAJOR, 'N', 'U', n, A.data(), ld,
                                                                result.eigenvalues.data())) == 0;
  else
    return lapack::checked("dsyev_2stage", LAPACKE_dsyev_2stage(LAPACK_COL_MAJOR, 'N', 'U', n, A.data(), ld,
                                                                result.eigenvalues.data())) == 0;
}

/// xGESVJ: one-sided Jacobi. stat[0] scales the singular values.
template <class T>
bool gesvj(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), V(given.cols, given.cols);
  const lapack_int m = lapack::size(G.rows()), n = lapack::size(G.cols());
  double stat[6] = {};
  result.sigma.resize(static_cast<std::size_t>(n));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = LAPACKE_zgesvj(LAPACK_COL_MAJOR, 'G', 'U', 'V', m, n, G.data(), leading(G.view()), result.sigma.data(), 0,
                            V.data(), leading(V.view()), stat);
    else
      info = LAPACKE_dgesvj(LAPACK_COL_MAJOR, 'G', 'U', 'V', m, n, G.data(), leading(G.view()), result.sigma.data(), 0,
                            V.data(), leading(V.view()), stat);
  }
  for (double& sigma : result.sigma) sigma *= stat[0];
  result.U = G.compact();
  result.V = V.compact();
  return lapack::checked("xgesvj", info) == 0;
}

/// xGEJSV: QR with column pivoting, then one-sided Jacobi. stat[0]/stat[1] scales the singular values.
template <class T>
bool gejsv(MatrixView<const T> given, HsvdResult<T>& result) {
  Padded<T> G(given), U(given.rows, given.cols), V(given.cols, given.cols);
  const lapack_int m = lapack::size(G.rows()), n = lapack::size(G.cols());
  double stat[7] = {};
  lapack_int counts[4] = {};
  result.sigma.resize(static_cast<std::size_t>(n));
  const lapack_int ld = leading(G.view()), ldv = leading(V.view());
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = LAPACKE_zgejsv(LAPACK_COL_MAJOR, 'C', 'U', 'V', 'N', 'N', 'N', m, n, G.data(), ld, result.sigma.data(),
                            U.data(), ld, V.data(), ldv, stat, counts);
    else
      info = LAPACKE_dgejsv(LAPACK_COL_MAJOR, 'C', 'U', 'V', 'N', 'N', 'N', m, n, G.data(), ld, result.sigma.data(),
                            U.data(), ld, V.data(), ldv, stat, counts);
  }
  for (double& sigma : result.sigma) sigma *= stat[0] / stat[1];
  result.U = U.compact();
  result.V = V.compact();
  return lapack::checked("xgejsv", info) == 0;
}

/// xGESDD: bidiagonal form, divide and conquer.
template <class T>
bool gesdd(MatrixView<const T> given, HsvdResult<T>& result) {
  const Index n = given.cols;
  Padded<T> G(given), U(given.rows, n), VH(n, n);
  result.sigma.resize(static_cast<std::size_t>(n));
  bool converged = false;
  {
    const ScopeTimer timer(result.compute_seconds);
    converged = lapack::gesdd(G, result.sigma.data(), U, VH) == 0;
  }
  result.U = U.compact();
  result.V = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result.V(i, j) = conjugate(VH.view()(j, i));
  return converged;
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
