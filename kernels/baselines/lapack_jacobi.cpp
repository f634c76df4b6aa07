// Hermitian eigenvalues and the singular value decomposition by LAPACK.
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/baselines/lapack.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;

/// xSYEVD or xHEEVD: tridiagonal form, divide and conquer.
template <class T>
bool heevd(Matrix<T> A, EighResult<T>& result) {
  result.eigenvalues.resize(static_cast<std::size_t>(A.rows()));
  const ScopeTimer timer(result.compute_seconds);
  const bool converged = lapack::heevd(A, result.eigenvalues.data()) == 0;
  result.U = std::move(A);
  return converged;
}

/// xSYEVR or xHEEVR: tridiagonal form, relatively robust representations.
template <class T>
bool heevr(Matrix<T> A, EighResult<T>& result) {
  const lapack_int n = lapack::size(A.rows());
  lapack_int found = 0;
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(n));
  result.eigenvalues.resize(static_cast<std::size_t>(n));
  result.U = Matrix<T>(A.rows(), A.rows());
  const ScopeTimer timer(result.compute_seconds);
  if constexpr (is_complex<T>)
    return lapack::checked("zheevr",
                           LAPACKE_zheevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', n, A.data(), n, 0, 0, 0, 0, 0, &found,
                                          result.eigenvalues.data(), result.U.data(), n, support.data())) == 0;
  else
    return lapack::checked("dsyevr",
                           LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', n, A.data(), n, 0, 0, 0, 0, 0, &found,
                                          result.eigenvalues.data(), result.U.data(), n, support.data())) == 0;
}

/// xSYEV_2STAGE or xHEEV_2STAGE: tridiagonal form by a band matrix. LAPACK computes no vectors by it.
template <class T>
bool heev_2stage(Matrix<T> A, EighResult<T>& result) {
  const lapack_int n = lapack::size(A.rows());
  result.eigenvalues.resize(static_cast<std::size_t>(n));
  const ScopeTimer timer(result.compute_seconds);
  if constexpr (is_complex<T>)
    return lapack::checked("zheev_2stage", LAPACKE_zheev_2stage(LAPACK_COL_MAJOR, 'N', 'U', n, A.data(), n,
                                                                result.eigenvalues.data())) == 0;
  else
    return lapack::checked("dsyev_2stage", LAPACKE_dsyev_2stage(LAPACK_COL_MAJOR, 'N', 'U', n, A.data(), n,
                                                                result.eigenvalues.data())) == 0;
}

/// xGESVJ: one-sided Jacobi. stat[0] scales the singular values.
template <class T>
bool gesvj(Matrix<T> G, HsvdResult<T>& result) {
  const lapack_int m = lapack::size(G.rows()), n = lapack::size(G.cols());
  double stat[6] = {};
  result.sigma.resize(static_cast<std::size_t>(n));
  result.V = Matrix<T>(G.cols(), G.cols());
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = LAPACKE_zgesvj(LAPACK_COL_MAJOR, 'G', 'U', 'V', m, n, G.data(), m, result.sigma.data(), 0, result.V.data(),
                            n, stat);
    else
      info = LAPACKE_dgesvj(LAPACK_COL_MAJOR, 'G', 'U', 'V', m, n, G.data(), m, result.sigma.data(), 0, result.V.data(),
                            n, stat);
  }
  for (double& sigma : result.sigma) sigma *= stat[0];
  result.U = std::move(G);
  return lapack::checked("xgesvj", info) == 0;
}

/// xGEJSV: QR with column pivoting, then one-sided Jacobi. stat[0]/stat[1] scales the singular values.
template <class T>
bool gejsv(Matrix<T> G, HsvdResult<T>& result) {
  const lapack_int m = lapack::size(G.rows()), n = lapack::size(G.cols());
  double stat[7] = {};
  lapack_int counts[4] = {};
  result.sigma.resize(static_cast<std::size_t>(n));
  result.U = Matrix<T>(G.rows(), G.cols());
  result.V = Matrix<T>(G.cols(), G.cols());
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    if constexpr (is_complex<T>)
      info = LAPACKE_zgejsv(LAPACK_COL_MAJOR, 'C', 'U', 'V', 'N', 'N', 'N', m, n, G.data(), m, result.sigma.data(),
                            result.U.data(), m, result.V.data(), n, stat, counts);
    else
      info = LAPACKE_dgejsv(LAPACK_COL_MAJOR, 'C', 'U', 'V', 'N', 'N', 'N', m, n, G.data(), m, result.sigma.data(),
                            result.U.data(), m, result.V.data(), n, stat, counts);
  }
  for (double& sigma : result.sigma) sigma *= stat[0] / stat[1];
  return lapack::checked("xgejsv", info) == 0;
}

/// xGESDD: bidiagonal form, divide and conquer.
template <class T>
bool gesdd(Matrix<T> G, HsvdResult<T>& result) {
  const Index n = G.cols();
  Matrix<T> VH(n, n);
  result.sigma.resize(static_cast<std::size_t>(n));
  result.U = Matrix<T>(G.rows(), n);
  bool converged = false;
  {
    const ScopeTimer timer(result.compute_seconds);
    converged = lapack::gesdd(G, result.sigma.data(), result.U, VH) == 0;
  }
  result.V = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) result.V(i, j) = conjugate(VH(j, i));
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
