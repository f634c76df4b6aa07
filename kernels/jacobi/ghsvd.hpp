// The generalized hyperbolic SVD by tangent reduction (pivotlab/ghsvd.hpp has the steps), and the choice of the method.
//
//   est_j = hsvd().estimate_j                        sweeps, and rounding of G_T
//         + ε_T·(‖|B|·|x_j|‖² + ‖|G_T|*·|x_j|‖²)/|λ_j|     T and its factorization, in their precision
//         + 2·ε·Σ_k ‖g_k‖·|z_kj|                           QR factorization of G, with σ_G = 1
//         + 2·ε·|B·x_j|*·|B|·|R|·|z_j|/|λ_j|               substitution for B
#pragma once

#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/ghsvd_direct.hpp"
#include "kernels/jacobi/ghsvd_tangent.hpp"
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
  RealOf<T> factor_eps{};  ///< ε of T and of its factorization
  HsvdResult<T> hsvd;

  template <class E>
  void factor_tangent(const std::vector<int>& J, int threads) {
    factor = rounded<T>(factored_tangent<E>(reduced.B, J, threads));
    factor_eps = RealOf<T>(std::numeric_limits<RealOf<E>>::epsilon());
  }
};

/// Returns R⁻¹·X.
template <class T>
Matrix<T> substituted(const Matrix<T>& R, Matrix<T> X, int threads) {
  constexpr Index block = 64;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < X.cols(); first += block) {
    auto columns = as_eigen(X.view().cols_range(first, std::min(block, X.cols() - first)));
    as_eigen(R.view()).template triangularView<Eigen::Upper>().solveInPlace(columns);
  }
  return X;
}

/// Returns the estimate of the relative error of σ_j², for every column of the hyperbolic SVD. Z = R⁻¹·X.
template <class T>
std::vector<RealOf<T>> estimates(const TangentDecomposition<T>& d, const Matrix<T>& Z, int threads) {
  using R = RealOf<T>;
  constexpr R eps = std::numeric_limits<R>::epsilon();
  const Matrix<T>& B = d.reduced.B;
  const auto from_factor = factorization_errors(d.factor_eps, d.factor.G, true, d.hsvd, threads);
  const auto from_tangent = factorization_errors(d.factor_eps, B, false, d.hsvd, threads);
  const Matrix<R> z = moduli(Z), f = moduli(product(false, B, d.hsvd.U, threads));
  const Matrix<R> noise = product(false, moduli(B), product(false, moduli(d.reduced.R), z, threads), threads);
  const auto norms = column_norms<T>(d.reduced.R.view(), threads);
  std::vector<R> result;
  for (Index j = 0; j < z.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const R square = d.hsvd.sigma[at] * d.hsvd.sigma[at];
    R from_qr(0), from_b(0);
    for (Index k = 0; k < z.rows(); ++k) from_qr += norms[static_cast<std::size_t>(k)] * z(k, j);
    for (Index i = 0; i < f.rows(); ++i) from_b += f(i, j) * noise(i, j);
    const R sum = d.hsvd.estimate[at] + from_factor[at] + from_tangent[at] + R(2) * eps * from_qr;
    result.push_back(square > R(0) ? R(sum + R(2) * eps * from_b / square) : R(1));
  }
  return result;
}

/// Computes J'·W·J' with the second J' in the order of the hyperbolic SVD.
template <class T>
Matrix<T> signed_transformation(const TangentDecomposition<T>& d) {
  Matrix<T> W = d.hsvd.V;
  scale_rows(W, d.factor.J);
  for (Index j = 0; j < W.cols(); ++j)
    if (d.hsvd.J[static_cast<std::size_t>(j)] < 0)
      for (T& w : W.col(j)) w = -w;
  return W;
}

/// Replaces elements of X = G_T·W·Σ⁻¹ by those of G_T⁻*·J'·W·J'·Σ, which is the same matrix, in rows of G_T that are
/// much longer than σ_j: errors of element (i, j) are about ε in the first form and ε·σ_j/‖G_T(i, :)‖ in the second
/// one. Otherwise B·x_j = u_j·σ_j would not hold where columns of B are much longer than σ_j. G_T must be square.
template <class T>
void refine_vectors(const SignedFactor<T>& factor, const Matrix<T>& W, HsvdResult<T>& hsvd, int threads) {
  using R = RealOf<T>;
  constexpr int much_longer = 256;
  const Index n = factor.G.rows();
  if (factor.G.cols() < n) return;
  const Matrix<T> inverse = hyperbolic_factor(Matrix<T>::identity(n), factor, threads);
  const Matrix<T> X = product(false, inverse, W, threads);
  for (Index i = 0; i < n; ++i) {
    R square(0);
    for (Index k = 0; k < n; ++k) square += squared_magnitude(factor.G(i, k));
    const R length = square_root(square) / R(much_longer);
    for (Index j = 0; j < n; ++j)
      if (const R sigma = hsvd.sigma[static_cast<std::size_t>(j)]; length > sigma && sigma > R(0))
        hsvd.U(i, j) = X(i, j) * sigma;
  }
}

/// Makes the columns of U, in the order of the hyperbolic SVD, J-orthogonal by one step of the Gram–Schmidt process
/// from the largest σ to the smallest, where U*JU differs from J' by more than rounding errors of the product. The
/// rounding of G_T leaves errors in proportion to the condition of its rows. Columns of small σ take the corrections:
/// they do not harm F·z = u·σ_F, because |F|·|z| is much larger than σ_F there.
template <class T>
void orthogonalize(const std::vector<int>& J, const HsvdResult<T>& hsvd, Matrix<T>& U, int threads) {
  using R = RealOf<T>;
  const Index n = U.cols();
  Matrix<T> JU = U;
  if (!J.empty()) scale_rows(JU, J);
  Matrix<T> C = product(true, U, JU, threads);
  const auto lengths = column_norms<T>(U.view(), threads);
  const R noise = R(4) * std::numeric_limits<R>::epsilon() * square_root(R(static_cast<double>(U.rows())));
  const auto is_before = [&](Index i, Index j) {
    const R a = hsvd.sigma[static_cast<std::size_t>(i)], b = hsvd.sigma[static_cast<std::size_t>(j)];
    return a > b || (!(a < b) && i < j);
  };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const auto at_i = static_cast<std::size_t>(i), at_j = static_cast<std::size_t>(j);
      T error = C(i, j) * R(hsvd.J[at_i]);
      if (i == j) error = (error - T(R(1))) * R(0.5);
      const bool corrected =
          (i == j || is_before(i, j)) && detail::largest_part(error) > noise * lengths[at_i] * lengths[at_j];
      C(i, j) = corrected ? error : T(R(0));
    }
  const Matrix<T> change = product(false, U, C, threads);
  for (Index i = 0; i < U.size(); ++i) U.data()[i] -= change.data()[i];
}

/// Returns X with a null vector in the place of each missing or zero column, in descending order of λ.
template <class T>
Matrix<T> ordered_vectors(const HsvdResult<T>& hsvd, const std::vector<Index>& order, int threads) {
  Matrix<T> X(hsvd.U.rows(), std::ssize(order));
  for (Index j = 0; j < X.cols(); ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
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
    const Index from = order[static_cast<std::size_t>(j)];
    const auto at = static_cast<std::size_t>(from);
    const bool zero = from < 0 || !(d.hsvd.sigma[at] > RealOf<T>(0));
    const RealOf<T> c = zero ? store_value(0, RealOf<T>(0), RealOf<T>(1), pair.scaling.f, result)
                             : store_value(d.hsvd.J[at], d.hsvd.sigma[at], errors[at], pair.scaling.f, result);
    if (!zero) std::ranges::copy(U.col(from), result.U.col(j).begin());
    for (Index i = 0; i < n; ++i)
      result.Z(i, j) = times_power_of_two(T(Z(i, j) * c), pair.scaling.columns[static_cast<std::size_t>(i)]);
  }
}

template <class T>
GhsvdResult<T> ghsvd_by_tangents(const ScaledPair<T>& pair, const std::vector<int>& J, const GhsvdOptions& options,
                                 const HsvdOptions& sweeps) {
  using Extended = Rebind<T, Quad>;
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
  if (is_deficient(pair, V, Z)) return deficient<T>(n);
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

}  // namespace jacobi

template <class T>
GhsvdResult<T> ghsvd(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                     const GhsvdOptions& options) {
  using namespace jacobi;
  fix_eigen_blocking();
  const HsvdOptions sweeps = checked_sweep_options(options);
  require_backend<T>(sweeps);
  const ScaledPair<T> pair(F, G, J, thread_count(options.threads));
  const bool direct = options.variant.method == GhsvdMethod::hari_zimmermann;
  return (direct ? ghsvd_directly<T> : ghsvd_by_tangents<T>)(pair, J, options, sweeps);
}

}  // namespace pivotlab
