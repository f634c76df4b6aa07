// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD by tangent reduction on the host (pivotlab/ghsvd.hpp has the steps), and the choice of
// method and backend.
#pragma once

#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/device/ghsvd_driver.hpp"
#include "kernels/jacobi/ghsvd_direct.hpp"
#include "kernels/jacobi/ghsvd_tangent.hpp"
#include "kernels/jacobi/ghsvd_verified.hpp"
#include "kernels/jacobi/shared/doubtful_pivots.hpp"
#include "kernels/jacobi/shared/ghsvd_rules.hpp"
#include "support/timer.hpp"

#include <pivotlab/ghsvd.hpp>
#include <utility>

namespace pivotlab {
namespace jacobi {

/// Steps 1 to 3 in the order of the hyperbolic SVD.
template <class T>
struct TangentDecomposition {
  ReducedPair<T> reduced;
  SignedFactor<T> factor;
  RealOf<T> factor_eps{};            ///< ε of T and of its factorization
  std::vector<RealOf<T>> couplings;  ///< of pivots of T that may be zero
  HsvdResult<T> hsvd;

  template <class E>
  void factor_tangent(const std::vector<int>& J, int threads) {
    LdltFactorization<E> ldlt = factored_tangent<E>(reduced.B, J, threads);
    for (const RealOf<E>& coupling : doubtful_couplings(ldlt)) couplings.push_back(RealOf<T>(coupling));
    factor = rounded<T>(signed_factor(std::move(ldlt)));
    factor_eps = RealOf<T>(std::numeric_limits<RealOf<E>>::epsilon());
  }
};

/// Returns R⁻¹·X.
template <class T>
Matrix<T> substituted(const Matrix<T>& R, Matrix<T> X, int threads) {
  constexpr Index block = 64;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < X.cols(); first += block)
    substitute_upper<T>(R, X.view().cols_range(first, std::min(block, X.cols() - first)));
  return X;
}

/// Returns the estimate of the relative error of σ_j², for every column of the hyperbolic SVD. Z = R⁻¹·X.
template <class T>
std::vector<RealOf<T>> estimates(const TangentDecomposition<T>& d, const Matrix<T>& Z, int threads) {
  using R = RealOf<T>;
  const Matrix<T>& B = d.reduced.B;
  auto from_factor = factorization_errors(d.factor_eps, d.factor.G, true, d.hsvd, threads);
  add_errors_of_couplings(d.couplings, d.hsvd, from_factor);
  const auto from_tangent = factorization_errors(d.factor_eps, B, false, d.hsvd, threads);
  const Matrix<R> z = moduli(Z), f = moduli(product(false, B, d.hsvd.U, threads));
  const Matrix<R> noise = product(false, moduli(B), product(false, moduli(d.reduced.R), z, threads), threads);
  const auto norms = column_norms<T>(d.reduced.R.view(), threads);
  std::vector<R> result;
  for (Index j = 0; j < z.cols(); ++j) {
    R from_qr(0), from_b(0);
    for (Index k = 0; k < z.rows(); ++k) from_qr += norms[k] * z(k, j);
    for (Index i = 0; i < f.rows(); ++i) from_b += f(i, j) * noise(i, j);
    result.push_back(
        estimate_of<R>({d.hsvd.estimate[j], from_factor[j], from_tangent[j], from_qr, from_b}, d.hsvd.sigma[j]));
  }
  return result;
}

/// Computes J'·W·J' with the second J' in the order of the hyperbolic SVD.
template <class T>
Matrix<T> signed_transformation(const TangentDecomposition<T>& d) {
  Matrix<T> W = d.hsvd.V;
  scale_rows(W, d.factor.J);
  for (Index j = 0; j < W.cols(); ++j)
    if (d.hsvd.J[j] < 0)
      for (T& w : W.col(j)) w = -w;
  return W;
}

/// Replaces elements of X by more accurate ones (is_more_accurate_by_inverse). G_T must be square.
template <class T>
void refine_vectors(const SignedFactor<T>& factor, const Matrix<T>& W, HsvdResult<T>& hsvd, int threads) {
  using R = RealOf<T>;
  const Index n = factor.G.rows();
  if (factor.G.cols() < n) return;
  const Matrix<T> inverse = hyperbolic_factor(Matrix<T>::identity(n), factor, threads);
  const Matrix<T> X = product(false, inverse, W, threads);
  for (Index i = 0; i < n; ++i) {
    R square(0);
    for (Index k = 0; k < n; ++k) square += squared_magnitude(factor.G(i, k));
    const R length = square_root(square);
    for (Index j = 0; j < n; ++j)
      if (const R sigma = hsvd.sigma[j]; is_more_accurate_by_inverse(length, sigma)) hsvd.U(i, j) = X(i, j) * sigma;
  }
}

/// Makes the columns of U, in the order of the hyperbolic SVD, J-orthogonal (orthogonality_correction). The rounding of
/// G_T leaves errors in proportion to the condition of its rows.
template <class T>
void orthogonalize(const std::vector<int>& J, const HsvdResult<T>& hsvd, Matrix<T>& U, int threads) {
  using R = RealOf<T>;
  Matrix<T> JU = U;
  if (!J.empty()) scale_rows(JU, J);
  Matrix<T> C = product(true, U, JU, threads);
  const auto lengths = column_norms<T>(U.view(), threads);
  const R noise = product_noise<R>(U.rows());
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i) {
      const auto at_i = static_cast<std::size_t>(i), at_j = static_cast<std::size_t>(j);
      C(i, j) = orthogonality_correction<T>(C(i, j), i, j, R(hsvd.J[at_i]), hsvd.sigma[at_i], hsvd.sigma[at_j],
                                            noise * lengths[at_i] * lengths[at_j]);
    }
  const Matrix<T> change = product(false, U, C, threads);
  for (Index i = 0; i < U.size(); ++i) U.data()[i] -= change.data()[i];
}

/// Returns X with a null vector in the place of each missing or zero column, in descending order of λ.
template <class T>
Matrix<T> ordered_vectors(const HsvdResult<T>& hsvd, const std::vector<Index>& order, int threads) {
  Matrix<T> X(hsvd.U.rows(), std::ssize(order));
  for (Index j = 0; j < X.cols(); ++j) {
    const Index from = order[j];
    if (from >= 0) std::ranges::copy(hsvd.U.col(from), X.col(j).begin());
  }
  complete_columns<T>(X, threads);
  return X;
}

/// Stores the decomposition in descending order of λ. Z is that of the scaled pair with σ_G = 1.
template <class T>
void store(const ScaledPair<T>& pair, const std::vector<int>& J, const TangentDecomposition<T>& d, const Matrix<T>& W,
           const std::vector<Index>& order, const Matrix<T>& Z, int threads, GhsvdResult<T>& result) {
  const Index n = Z.cols();
  const auto errors = estimates(d, substituted(d.reduced.R, d.hsvd.U, threads), threads);
  Matrix<T> U = product(false, hyperbolic_factor(d.reduced.B, d.factor, threads), W, threads);
  orthogonalize(J, d.hsvd, U, threads);
  result.U = Matrix<T>(U.rows(), n);
  result.Z = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j) {
    const Index from = order[j];
    const bool zero = from < 0 || !(d.hsvd.sigma[from] > RealOf<T>(0));
    const RealOf<T> c =
        zero ? store_value<RealOf<T>>(0, RealOf<T>(0), RealOf<T>(1), pair.scaling.f, result)
             : store_value<RealOf<T>>(d.hsvd.J[from], d.hsvd.sigma[from], errors[from], pair.scaling.f, result);
    if (!zero) std::ranges::copy(U.col(from), result.U.col(j).begin());
    for (Index i = 0; i < n; ++i) result.Z(i, j) = times_power_of_two(T(Z(i, j) * c), pair.scaling.columns[i]);
  }
}

template <class T>
GhsvdResult<T> ghsvd_by_tangents(const ScaledPair<T>& pair, const std::vector<int>& J, const GhsvdOptions& options,
                                 const HsvdOptions& sweeps) {
  using Extended = Rebind<T, ExtendedReal<RealOf<T>>>;
  const int threads = thread_count(options.threads);
  const Index n = pair.G.cols();
  GhsvdResult<T> result;
  const Timer timer;
  TangentDecomposition<T> d;
  d.reduced = reduce(pair, threads);
  if (!d.reduced.regular) return deficient<T>(n);
  result.reduction_seconds = timer.seconds();
  const Timer factor_timer;
  const bool extended = options.variant.precision == TangentPrecision::extended;
  if (extended)
    d.template factor_tangent<Extended>(J, threads);
  else
    d.template factor_tangent<T>(J, threads);
  result.factor_seconds = factor_timer.seconds();

  const Timer sweep_timer;
  d.hsvd = hsvd<T>(d.factor.G, d.factor.J, sweeps);
  result.sweep_seconds = sweep_timer.seconds();
  const Matrix<T> W = signed_transformation(d);
  refine_vectors(d.factor, W, d.hsvd, threads);
  const auto order = descending_order(d.hsvd, n);
  const Matrix<T> X = ordered_vectors(d.hsvd, order, threads);
  const Matrix<T> Z = rows_in_order(d.reduced.columns, substituted(d.reduced.R, X, threads));
  Matrix<T> V = product(false, d.reduced.Q, X, threads);
  if (is_deficient_after_qr(pair, V, Z)) return deficient<T>(n);
  store(pair, J, d, W, order, Z, threads, result);
  result.V = std::move(V);
  result.rank = d.factor.G.cols();
  result.tangent_bits = std::numeric_limits<RealOf<Extended>>::digits;
  if (!extended) result.tangent_bits = std::numeric_limits<RealOf<T>>::digits;
  result.status = d.hsvd.status;
  result.message = std::move(d.hsvd.message);
  result.sweeps = std::move(d.hsvd.sweeps);
  result.compute_seconds = timer.seconds();
  return result;
}

/// Decomposes a checked pair on a backend other than the host.
template <class T>
GhsvdResult<T> ghsvd_on_device(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                               const GhsvdOptions& options) {
  const Shape shape{F.rows, G.rows, F.cols};
  const FactorOnHost<T> on_host = factor_on_host<T>(thread_count(options.threads));
  if (options.backend == Backend::emulation)
    return solve_on_host_pair<T>(make_emulated_machinery<T>(shape, options), F, G, J, on_host);
  const DeviceScope first_device(0);
  return solve_on_host_pair<T>(make_cuda_machinery<T>(shape, options, CallerStream{nullptr}), F, G, J, on_host);
}

/// Decomposes a pair by the method and on the backend of the options, without verification.
template <class T>
GhsvdResult<T> decompose(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                         const GhsvdOptions& options, const HsvdOptions& sweeps) {
  const bool direct = options.variant.method == GhsvdMethod::hari_zimmermann;
  if constexpr (std::is_same_v<RealOf<T>, double>)
    if (options.backend != Backend::host && !direct && F.cols > 0) {
      checked_parts(F, G, J, thread_count(options.threads));
      return ghsvd_on_device(F, G, J, options);
    }
  const ScaledPair<T> pair(F, G, J, thread_count(options.threads));
  return (direct ? ghsvd_directly<T> : ghsvd_by_tangents<T>)(pair, J, options, sweeps);
}

}  // namespace jacobi

template <class T>
GhsvdResult<T> ghsvd(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                     const GhsvdOptions& options) {
  using namespace jacobi;
  const HsvdOptions sweeps = checked_sweep_options(options);
  require_backend<T>(sweeps);
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    require_pair(F, G, J);
    const bool fits = !is_small_enough_for_quad(F.rows, G.rows, F.cols) || fits_double(F, G);
    GhsvdResult<T> result = fits ? decompose(F, G, J, options, sweeps) : GhsvdResult<T>();
    if (fits && result.status == Status::failed) return result;
    return verified(F, G, J, options, std::move(result));
  } else {
    return decompose(F, G, J, options, sweeps);
  }
}

// Instantiated in jacobi_quad.cpp.
extern template GhsvdResult<Quad> ghsvd(MatrixView<const Quad>, MatrixView<const Quad>, const std::vector<int>&,
                                        const GhsvdOptions&);
extern template GhsvdResult<std::complex<Quad>> ghsvd(MatrixView<const std::complex<Quad>>,
                                                      MatrixView<const std::complex<Quad>>, const std::vector<int>&,
                                                      const GhsvdOptions&);

}  // namespace pivotlab
