// The Hermitian eigendecomposition by A = G·J·G* and the hyperbolic SVD.
//
//   scale A by 4^k;  A = G·J·G* with the scaled rank test;  columns with J = 0 are dropped
//   variants with `spectral`: G := G·V₀, V₀ J-unitary                                        (spectral.hpp)
//   G·V = U·Σ, λ_j = J'_j·σ_j²;  null vectors complete U
//   est_j = hsvd().estimate_j + ε·‖|G|*·|u_j|‖²/|λ_j|: errors of the sweeps and of the factorization, G before V₀
#pragma once

#include "kernels/jacobi/jacobi.hpp"
#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/spectral.hpp"
#include "support/timer.hpp"

#include <pivotlab/eigh.hpp>
#include <pivotlab/ldlt.hpp>
#include <utility>

namespace pivotlab {
namespace jacobi {

/// G and J without the columns with J = 0; rows in the order of A.
template <class T>
struct SignedFactor {
  Matrix<T> G;
  std::vector<int> J;
};

template <class T>
SignedFactor<T> signed_factor(MatrixView<const T> A, const EighOptions& options) {
  const bool has_kernels = options.variant.pivoting != Pivoting::complete;  // with the scaled rank test
  const auto f = ldlt<T>(A, {.variant = {.pivoting = options.variant.pivoting},
                             .backend = has_kernels ? options.backend : Backend::host,
                             .rank_test = RankTest::scaled,
                             .threads = options.threads});
  const GjgFactorization<T> gjg = f.gjg();
  SignedFactor<T> result;
  for (const int sign : gjg.J)
    if (sign != 0) result.J.push_back(sign);
  result.G = Matrix<T>(A.rows, std::ssize(result.J));
  for (Index from = 0, to = 0; from < A.cols; ++from) {
    if (gjg.J[static_cast<std::size_t>(from)] == 0) continue;
    for (Index i = 0; i < A.rows; ++i) result.G(f.permutation[static_cast<std::size_t>(i)], to) = gjg.G(i, from);
    ++to;
  }
  return result;
}

/// Returns ε·‖|G|*·|u_j|‖²/σ_j² for every column of U, the effect of the factorization's error on λ_j.
template <class T>
std::vector<RealOf<T>> factorization_errors(const Matrix<T>& G, const Matrix<T>& U, const std::vector<RealOf<T>>& sigma,
                                            int threads) {
  using R = RealOf<T>;
  const auto moduli = [](const Matrix<T>& A) {
    Matrix<R> result(A.rows(), A.cols());
    for (Index i = 0; i < A.size(); ++i) result.data()[i] = modulus(A.data()[i]);
    return result;
  };
  const Matrix<R> products = product(true, moduli(G), moduli(U), threads);
  const auto norms = column_norms<R>(products.view(), threads);
  std::vector<R> errors;
  for (std::size_t j = 0; j < sigma.size(); ++j) {
    const R ratio = sigma[j] > R(0) ? R(norms[j] / sigma[j]) : R(0);
    errors.push_back(std::numeric_limits<R>::epsilon() * ratio * ratio);
  }
  return errors;
}

/// Returns the k for which 4^k·A has a largest element of size 1.
template <class T>
int quarter_scaling(MatrixView<const T> A, int threads) {
  const auto largest = detail::largest_parts(A, 'A', threads);
  const auto most = largest.empty() ? RealOf<T>(0) : *std::ranges::max_element(largest);
  return most > RealOf<T>(0) ? -(exponent_of(most) >> 1) : 0;
}

template <class T>
void precondition(MatrixView<const T> A, const EighOptions& options, int threads, SignedFactor<T>& factor,
                  EighResult<T>& result) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    const Timer timer;
    result.spectral = precondition(lapack_eigenvectors<T>(A, options.threads), factor.G, factor.J, threads);
    result.spectral_seconds = timer.seconds();
  } else {
    throw NotSupported("variants with spectral: LAPACK has eigenvectors of double and complex double only");
  }
}

/// Stores eigenvalues, vectors and judgements in descending order; zeros come between both signs.
template <class T>
void store(const HsvdResult<T>& hsvd, const std::vector<RealOf<T>>& errors, int k, const EighOptions& options,
           EighResult<T>& result) {
  using R = RealOf<T>;
  const Index n = hsvd.U.rows(), r = hsvd.U.cols();
  std::vector<Index> order;  // columns of the hyperbolic SVD; −1: none
  const auto add = [&](int sign) {
    for (Index j = 0; j < r; ++j)
      if ((hsvd.sigma[j] > R(0) ? hsvd.J[j] : 0) == sign) order.push_back(j);
  };
  add(1), add(0);
  order.insert(order.end(), static_cast<std::size_t>(n - r), Index(-1));
  add(-1);
  if (options.vectors) result.U = Matrix<T>(n, n);
  for (const Index j : order) {
    const bool zero = j < 0 || hsvd.sigma[j] == R(0);
    const R estimate = zero ? R(1) : std::min(R(1), R(hsvd.estimate[j] + errors[j]));
    const R lambda = zero ? R(0) : R(R(hsvd.J[j]) * hsvd.sigma[j] * hsvd.sigma[j]);
    (lambda > R(0) ? result.inertia.positive : lambda < R(0) ? result.inertia.negative : result.inertia.zero) += 1;
    if (options.vectors && j >= 0) std::ranges::copy(hsvd.U.col(j), result.U.col(std::ssize(result.estimate)).begin());
    result.eigenvalues.push_back(times_power_of_two(lambda, -2 * k));
    result.estimate.push_back(estimate);
    result.noise.push_back(R(10) * estimate >= R(1));
  }
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
  Matrix<T> scaled{A};
  for (Index i = 0; k != 0 && i < scaled.size(); ++i) scaled.data()[i] = times_power_of_two(scaled.data()[i], 2 * k);

  EighResult<T> result;
  const Timer timer;
  SignedFactor<T> factor = signed_factor<T>(scaled, options);
  result.factor_seconds = timer.seconds();
  result.rank = factor.G.cols();
  const Matrix<T> before = factor.G;
  if (options.variant.spectral && result.rank > 0) precondition<T>(scaled, options, threads, factor, result);

  const Timer sweep_timer;
  HsvdResult<T> hsvd = pivotlab::hsvd<T>(factor.G, factor.J, sweeps);
  result.sweep_seconds = sweep_timer.seconds();
  store<T>(hsvd, factorization_errors(before, hsvd.U, hsvd.sigma, threads), k, options, result);
  if (options.vectors) complete_columns<T>(result.U, threads);
  result.compute_seconds = timer.seconds();
  result.status = hsvd.status;
  result.message = std::move(hsvd.message);
  result.sweeps = std::move(hsvd.sweeps);
  return result;
}

}  // namespace pivotlab
