// SPDX-License-Identifier: BSD-3-Clause
// Errors of hyperbolic singular value decompositions and of Hermitian eigendecompositions.
#pragma once

#include "matrices.hpp"

#include "kernels/jacobi/spectral.hpp"

namespace pivotlab::test {

/// n signs, the second half negative.
inline std::vector<int> half(Index n) {
  std::vector<int> J(static_cast<std::size_t>(n), 1);
  for (Index j = n / 2; j < n; ++j) J[j] = -1;
  return J;
}

/// max|V*JV − J'| / ‖V‖²_F.
template <class T>
double defect_of_v(const HsvdResult<T>& r, const std::vector<int>& J) {
  Matrix<T> JV = r.V;
  double norm = 0, defect = 0;
  for (Index j = 0; j < JV.cols(); ++j)
    for (Index i = 0; i < JV.rows(); ++i) {
      norm += std::norm(JV(i, j));
      if (!J.empty()) JV(i, j) *= T(J[i]);
    }
  const Matrix<T> product = jacobi::product(true, r.V, JV, thread_count(0));
  for (Index j = 0; j < JV.cols(); ++j)
    for (Index i = 0; i < JV.rows(); ++i)
      defect = std::max(defect, std::abs(product(i, j) - (i == j ? T(r.J[j]) : T(0))));
  return defect / norm;
}

/// Largest ‖g_j − (U·Σ·J'·V*·J)_j‖ / ‖g_j‖ and max|U*U − I|.
template <class T>
double defect_of_g(const Matrix<T>& G, const HsvdResult<T>& r, const std::vector<int>& J) {
  Matrix<T> scaled(r.U.rows(), r.U.cols()), VH(r.V.cols(), r.V.rows());
  for (Index j = 0; j < scaled.cols(); ++j)
    for (Index i = 0; i < scaled.rows(); ++i) scaled(i, j) = r.U(i, j) * T(r.sigma[j] * r.J[j]);
  for (Index j = 0; j < VH.cols(); ++j)
    for (Index i = 0; i < VH.rows(); ++i) VH(i, j) = conjugate(r.V(j, i)) * T(J.empty() ? 1 : J[j]);
  const int threads = thread_count(0);
  const Matrix<T> product = jacobi::product(false, scaled, VH, threads), UU = jacobi::product(true, r.U, r.U, threads);
  double worst = 0;
  for (Index j = 0; j < G.cols(); ++j) {
    double error = 0, norm = 0;
    for (Index i = 0; i < G.rows(); ++i) error += std::norm(product(i, j) - G(i, j)), norm += std::norm(G(i, j));
    worst = std::max(worst, norm > 0 ? std::sqrt(error / norm) : std::sqrt(error));
    for (Index i = 0; i < UU.rows(); ++i) worst = std::max(worst, std::abs(UU(i, j) - T(i == j)));
  }
  return worst;
}

/// Larger of ‖A·U − U·Λ‖/(‖A‖·n·ε) and ‖U*U − I‖/(n·ε), Frobenius norms.
template <class T>
double largest_defect(const Matrix<T>& A, const EighResult<T>& r) {
  const int threads = thread_count(0);
  const Matrix<T> AU = jacobi::product(false, A, r.U, threads), UU = jacobi::product(true, r.U, r.U, threads);
  double residual = 0, norm = 0, orthogonality = 0;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      residual += std::norm(AU(i, j) - r.U(i, j) * r.eigenvalues[j]);
      norm += std::norm(A(i, j));
      orthogonality += std::norm(UU(i, j) - T(i == j));
    }
  const double unit = static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon();
  return std::max(norm > 0 ? std::sqrt(residual / norm) / unit : 0, std::sqrt(orthogonality) / unit);
}

}  // namespace pivotlab::test
