// SPDX-License-Identifier: BSD-3-Clause
// Steps 1 and 2 of the generalized hyperbolic SVD by tangent reduction: B = F·R⁻¹, and T = B*JB = G_T·J'·G_T*.
#pragma once

#include "kernels/jacobi/ghsvd_pair.hpp"
#include "kernels/jacobi/shared/ghsvd_values.hpp"
#include "kernels/jacobi/shared/signed_factor.hpp"
#include "kernels/numerics/extended_product.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/householder.hpp"
#include "kernels/numerics/order.hpp"

#include <limits>
#include <vector>

namespace pivotlab::jacobi {

/// G·P = Q·R and B = F·P·R⁻¹. Columns are ordered by ‖f‖/‖g‖ ascending, and the QR factorization takes the rows of G by
/// descending largest element: its errors are then small relative to columns and to rows.
template <class T>
struct ReducedPair {
  std::vector<Index> columns;  ///< column j of G·P is column columns[j] of G
  Matrix<T> Q, R, B;
  bool regular = true;  ///< R is nonsingular and B is finite
};

/// Returns the order of the rows of G by descending largest element.
template <class T>
std::vector<Index> order_of_rows(const Matrix<T>& G) {
  std::vector<RealOf<T>> keys(G.rows(), RealOf<T>(0));
  for (Index j = 0; j < G.cols(); ++j)
    for (Index i = 0; i < G.rows(); ++i) {
      RealOf<T>& key = keys[i];
      key = std::min(key, RealOf<T>(-detail::largest_part(G(i, j))));
    }
  return ascending_indices(keys);
}

/// Returns A with row i in the place order[i].
template <class T>
Matrix<T> rows_in_order(const std::vector<Index>& order, const Matrix<T>& A) {
  Matrix<T> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(order[i], j) = A(i, j);
  return result;
}

template <class T>
std::vector<Index> order_of_columns(const Matrix<T>& F, const Matrix<T>& G, int threads) {
  auto ratios = column_norms<T>(F.view(), threads);
  const auto norms = column_norms<T>(G.view(), threads);
  for (std::size_t j = 0; j < ratios.size(); ++j) ratios[j] /= norms[j];
  return ascending_indices(ratios);
}

/// Computes B := B·R⁻¹ for an upper triangular R, blocks of rows at the same time.
template <class T>
void divide_by_triangle(Matrix<T>& B, const Matrix<T>& R, int threads) {
  constexpr Index block = 64;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < B.rows(); first += block)
    divide_by_upper(B.view().block(first, 0, std::min(block, B.rows() - first), B.cols()), R);
}

template <class T>
ReducedPair<T> reduce(const ScaledPair<T>& pair, int threads) {
  const Index n = pair.G.cols();
  ReducedPair<T> result;
  result.columns = order_of_columns(pair.F, pair.G, threads);
  const auto rows = order_of_rows(pair.G);
  Matrix<T> sorted(pair.G.rows(), n);
  result.B = Matrix<T>(pair.F.rows(), n);
  for (Index j = 0; j < n; ++j) {
    const Index from = result.columns[j];
    std::ranges::copy(pair.F.col(from), result.B.col(j).begin());
    for (Index i = 0; i < sorted.rows(); ++i) sorted(i, j) = pair.G(rows[i], from);
  }
  const auto qr = householder_qr(std::move(sorted), threads);
  result.R = upper_factor(qr);
  for (const T& pivot : qr.diagonal) result.regular &= pivot != T(0);
  if (!result.regular) return result;
  result.Q = rows_in_order(rows, unitary_factor(qr, threads));
  divide_by_triangle(result.B, result.R, threads);
  for (Index i = 0; i < result.B.size(); ++i)
    result.regular &= detail::largest_part(result.B.data()[i]) <= std::numeric_limits<RealOf<T>>::max();
  return result;
}

/// Computes T = B*JB and factors it with complete pivoting in the arithmetic of E.
template <class E, class T>
LdltFactorization<E> factored_tangent(const Matrix<T>& B, const std::vector<int>& J, int threads) {
  Matrix<T> JB = B;
  if (!J.empty()) scale_rows(JB, J);
  Matrix<E> tangent;
  if constexpr (std::is_same_v<RealOf<E>, double>)
    tangent = product(true, B, JB, threads);
  else
    tangent = pivotlab::product<E>({B, Op::adjoint}, {JB}, threads);
  for (Index j = 0; j < tangent.cols(); ++j) tangent(j, j) = E(real_part(tangent(j, j)));
  return ldlt<E>(tangent,
                 {.variant = {.pivoting = Pivoting::complete}, .triangle = InputTriangle::lower, .threads = threads});
}

template <class T, class E>
SignedFactor<T> rounded(const SignedFactor<E>& factor) {
  if constexpr (std::is_same_v<T, E>) {
    return factor;
  } else {
    SignedFactor<T> result{Matrix<T>(factor.G.rows(), factor.G.cols()), factor.J, factor.rows, factor.pairs};
    for (Index i = 0; i < factor.G.size(); ++i) result.G.data()[i] = round_to_double<T>(factor.G.data()[i]);
    return result;
  }
}

/// Returns the function that computes T and its factors in extended precision for another backend.
template <class T>
auto factor_on_host(int threads) {
  return [threads](const Matrix<T>& B, const std::vector<int>& J) {
    return rounded<T>(signed_factor(factored_tangent<Rebind<T, ExtendedReal<RealOf<T>>>>(B, J, threads)));
  };
}

/// Returns B·G_T⁻* (m_F × r), J-unitary up to rounding errors: B(:, rows) = U·L*, L = G_T(rows, :), which is block
/// lower triangular, by substitution.
template <class T>
Matrix<T> hyperbolic_factor(const Matrix<T>& B, const SignedFactor<T>& factor, int threads) {
  const Index m = B.rows(), r = factor.G.cols();
  Matrix<T> U(m, r);
  const auto l = [&](Index i, Index j) { return conjugate(factor.G(factor.rows[i], j)); };
  constexpr Index block = 64;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < m; first += block) {
    const Index count = std::min(block, m - first);
    const auto part = [&](Index j) { return U.view().block(first, j, count, 1).col(0); };
    for (Index k = 0; k < r; ++k) {
      const auto u = part(k);
      for (Index i = 0; i < count; ++i) u[i] = B(first + i, factor.rows[k]);
      const bool second = k > 0 && factor.pairs[k - 1];
      for (Index j = 0; j < k - (second ? 1 : 0); ++j) {
        const T multiplier = l(k, j);
        const auto v = part(j);
        for (Index i = 0; i < count; ++i) u[i] -= detail::times(v[i], multiplier);
      }
      if (second) {  // [x y]·[l(k−1,k−1) l(k,k−1); l(k−1,k) l(k,k)] = the two columns
        const auto v = part(k - 1);
        const T determinant = detail::times(l(k - 1, k - 1), l(k, k)) - detail::times(l(k, k - 1), l(k - 1, k));
        for (Index i = 0; i < count; ++i) {
          const T x = v[i], y = u[i];
          v[i] = (detail::times(x, l(k, k)) - detail::times(y, l(k - 1, k))) / determinant;
          u[i] = (detail::times(y, l(k - 1, k - 1)) - detail::times(x, l(k, k - 1))) / determinant;
        }
      } else if (!factor.pairs[k]) {
        const T pivot = l(k, k);
        for (Index i = 0; i < count; ++i) u[i] /= pivot;
      }
    }
  }
  return U;
}

}  // namespace pivotlab::jacobi
