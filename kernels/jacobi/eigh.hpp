// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigendecomposition by A = G·J·G* and the hyperbolic SVD.
//
//   scale A by 4^k;  A = G·J·G* with the scaled rank test;  columns with J = 0 are dropped
//   variants with `spectral`: G := G·V₀, V₀ J-unitary                                        (spectral.hpp)
//   G·V = U·Σ, λ_j = J'_j·σ_j²;  null vectors complete U
//   est_j = hsvd().estimate_j + ε·‖|G|*·|u_j|‖²/|λ_j|: errors of the sweeps and of the factorization, G before V₀,
//           and of underflow; and pivots that may be zero (doubtful_pivots.hpp)
#pragma once

#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/jacobi/device/two_stage_driver.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/jacobi/shared/doubtful_pivots.hpp"
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
  return largest.empty() ? 0 : quarter_exponent(*std::ranges::max_element(largest));
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
EighParts<T> parts_on_host(MatrixView<const T> A, const EighOptions& options, int threads) {
  EighParts<T> parts;
  const Timer timer;
  LdltFactorization<T> ldlt = pivotlab::ldlt<T>(A, factorization_options(options));
  const std::vector<RealOf<T>> couplings = doubtful_couplings(ldlt);
  parts.zeros = size_of_zeros(ldlt, threads);
  SignedFactor<T> factor = signed_factor(std::move(ldlt));
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
  parts.hsvd = pivotlab::hsvd<T>(factor.G, factor.J, sweep_options(options));
  parts.sweep_seconds = sweep_timer.seconds();
  parts.errors = factorization_errors(std::numeric_limits<RealOf<T>>::epsilon(), before, true, parts.hsvd, threads);
  add_errors_of_couplings(couplings, parts.hsvd, parts.errors);
  parts.compute_seconds = timer.seconds();
  return parts;
}

/// Stores the vectors of a solution in this order.
template <class T>
void store_vectors(const Matrix<T>& U, const std::vector<Index>& order, int threads, EighResult<T>& result) {
  const Index n = std::ssize(order);
  result.U = zeros<T>(n, n, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < n; ++j)
    if (order[j] >= 0) std::ranges::copy(U.col(order[j]), result.U.col(j).begin());
  if (result.inertia.zero > 0) complete_columns<T>(result.U, threads);
}

template <class T>
EighResult<T> eigh_on_host(MatrixView<const T> A, const EighOptions& options) {
  const int threads = thread_count(options.threads), k = quarter_scaling(A, threads);
  const Matrix<T> scaled = k == 0 ? Matrix<T>() : scaled_by(A, k, threads);
  EighParts<T> parts = parts_on_host<T>(k == 0 ? A : scaled.view(), options, threads);
  if (parts.rank < A.rows) parts.zero_rows = std::ranges::count(detail::largest_parts(A, 'A', threads), RealOf<T>(0));
  EighResult<T> result;
  const std::vector<Index> order = store_all_but_vectors(parts, A.rows, k, result);
  if (options.vectors) store_vectors(parts.hsvd.U, order, threads, result);
  return result;
}

/// Solves by the variant without `refine`, and refines the result.
template <class T>
EighResult<T> eigh_refined(MatrixView<const T> A, EighOptions options) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    const bool keep_vectors = std::exchange(options.vectors, true);
    options.variant.refine = false;
    options.subset = {};
    EighResult<T> result = eigh<T>(A, options);
    const auto refine = [&] {
      return refine_eigh<T>(A, result.U, refine_option::options_for(options.backend, options.threads));
    };
    if (auto refined = refine_option::attempt(result, refine)) {
      refine_option::take_values(*refined, 1, 1, result.eigenvalues, result.estimate, result.refinement,
                                 [&](std::size_t j) { result.noise[j] = false; });
      const auto& lambda = result.eigenvalues;
      result.inertia = {std::ranges::count_if(lambda, [](double x) { return x > 0; }),
                        std::ranges::count_if(lambda, [](double x) { return x < 0; }), std::ranges::count(lambda, 0.0)};
      if (result.refinement.kept == 0) result.U = std::move(refined->vectors);
      result.compute_seconds += result.refinement.seconds;
    }
    if (!keep_vectors) result.U = {};
    return result;
  } else {
    refine_option::refuse_scalar();
  }
}

/// Solves by a checked variant, with all vectors or, by HEV-2STAGE, those of the subset.
template <class T>
EighResult<T> eigh_by_variant(MatrixView<const T> A, const EighOptions& options) {
  if (options.variant.refine) return eigh_refined(A, options);
  if (is_two_stage(options.variant)) {
    if constexpr (std::is_same_v<RealOf<T>, double>)
      return eigh_in_two_stages<T>(A, options);
    else
      throw NotSupported("variant HEV-2STAGE: its scalars are double and std::complex<double>; take HEV-RK-ME-BO");
  }
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    if (A.rows > 0 && options.backend == Backend::cuda) return eigh_on_cuda<T>(A, options);
    // The emulation has no spectral preconditioner: the host does all but the sweeps then.
    if (A.rows > 0 && options.backend == Backend::emulation && !options.variant.spectral)
      return eigh_emulated<T>(A, options);
  }
  return eigh_on_host<T>(A, options);
}

}  // namespace jacobi

template <class T>
EighResult<T> eigh(MatrixView<const T> A, const EighOptions& options) {
  using namespace jacobi;
  pivotlab::require_valid(options.variant);
  require_backend<T>(sweep_options(options));
  if (A.rows != A.cols)
    throw InputError("matrix A: it is " + std::to_string(A.rows) + " x " + std::to_string(A.cols) +
                     "; it must be square");
  require_subset(options.subset, A.rows);
  EighResult<T> result = eigh_by_variant(A, options);
  const auto [first, count] = columns_of(options.subset, result.eigenvalues);
  if (result.U.cols() > count) result.U = copied<T>(result.U.view().block(0, first, A.rows, count), options.threads);
  return result;
}

// Instantiated in jacobi_quad.cpp.
extern template EighResult<Quad> eigh(MatrixView<const Quad>, const EighOptions&);
extern template EighResult<std::complex<Quad>> eigh(MatrixView<const std::complex<Quad>>, const EighOptions&);

}  // namespace pivotlab
