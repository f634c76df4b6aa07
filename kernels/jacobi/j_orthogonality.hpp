// SPDX-License-Identifier: BSD-3-Clause
// J-orthogonality of V for a J with both signs. Hyperbolic transformations of nearly parallel columns multiply rounding
// errors by cosh²φ, and those of later transformations may make V small again: the errors remain. They are measured,
// and removed where they are too large: V becomes J-orthogonal by Newton steps,
//
//   E := V*JV − J',   V := V·(I − ½·J'·E),
//
// the columns of G·V are nearly orthogonal, and the decomposition G·V·W = U·Σ of (G·V, J') has a W that is nearly
// diagonal and loses nothing; V·W is the new V. Source of the steps: shared/spectral_rules.hpp.
#pragma once

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pivotlab::jacobi {

inline bool has_both_signs(const std::vector<int>& J) {
  return std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end();
}

/// Errors of a decomposition of (G, J), as its judge measures them.
template <class T>
struct Defects {
  using R = RealOf<T>;
  Matrix<T> E;      ///< V*JV − J'
  R largest{};      ///< max|E|
  R size;           ///< ‖E‖; V*JV has the signs of J' only if it is less than 1
  R orthogonality;  ///< ‖E‖/max‖v_j‖², Frobenius norms
  R residual;       ///< ‖(G·V − U·Σ)·D⁻¹‖/‖G‖, D = diag(‖v_j‖)

  /// Compares with a quarter of the bounds of the judge, or half of that of ‖E‖. Returns false for NaN.
  bool are_rounding(Index m, Index n) const {
    constexpr R eps = std::numeric_limits<R>::epsilon();
    return size <= R(0.25) && orthogonality <= R(8 * n) * eps && residual <= R(8 * m) * eps;
  }
};

template <class T>
Defects<T> defects_of(const Matrix<T>& G, const std::vector<int>& J, const HsvdResult<T>& r, int threads) {
  using R = RealOf<T>;
  Defects<T> d;
  Matrix<T> signed_v = r.V;
  scale_rows(signed_v, J);
  d.E = product(true, r.V, signed_v, threads);
  const std::vector<R> lengths = column_norms<T>(r.V.view(), threads), columns = column_norms<T>(G.view(), threads);
  const Matrix<T> GV = product(false, G, r.V, threads);
  R orthogonality(0), residual(0), norm(0);
  for (Index j = 0; j < G.cols(); ++j) {
    d.E(j, j) -= T(r.J[j]);
    for (const T& e : d.E.col(j)) {
      orthogonality += squared_magnitude(e);
      if (const R size = modulus(e); !(size <= d.largest)) d.largest = size;  // also NaN
    }
    for (Index i = 0; i < G.rows(); ++i)
      residual += squared_magnitude(divided_by_real(T(GV(i, j) - r.U(i, j) * r.sigma[j]), lengths[j]));
    norm += columns[j] * columns[j];
  }
  const R longest = *std::ranges::max_element(lengths);
  d.size = square_root(orthogonality);
  d.orthogonality = d.size / (longest * longest);
  d.residual = norm > R(0) ? R(square_root(residual / norm)) : R(0);
  return d;
}

/// Makes V J-orthogonal by Newton steps from E, and returns whether it was near enough. Only errors beyond rounding,
/// which is relative to ‖V‖², become smaller.
template <class T>
bool make_j_orthogonal(const std::vector<int>& J, Defects<T> d, HsvdResult<T>& r, int threads) {
  using R = RealOf<T>;
  constexpr int most_steps = 6;
  for (int step = 0; step < most_steps; ++step) {
    if (!(d.largest < R(0.3))) return false;
    const R before = d.largest;
    scale_rows(d.E, r.J);
    const Matrix<T> correction = product(false, r.V, d.E, threads);
    subtract_half(r.V, correction);
    if (before <= square_root(std::numeric_limits<R>::epsilon())) return true;
    Matrix<T> signed_v = r.V;
    scale_rows(signed_v, J);
    d.E = product(true, r.V, signed_v, threads);
    d.largest = R(0);
    for (Index j = 0; j < d.E.cols(); ++j) {
      d.E(j, j) -= T(r.J[j]);
      for (const T& e : d.E.col(j)) d.largest = std::max(d.largest, R(modulus(e)));
    }
    if (d.largest > before / R(2)) return true;
  }
  return true;
}

/// Improves a decomposition of (G, J) with both signs and with V until its errors are rounding alone. solve(G, J)
/// decomposes another matrix on the same backend. The status says whether it succeeded.
template <class T, class Solve>
void restore_orthogonality(MatrixView<const T> given, const std::vector<int>& J, int threads, const Solve& solve,
                           HsvdResult<T>& r) {
  using R = RealOf<T>;
  constexpr int most_rounds = 4;
  if (r.status != Status::passed && (r.sweeps.empty() || r.sweeps.back().clamped == 0)) return;
  const std::vector<R> parts = detail::largest_parts(given, 'G', threads);
  const R most = *std::ranges::max_element(parts);
  if (most == R(0)) return;
  const int exponent = -exponent_of(most);
  Matrix<T> G{given};
  for (Index i = 0; i < G.size(); ++i) G.data()[i] = times_power_of_two(G.data()[i], exponent);
  for (R& sigma : r.sigma) sigma = times_power_of_two(sigma, exponent);
  const std::vector<R> norms = column_norms<T>(G.view(), threads);
  bool improved = false;
  Defects<T> d = defects_of(G, J, r, threads);
  for (int round = 0; round < most_rounds; ++round) {
    if (r.status == Status::passed && d.are_rounding(G.rows(), G.cols())) break;
    if (!make_j_orthogonal(J, d, r, threads)) break;
    HsvdResult<T> next = solve(product(false, G, r.V, threads), r.J);
    next.V = product(false, r.V, next.V, threads);
    next.sweeps.insert(next.sweeps.begin(), r.sweeps.begin(), r.sweeps.end());
    next.compute_seconds += r.compute_seconds;
    r = std::move(next);
    improved = true;
    d = defects_of(G, J, r, threads);
  }
  const Matrix<R> v = moduli(r.V);
  for (Index j = 0; j < G.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const R sigma = r.sigma[at];
    R& estimate = r.estimate[at];
    if (improved && sigma > R(0)) {  // errors ε‖g_i‖ of columns of G, and those of V
      R sum(0);
      for (Index i = 0; i < G.cols(); ++i) sum += norms[i] * v(i, j);
      estimate += R(2) * std::numeric_limits<R>::epsilon() * sum / sigma + modulus(d.E(j, j));
      estimate = std::min(R(1), estimate);
    }
    store_sigma(sigma, exponent, r.sigma[at], estimate);
  }
  if (r.status != Status::passed || d.are_rounding(G.rows(), G.cols())) return;
  r.status = Status::not_converged;
  r.message =
      "columns of different signs are nearly parallel, and V is not J-orthogonal up to rounding errors: the "
      "decomposition is not determined";
}

}  // namespace pivotlab::jacobi
