// The Hermitian eigendecomposition by A = G·J·G* and the hyperbolic SVD.
//
//   scale A by 4^k;  A = G·J·G* with the scaled rank test;  columns with J = 0 are dropped
//   variants with `spectral`: G := G·V₀, V₀ J-unitary                                        (spectral.hpp)
//   G·V = U·Σ, λ_j = J'_j·σ_j²;  null vectors complete U
//   est_j = hsvd().estimate_j + ε·‖|G|*·|u_j|‖²/|λ_j|: errors of the sweeps and of the factorization, G before V₀
#pragma once

#include "kernels/jacobi/device/device_eigh.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/signed_factor.hpp"
#include "kernels/jacobi/spectral.hpp"
#include "kernels/numerics/zeros.hpp"
#include "support/timer.hpp"

#include <pivotlab/eigh.hpp>
#include <pivotlab/ldlt.hpp>
#include <utility>

namespace pivotlab {
namespace jacobi {

/// Returns the k for which 4^k·A has a largest element of size 1.
template <class T>
int quarter_scaling(MatrixView<const T> A, int threads) {
  const auto largest = detail::largest_parts(A, 'A', threads);
  const auto most = largest.empty() ? RealOf<T>(0) : *std::ranges::max_element(largest);
  return most > RealOf<T>(0) ? -(exponent_of(most) >> 1) : 0;
}

/// Returns 4^k·A.
template <class T>
Matrix<T> scaled_by(MatrixView<const T> A, int k, int threads) {
  Matrix<T> scaled = copied(A, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < scaled.cols(); ++j)
    for (T& x : scaled.col(j)) x = times_power_of_two(x, 2 * k);
  return scaled;
}

template <class T>
EighParts<T> eigh_on_host(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps, int threads) {
  EighParts<T> parts;
  const Timer timer;
  SignedFactor<T> factor = signed_factor(ldlt<T>(A, factorization_options(options)));
  parts.factor_seconds = timer.seconds();
  parts.rank = factor.G.cols();
  const Matrix<T> before = factor.G;
  if (options.variant.spectral && parts.rank > 0) {
    if constexpr (std::is_same_v<RealOf<T>, double>) {
      const Timer spectral_timer;
      parts.spectral = precondition(lapack_eigenvectors<T>(A, options.threads), factor.G, factor.J, threads);
      parts.spectral_seconds = spectral_timer.seconds();
    } else {
      throw NotSupported("variants with spectral: LAPACK has eigenvectors of double and complex double only");
    }
  }
  const Timer sweep_timer;
  parts.hsvd = pivotlab::hsvd<T>(factor.G, factor.J, sweeps);
  parts.sweep_seconds = sweep_timer.seconds();
  parts.errors = factorization_errors(std::numeric_limits<RealOf<T>>::epsilon(), before, true, parts.hsvd, threads);
  parts.compute_seconds = timer.seconds();
  return parts;
}

/// Solves on the backend that the options select. The emulation has no spectral preconditioner: the host does all but
/// the sweeps then.
template <class T>
EighParts<T> eigh_parts(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps, int threads) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    if (A.rows > 0 && options.backend == Backend::cuda) return eigh_on_cuda<T>(A, options, sweeps);
    if (A.rows > 0 && options.backend == Backend::emulation && !options.variant.spectral)
      return eigh_emulated<T>(A, options, sweeps);
  }
  return eigh_on_host<T>(A, options, sweeps, threads);
}

/// Stores eigenvalues, vectors and judgements in descending order; zeros come between both signs.
template <class T>
void store(const EighParts<T>& parts, Index n, int k, const EighOptions& options, EighResult<T>& result) {
  using R = RealOf<T>;
  const HsvdResult<T>& hsvd = parts.hsvd;
  const std::vector<Index> order = descending_order(hsvd, n);
  for (const Index j : order) {
    const bool zero = j < 0 || hsvd.sigma[j] == R(0);
    const R estimate = zero ? R(1) : std::min(R(1), R(hsvd.estimate[j] + parts.errors[j]));
    const R lambda = zero ? R(0) : R(R(hsvd.J[j]) * hsvd.sigma[j] * hsvd.sigma[j]);
    (lambda > R(0) ? result.inertia.positive : lambda < R(0) ? result.inertia.negative : result.inertia.zero) += 1;
    result.eigenvalues.push_back(times_power_of_two(lambda, -2 * k));
    result.estimate.push_back(estimate);
    result.noise.push_back(R(10) * estimate >= R(1));
  }
  if (!options.vectors) return;
  const int threads = thread_count(options.threads);
  result.U = zeros<T>(n, n, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < n; ++j)
    if (order[static_cast<std::size_t>(j)] >= 0)
      std::ranges::copy(hsvd.U.col(order[static_cast<std::size_t>(j)]), result.U.col(j).begin());
  if (result.inertia.zero > 0) complete_columns<T>(result.U, threads);
}

}  // namespace jacobi

template <class T>
EighResult<T> eigh(MatrixView<const T> A, const EighOptions& options) {
  using namespace jacobi;
  fix_eigen_blocking();
  pivotlab::require_valid(options.variant);
  const HsvdOptions sweeps{.variant = options.variant.sweeps,
                           .backend = options.backend,
                           .max_sweeps = options.max_sweeps,
                           .max_inner_sweeps = options.max_inner_sweeps,
                           .threads = options.threads};
  require_backend<T>(sweeps);
  if (A.rows != A.cols)
    throw InputError("matrix A: it is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                     "; it must be square");
  const int threads = thread_count(options.threads), k = quarter_scaling(A, threads);
  const Matrix<T> scaled = k == 0 ? Matrix<T>() : scaled_by(A, k, threads);
  EighParts<T> parts = eigh_parts<T>(k == 0 ? A : scaled.view(), options, sweeps, threads);
  EighResult<T> result;
  result.factor_seconds = parts.factor_seconds;
  result.spectral_seconds = parts.spectral_seconds;
  result.sweep_seconds = parts.sweep_seconds;
  result.rank = parts.rank;
  store(parts, A.rows, k, options, result);
  result.compute_seconds = parts.compute_seconds;
  result.spectral = std::move(parts.spectral);
  result.status = parts.hsvd.status;
  result.message = std::move(parts.hsvd.message);
  result.sweeps = std::move(parts.hsvd.sweeps);
  return result;
}

}  // namespace pivotlab
