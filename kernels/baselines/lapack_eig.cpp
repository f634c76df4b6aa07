// The eigendecomposition by LAPACK.
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/baselines/lapack.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;

/// Solves by call(job of W, n, A, eigenvalues, W, V), which returns LAPACK's info.
template <class Call>
bool solve(const char* routine, Matrix<Complex> A, bool left, EigResult<double>& result, Call call) {
  const lapack_int n = lapack::size(A.rows());
  const Index order = A.rows();
  result.eigenvalues.resize(static_cast<std::size_t>(order));
  result.V = Matrix<Complex>(order, order);
  if (left) result.W = Matrix<Complex>(order, order);
  const ScopeTimer timer(result.compute_seconds);
  return lapack::checked(routine, call(left ? 'V' : 'N', n, A.data(), result.eigenvalues.data(), result.W.data(),
                                       result.V.data())) == 0;
}

/// The same of a real matrix by call(job of W, n, A, real parts, imaginary parts, W, V).
template <class Call>
bool solve(const char* routine, Matrix<double> A, bool left, EigResult<double>& result, Call call) {
  const lapack_int n = lapack::size(A.rows());
  const Index order = A.rows();
  std::vector<double> re(static_cast<std::size_t>(order)), im(re.size());
  Matrix<double> V(order, order), W(left ? order : 0, left ? order : 0);
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::checked(routine, call(left ? 'V' : 'N', n, A.data(), re.data(), im.data(), W.data(), V.data()));
  }
  for (std::size_t k = 0; k < re.size(); ++k) result.eigenvalues.emplace_back(re[k], im[k]);
  result.V = unpacked_vectors(V, result.eigenvalues);
  if (left) result.W = unpacked_vectors(W, result.eigenvalues);
  return info == 0;
}

bool zgeev(Matrix<Complex> A, bool left, EigResult<double>& result) {
  return solve("zgeev", std::move(A), left, result,
               [](char job, lapack_int n, Complex* a, Complex* w, Complex* W, Complex* V) {
                 return LAPACKE_zgeev(LAPACK_COL_MAJOR, job, 'V', n, a, n, w, W, n, V, n);
               });
}

bool dgeev(Matrix<double> A, bool left, EigResult<double>& result) {
  return solve("dgeev", std::move(A), left, result,
               [](char job, lapack_int n, double* a, double* re, double* im, double* W, double* V) {
                 return LAPACKE_dgeev(LAPACK_COL_MAJOR, job, 'V', n, a, n, re, im, W, n, V, n);
               });
}

/// xGEEVX without balancing and condition numbers.
bool zgeevx(Matrix<Complex> A, bool left, EigResult<double>& result) {
  std::vector<double> scale(static_cast<std::size_t>(A.rows()));
  lapack_int low = 0, high = 0;
  double norm = 0;
  return solve("zgeevx", std::move(A), left, result,
               [&](char job, lapack_int n, Complex* a, Complex* w, Complex* W, Complex* V) {
                 return LAPACKE_zgeevx(LAPACK_COL_MAJOR, 'N', job, 'V', 'N', n, a, n, w, W, n, V, n, &low, &high,
                                       scale.data(), &norm, nullptr, nullptr);
               });
}

bool dgeevx(Matrix<double> A, bool left, EigResult<double>& result) {
  std::vector<double> scale(static_cast<std::size_t>(A.rows()));
  lapack_int low = 0, high = 0;
  double norm = 0;
  return solve("dgeevx", std::move(A), left, result,
               [&](char job, lapack_int n, double* a, double* re, double* im, double* W, double* V) {
                 return LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'N', job, 'V', 'N', n, a, n, re, im, W, n, V, n, &low, &high,
                                       scale.data(), &norm, nullptr, nullptr);
               });
}

constexpr std::string_view about = "Hessenberg form, QR algorithm, eigenvectors of the Schur form";
constexpr std::string_view without_balancing = "As xGEEV, without balancing";
constexpr std::array<EigBaseline<double>, 2> real_eig_baselines{
    {{"lapack:dgeev", about, dgeev}, {"lapack:dgeevx", without_balancing, dgeevx}}};
constexpr std::array<EigBaseline<Complex>, 2> complex_eig_baselines{
    {{"lapack:zgeev", about, zgeev}, {"lapack:zgeevx", without_balancing, zgeevx}}};

}  // namespace

template <>
std::span<const EigBaseline<double>> lapack_eig_baselines() {
  return real_eig_baselines;
}
template <>
std::span<const EigBaseline<Complex>> lapack_eig_baselines() {
  return complex_eig_baselines;
}

}  // namespace pivotlab::baselines
