// SPDX-License-Identifier: BSD-3-Clause
// The spectral preconditioner on the host, from LAPACK's eigenvectors (shared/spectral_rules.hpp).
#pragma once

#include "kernels/jacobi/lapack_eigenvectors.hpp"
#include "kernels/jacobi/shared/products.hpp"
#include "kernels/jacobi/shared/spectral_rules.hpp"

#include <vector>

namespace pivotlab::jacobi {

/// Replaces G by G·V₀ and J by S where V₀ can be made J-unitary.
template <class T>
SpectralReport precondition(const ApproximateEigenvectors<T>& approximate, Matrix<T>& G, std::vector<int>& J,
                            int threads) {
  SpectralReport report;
  const SpectralColumns chosen = choose_columns(approximate.values, J, "LAPACK", report);
  if (!report.refusal.empty()) return report;
  const Index n = G.rows(), r = G.cols();
  Matrix<T> X(n, r);
  for (Index j = 0; j < r; ++j)
    for (Index i = 0; i < n; ++i) X(i, j) = approximate.vectors(i, chosen.column[j]) * chosen.factors[j];
  Matrix<T> V = product(true, G, X, threads), E;
  scale_rows(V, J);
  const auto defect = [&] {
    Matrix<T> signed_v = V;
    scale_rows(signed_v, J);
    E = product(true, V, signed_v, threads);
    double largest = 0;
    for (Index j = 0; j < r; ++j) {
      E(j, j) -= T(chosen.signs[j]);
      for (const T& e : E.col(j))
        if (!(modulus(e) <= largest)) largest = modulus(e);  // also NaN
    }
    return largest;
  };
  const auto correct = [&] {
    scale_rows(E, chosen.signs);
    const Matrix<T> correction = product(false, V, E, threads);
    subtract_half(V, correction);
  };
  make_j_unitary(report, defect, correct);
  if (!report.used) return report;
  G = product(false, G, V, threads);
  J = chosen.signs;
  return report;
}

}  // namespace pivotlab::jacobi
