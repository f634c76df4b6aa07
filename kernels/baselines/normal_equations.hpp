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
    const double divisor = s[static_cast<std::size_t>(j)];
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
  std::vector<double> lambda(static_cast<std::size_t>(n));
  check_hegvd(lapack::hegvd<T>(K, B, lambda.data()), n);
  return lambda;
}

}  // namespace pivotlab::baselines
