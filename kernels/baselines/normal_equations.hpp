// SPDX-License-Identifier: BSD-3-Clause
// Generalized Hermitian eigenproblems with GᴴG by LAPACK, for two decompositions.
#pragma once

#include <kernels/baselines/baseline.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::baselines {

/// Computes A := A·diag(1/s); a column with s = 0 becomes zero.
template <class T>
void divide_columns(MatrixView<T> A, const std::vector<double>& s) {
  for (Index j = 0; j < A.cols; ++j) {
    const double divisor = s[j];
    for (T& x : A.col(j)) x = divisor == 0 ? T(0) : x / divisor;
  }
}

/// Solves K·x = λ·GᴴG·x by xSYGVD/xHEGVD from the upper triangle of K; x overwrites K, xᴴGᴴGx = 1, λ is returned and
/// ascends. Throws DecompositionFailed.
template <class T>
std::vector<double> solve_normal_equations(MatrixView<T> K, MatrixView<const T> G) {
  const Index n = K.cols;
  lapack::Padded<T> B(n, n);
  lapack::gram<T>(Triangle::upper, G, B);
  const auto overflowed = [n](MatrixView<const T> A) {
    for (Index j = 0; j < n; ++j)
      if (!std::ranges::all_of(A.col(j), [](const T& x) { return std::isfinite(std::abs(x)); })) return true;
    return false;
  };
  if (overflowed(K) || overflowed(B)) throw normal_equations_overflow();
  std::vector<double> lambda(n);
  check_hegvd(lapack::hegvd<T>(K, B, lambda.data()), n);
  return lambda;
}

/// Fills U = FZ/σ_F, V = GZ/σ_G, Z and what the two functions set: set_k(F, K) computes the upper triangle of K, which
/// is zero before; set_z(λ, x) sets σ_F and σ_G, and returns Z.
template <class T, class Result, class SetK, class SetZ>
void solve_by_normal_equations(MatrixView<const T> F_view, MatrixView<const T> G_view, Result& result,
                               const SetK& set_k, const SetZ& set_z) {
  const Index n = F_view.cols;
  const lapack::Padded<T> F(F_view), G(G_view);
  lapack::Padded<T> U(F.rows(), n), V(G.rows(), n), X(n, n);
  const MatrixView<const T> Z = timed(result.compute_seconds, [&] {
    set_k(F.view(), X.view());
    const std::vector<double> lambda = solve_normal_equations<T>(X, G);
    const MatrixView<const T> z = set_z(lambda, X.view());
    lapack::gemm<T>(Op::none, 1, F, z, 0, U);
    lapack::gemm<T>(Op::none, 1, G, z, 0, V);
    divide_columns<T>(U, result.sigma_f);
    divide_columns<T>(V, result.sigma_g);
    return z;
  });
  result.U = U.compact();
  result.V = V.compact();
  result.Z = Matrix<T>(Z);
}

}  // namespace pivotlab::baselines
