// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD by the implicit Hari–Zimmermann algorithm on F and G.
//
//   est_j = 2·ν_j·‖f_j‖/|f_j*Jf_j| + 2·μ_j/‖g_j‖ + 2·u·√(n·sweeps),
//
// with the last iterate's columns f_j and g_j and their noise ν_j and μ_j.
#pragma once

#include "kernels/jacobi/ghsvd_pair.hpp"
#include "kernels/jacobi/host/hari_zimmermann.hpp"
#include "kernels/numerics/order.hpp"

#include <pivotlab/ghsvd.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// Numbers of a column of the last iterate.
template <class R>
struct SignedNumbers {
  R f, f_norm, g_norm;  ///< f*Jf, ‖f‖, ‖g‖
};

template <class T>
std::vector<SignedNumbers<RealOf<T>>> signed_numbers(const SignedIterate<T>& a, Index n) {
  using R = RealOf<T>;
  std::vector<SignedNumbers<R>> result;
  for (Index j = 0; j < n; ++j) {
    const R plus = squared_norm<false>(a.plus, j), minus = squared_norm<false>(a.minus, j);
    result.push_back({R(plus - minus), square_root(R(plus + minus)), square_root(squared_norm<false>(a.G, j))});
  }
  return result;
}

/// Returns column j of A, divided by a number ≠ 0.
template <class T>
std::vector<T> divided_column(const SplitMatrix<T>& A, Index j, const RealOf<T>& divisor) {
  std::vector<T> column;
  for (Index i = 0; i < A.rows(); ++i) {
    if constexpr (is_complex<T>)
      column.push_back({A.re(j)[i] / divisor, A.im(j)[i] / divisor});
    else
      column.push_back(A.re(j)[i] / divisor);
  }
  return column;
}

/// Stores the column of the last iterate as the next one of the result, with Z for σ_G = 1 in `Z`.
template <class T>
void store_column(const ScaledPair<T>& pair, const SignedIterate<T>& a, Index from, const SignedNumbers<RealOf<T>>& c,
                  const std::vector<int>& J, Matrix<T>& Z, GhsvdResult<T>& result) {
  using R = RealOf<T>;
  const Index j = std::ssize(result.eigenvalues);
  const R root = square_root(absolute(c.f));
  const R noise = noise_norm(std::max(a.noise[from], R(c.f_norm * c.f_norm)));
  const R noise_g = noise_norm(std::max(a.noise_g[from], R(c.g_norm * c.g_norm)));
  const int sign = c.f > R(0) ? 1 : c.f < R(0) ? -1 : 0;
  const R estimate = R(2) * (noise * (c.f_norm / absolute(c.f)) + noise_g / c.g_norm +
                             accumulated_rounding<R>(result.Z.cols(), result.sweeps.size()));
  const R factor = store_value<R>(sign, R(root / c.g_norm), estimate, pair.scaling.f, result);
  if (sign != 0) {
    const auto plus = divided_column(a.plus, from, root), minus = divided_column(a.minus, from, root);
    std::size_t next_plus = 0, next_minus = 0;
    for (Index i = 0; i < result.U.rows(); ++i)
      result.U(i, j) = is_negative(J, i) ? minus[next_minus++] : plus[next_plus++];
  }
  const auto g = divided_column(a.G, from, c.g_norm), z = divided_column(a.Z, from, c.g_norm);
  std::copy_n(g.begin(), result.V.rows(), result.V.col(j).begin());
  for (Index i = 0; i < Z.rows(); ++i) {
    Z(i, j) = z[i];
    result.Z(i, j) = times_power_of_two(T(z[i] * factor), pair.scaling.columns[i]);
  }
}

template <class T>
GhsvdResult<T> ghsvd_directly(const ScaledPair<T>& pair, const std::vector<int>& J, const GhsvdOptions& options,
                              const HsvdOptions& sweeps) {
  using R = RealOf<T>;
  const int threads = thread_count(options.threads);
  const Index n = pair.G.cols();
  GhsvdResult<T> result;
  const Timer timer;
  SignedIterate<T> a = signed_iterate(pair.F, pair.G, J);
  if (n > 0) result.sweeps = iterate(a, sweeps, threads);
  result.sweep_seconds = timer.seconds();

  const auto columns = signed_numbers(a, n);
  std::vector<R> keys;
  for (const SignedNumbers<R>& c : columns) keys.push_back(R(-c.f / (c.g_norm * c.g_norm)));
  Matrix<T> Z(n, n);
  result.U = Matrix<T>(pair.F.rows(), n), result.V = Matrix<T>(pair.G.rows(), n), result.Z = Matrix<T>(n, n);
  for (const Index from : ascending_indices(keys)) store_column(pair, a, from, columns[from], J, Z, result);
  if (is_deficient(pair, result.V, Z, threads)) return deficient<T>(n);
  result.rank = n - result.inertia.zero;
  const Index rows = std::max(pair.F.rows(), pair.G.rows() + n % 2);
  const bool converged = n == 0 || ends_iteration<R>(result.sweeps.back(), rows);
  result.status = converged ? Status::passed : Status::not_converged;
  if (!converged)
    result.message = "columns were not orthogonal after " + std::to_string(options.max_sweeps) + " sweeps";
  result.compute_seconds = timer.seconds();
  return result;
}

}  // namespace pivotlab::jacobi
