// The spectral preconditioner: a J-unitary V₀ from an approximate eigendecomposition A ≈ X·Λ·X*. The columns of G·V₀
// are nearly orthogonal. V₀ may be inaccurate; only V₀*·J·V₀ = S must hold, which Newton steps achieve:
//
//   S = sign Λ,   V₀ := J·G*·X·|Λ|^(−½)·S;   repeat  E := V₀*JV₀ − S,  V₀ := V₀·(I − ½·S·E)  until E was small.
#pragma once

#include "kernels/jacobi/lapack_eigenvectors.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pivotlab/eigh.hpp>
#include <pivotlab/error.hpp>
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
  using R = RealOf<T>;
  constexpr int most_steps = 6;
  SpectralReport report;
  const Index n = G.rows(), r = G.cols();
  if (approximate.values.empty()) {
    report.refusal = "LAPACK's eigensolver does not converge";
    return report;
  }
  std::vector<Index> kept(static_cast<std::size_t>(n));
  std::iota(kept.begin(), kept.end(), Index(0));
  std::ranges::stable_sort(
      kept, [&](Index a, Index b) { return absolute(approximate.values[a]) > absolute(approximate.values[b]); });
  kept.resize(static_cast<std::size_t>(r));  // the eigenvalues that are not zero
  std::ranges::sort(kept, [&](Index a, Index b) { return approximate.values[a] > approximate.values[b]; });
  const auto is_positive = [&](Index k) { return approximate.values[k] > R(0); };
  if (std::ranges::count_if(kept, is_positive) != std::ranges::count(J, 1) ||
      std::ranges::any_of(kept, [&](Index k) { return approximate.values[k] == R(0); })) {
    report.refusal = "the inertia of LAPACK's eigenvalues is another one";
    return report;
  }

  Matrix<T> X(n, r);
  std::vector<int> S;
  for (Index j = 0; j < r; ++j) {
    const Index from = kept[static_cast<std::size_t>(j)];
    S.push_back(is_positive(from) ? 1 : -1);
    const R factor = R(S.back()) / square_root(absolute(approximate.values[from]));
    for (Index i = 0; i < n; ++i) X(i, j) = approximate.vectors(i, from) * factor;
  }
  Matrix<T> V = product(true, G, X, threads);
  scale_rows(V, J);
  R defect(1);
  for (report.newton_steps = 0; report.newton_steps < most_steps && defect > R(1e-8); ++report.newton_steps) {
    Matrix<T> signed_v = V;
    scale_rows(signed_v, J);
    Matrix<T> E = product(true, V, signed_v, threads);
    defect = R(0);
    for (Index j = 0; j < r; ++j) {
      E(j, j) -= T(S[static_cast<std::size_t>(j)]);
      for (const T& e : E.col(j))
        if (!(modulus(e) <= defect)) defect = modulus(e);  // also NaN
    }
    if (report.newton_steps == 0) report.defect = static_cast<double>(defect);
    if (!(defect < R(0.3))) break;
    scale_rows(E, S);
    const Matrix<T> correction = product(false, V, E, threads);
    as_eigen(V.view()) -= as_eigen(correction.view()) * T(0.5);
  }
  if (!(defect <= R(1e-8))) {
    report.refusal = "the approximate eigenvectors do not give a J-unitary matrix";
    return report;
  }
  G = product(false, G, V, threads);
  J = std::move(S);
  report.used = true;
  return report;
}

}  // namespace pivotlab::jacobi
