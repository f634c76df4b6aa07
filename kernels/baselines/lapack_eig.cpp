// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition by LAPACK.
#include <kernels/baselines/baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>

namespace pivotlab::baselines {
namespace {

using lapack::Complex;
using lapack::Padded;

/// Calls `routine`, xGEEV or xGEEVX, with one of the forms of eigenvalues.
template <class T, class Routine>
void solve(MatrixView<const T> given, bool left, EigResult<double>& result, Routine routine) {
  const Index order = given.rows;
  Padded<T> A(given), V(order, order), W(order, left ? order : 0);
  std::vector<T> w(order), imaginary(w);
  const lapack_int info = timed(result.compute_seconds, [&] {
    if constexpr (is_complex<T>)
      return routine(A.view(), W.view(), V.view(), w.data());
    else
      return routine(A.view(), W.view(), V.view(), w.data(), imaginary.data());
  });
  if constexpr (is_complex<T>)
    result.eigenvalues = std::move(w);
  else
    for (std::size_t k = 0; k < w.size(); ++k) result.eigenvalues.emplace_back(w[k], imaginary[k]);
  result.V = unpacked_vectors(V.compact(), result.eigenvalues);
  if (left) result.W = unpacked_vectors(W.compact(), result.eigenvalues);
  require_convergence(info == 0, "the QR algorithm does not converge");
}

template <class T>
void geev(MatrixView<const T> A, bool left, EigResult<double>& result) {
  solve(A, left, result, [](auto... arguments) { return lapack::geev(arguments...); });
}
template <class T>
void geevx(MatrixView<const T> A, bool left, EigResult<double>& result) {
  solve(A, left, result, [](auto... arguments) { return lapack::geevx(arguments...); });
}

}  // namespace

template <class T>
std::vector<EigBaseline<T>> lapack_eig_baselines() {
  return {{pick<T>("lapack:dgeev", "lapack:zgeev"), "Hessenberg form, QR algorithm, eigenvectors of the Schur form",
           geev<T>},
          {pick<T>("lapack:dgeevx", "lapack:zgeevx"), "As xGEEV, without balancing", geevx<T>}};
}
template decltype(lapack_eig_baselines<double>) lapack_eig_baselines<double>;
template decltype(lapack_eig_baselines<Complex>) lapack_eig_baselines<Complex>;

}  // namespace pivotlab::baselines
