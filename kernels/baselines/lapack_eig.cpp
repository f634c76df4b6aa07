// The eigendecomposition by LAPACK.
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/baselines/lapack.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;

bool zgeev(Matrix<Complex> A, bool left, EigResult<double>& result) {
  const lapack_int n = lapack::size(A.rows());
  const Index order = A.rows();
  result.eigenvalues.resize(static_cast<std::size_t>(order));
  result.V = Matrix<Complex>(order, order);
  if (left) result.W = Matrix<Complex>(order, order);
  const ScopeTimer timer(result.compute_seconds);
  return lapack::checked("zgeev", LAPACKE_zgeev(LAPACK_COL_MAJOR, left ? 'V' : 'N', 'V', n, A.data(), n,
                                                result.eigenvalues.data(), result.W.data(), n, result.V.data(), n)) ==
         0;
}

bool dgeev(Matrix<double> A, bool left, EigResult<double>& result) {
  const lapack_int n = lapack::size(A.rows());
  const Index order = A.rows();
  std::vector<double> re(static_cast<std::size_t>(order)), im(re.size());
  Matrix<double> V(order, order), W(left ? order : 0, left ? order : 0);
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::checked("dgeev", LAPACKE_dgeev(LAPACK_COL_MAJOR, left ? 'V' : 'N', 'V', n, A.data(), n, re.data(),
                                                  im.data(), W.data(), n, V.data(), n));
  }
  for (std::size_t k = 0; k < re.size(); ++k) result.eigenvalues.emplace_back(re[k], im[k]);
  result.V = unpacked_vectors(V, result.eigenvalues);
  if (left) result.W = unpacked_vectors(W, result.eigenvalues);
  return info == 0;
}

constexpr std::string_view about = "Hessenberg form, QR algorithm, eigenvectors of the Schur form";
constexpr std::array<EigBaseline<double>, 1> real_baselines{{{"lapack:dgeev", about, dgeev}}};
constexpr std::array<EigBaseline<Complex>, 1> complex_baselines{{{"lapack:zgeev", about, zgeev}}};

}  // namespace

template <>
std::span<const EigBaseline<double>> lapack_eig_baselines() {
  return real_baselines;
}
template <>
std::span<const EigBaseline<Complex>> lapack_eig_baselines() {
  return complex_baselines;
}

}  // namespace pivotlab::baselines
