// The spectral preconditioner on the host, from LAPACK's eigenvectors (shared/spectral_rules.hpp).
#pragma once

#include "kernels/jacobi/lapack_eigenvectors.hpp"
#include "kernels/jacobi/shared/spectral_rules.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::jacobi {

/// Computes A·B, or A*·B. Columns of the result are divided among threads in a fixed way.
template <class T>
Matrix<T> product(bool adjoint, const Matrix<T>& A, const Matrix<T>& B, int threads) {
  constexpr Index block = 64;
  Matrix<T> C(adjoint ? A.cols() : A.rows(), B.cols());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < B.cols(); first += block) {
    const Index count = std::min(block, B.cols() - first);
    auto c = as_eigen(C.view().cols_range(first, count));
    const auto b = as_eigen(B.view().cols_range(first, count));
    if (adjoint)
      c.noalias() = as_eigen(A.view()).adjoint() * b;
    else
      c.noalias() = as_eigen(A.view()) * b;
  }
  return C;
}

template <class T>
void scale_rows(Matrix<T>& A, const std::vector<int>& signs) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (signs[static_cast<std::size_t>(i)] < 0) A(i, j) = -A(i, j);
}

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
      E(j, j) -= T(chosen.signs[static_cast<std::size_t>(j)]);
      for (const T& e : E.col(j))
        if (!(modulus(e) <= largest)) largest = modulus(e);  // also NaN
    }
    return largest;
  };
  const auto correct = [&] {
    scale_rows(E, chosen.signs);
    const Matrix<T> correction = product(false, V, E, threads);
    as_eigen(V.view()) -= as_eigen(correction.view()) * T(0.5);
  };
  make_j_unitary(report, defect, correct);
  if (!report.used) return report;
  G = product(false, G, V, threads);
  J = chosen.signs;
  return report;
}

}  // namespace pivotlab::jacobi
