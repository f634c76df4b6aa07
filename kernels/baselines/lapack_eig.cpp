// The eigendecomposition by LAPACK.
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <support/timer.hpp>

#include <array>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::Padded;

/// Solves by call(job of W, n, A, its leading dimension, eigenvalues, W, V), which returns LAPACK's info. W and V have
/// the leading dimension of A.
template <class Call>
bool solve(const char* routine, MatrixView<const Complex> given, bool left, EigResult<double>& result, Call call) {
  const Index order = given.rows;
  Padded<Complex> A(given), V(order, order), W(order, left ? order : 0);
  result.eigenvalues.resize(static_cast<std::size_t>(order));
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::checked(routine, call(left ? 'V' : 'N', lapack::size(order), A.data(), lapack::leading(A.view()),
                                         result.eigenvalues.data(), W.data(), V.data()));
  }
  result.V = V.compact();
  if (left) result.W = W.compact();
  return info == 0;
}

/// The same of a real matrix by call(job of W, n, A, its leading dimension, real parts, imaginary parts, W, V).
template <class Call>
bool solve(const char* routine, MatrixView<const double> given, bool left, EigResult<double>& result, Call call) {
  const Index order = given.rows;
  Padded<double> A(given), V(order, order), W(order, left ? order : 0);
  std::vector<double> re(static_cast<std::size_t>(order)), im(re.size());
  lapack_int info = 0;
  {
    const ScopeTimer timer(result.compute_seconds);
    info = lapack::checked(routine, call(left ? 'V' : 'N', lapack::size(order), A.data(), lapack::leading(A.view()),
                                         re.data(), im.data(), W.data(), V.data()));
  }
  for (std::size_t k = 0; k < re.size(); ++k) result.eigenvalues.emplace_back(re[k], im[k]);
  result.V = unpacked_vectors(V.compact(), result.eigenvalues);
  if (left) result.W = unpacked_vectors(W.compact(), result.eigenvalues);
  return info == 0;
}

bool zgeev(MatrixView<const Complex> A, bool left, EigResult<double>& result) {
  return solve("zgeev", A, left, result,
               [](char job, lapack_int n, Complex* a, lapack_int ld, Complex* w, Complex* W, Complex* V) {
                 return LAPACKE_zgeev(LAPACK_COL_MAJOR, job, 'V', n, a, ld, w, W, ld, V, ld);
               });
}

bool dgeev(MatrixView<const double> A, bool left, EigResult<double>& result) {
  return solve("dgeev", A, left, result,
               [](char job, lapack_int n, double* a, lapack_int ld, double* re, double* im, double* W, double* V) {
                 return LAPACKE_dgeev(LAPACK_COL_MAJOR, job, 'V', n, a, ld, re, im, W, ld, V, ld);
               });
}

/// xGEEVX without balancing and condition numbers.
bool zgeevx(MatrixView<const Complex> A, bool left, EigResult<double>& result) {
  std::vector<double> scale(static_cast<std::size_t>(A.rows));
  lapack_int low = 0, high = 0;
  double norm = 0;
  return solve("zgeevx", A, left, result,
               [&](char job, lapack_int n, Complex* a, lapack_int ld, Complex* w, Complex* W, Complex* V) {
                 return LAPACKE_zgeevx(LAPACK_COL_MAJOR, 'N', job, 'V', 'N', n, a, ld, w, W, ld, V, ld, &low, &high,
                                       scale.data(), &norm, nullptr, nullptr);
               });
}

bool dgeevx(MatrixView<const double> A, bool left, EigResult<double>& result) {
  std::vector<double> scale(static_cast<std::size_t>(A.rows));
  lapack_int low = 0, high = 0;
  double norm = 0;
  return solve("dgeevx", A, left, result,
               [&](char job, lapack_int n, double* a, lapack_int ld, double* re, double* im, double* W, double* V) {
                 return LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'N', job, 'V', 'N', n, a, ld, re, im, W, ld, V, ld, &low,
                                       &high, scale.data(), &norm, nullptr, nullptr);
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
