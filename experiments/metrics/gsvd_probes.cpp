#include <experiments/metrics/extension.hpp>
#include <experiments/metrics/gsvd_probes.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/numerics/double_double.hpp>

#include <algorithm>
#include <complex>
#include <random>

namespace pivotlab::experiments {
namespace {

template <class T>
using Extended = Rebind<T, DoubleDouble>;
template <class T>
using Vectors = Matrix<Extended<T>>;

template <class T>
Extended<T> times(const T& a, const Extended<T>& x) {
  if constexpr (is_complex<T>)
    return {x.real() * a.real() - x.imag() * a.imag(), x.real() * a.imag() + x.imag() * a.real()};
  else
    return x * a;
}

template <class T>
T conjugate(const T& x) {
  if constexpr (is_complex<T>)
    return std::conj(x);
  else
    return x;
}

template <class T>
Vectors<T> random_signs(Index n) {
  std::mt19937_64 generator(1);
  Vectors<T> W(n, probe_count);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = Extended<T>((generator() >> 63) != 0 ? 1.0 : -1.0);
  return W;
}

/// A·X, so many rows at a time that their results stay in the cache.
template <class T>
Vectors<T> product(const Matrix<T>& A, const Vectors<T>& X, int threads) {
  constexpr Index block = 128;
  Vectors<T> Y(A.rows(), X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic)
  for (Index first = 0; first < A.rows(); first += block) {
    const Index last = std::min(first + block, A.rows());
    for (Index j = 0; j < A.cols(); ++j)
      for (Index k = 0; k < X.cols(); ++k)
        for (Index i = first; i < last; ++i) Y(i, k) += times(A(i, j), X(j, k));
  }
  return Y;
}

/// Aᴴ·X
template <class T>
Vectors<T> adjoint_product(const Matrix<T>& A, const Vectors<T>& X, int threads) {
  Vectors<T> Y(A.cols(), X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < A.cols(); ++j)
    for (Index k = 0; k < X.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) Y(j, k) += times(conjugate(A(i, j)), X(i, k));
  return Y;
}

template <class T>
Vectors<T> with_rows_times(Vectors<T> X, const std::vector<double>& factors) {
  for (Index k = 0; k < X.cols(); ++k)
    for (Index i = 0; i < X.rows(); ++i) X(i, k) *= DoubleDouble(factors[static_cast<std::size_t>(i)]);
  return X;
}

/// Of the matrix that has made X − Y from random signs.
template <class T>
double frobenius_norm_of_difference(const Vectors<T>& X, const Vectors<T>& Y) {
  Matrix<T> difference(X.rows(), X.cols());
  for (Index k = 0; k < X.size(); ++k) difference.data()[k] = round_to_double<T>(X.data()[k] - Y.data()[k]);
  return frobenius_norm(difference) / std::sqrt(static_cast<double>(X.cols()));
}

template <class T>
double frobenius_norm(const Matrix<T>& A, int threads) {
  std::vector<double> norms(static_cast<std::size_t>(A.cols()));
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < A.cols(); ++j) norms[static_cast<std::size_t>(j)] = norm<T>(A.col(j));
  return norm<double>(norms);
}

/// ‖A·Z − U·Σ‖_F/(‖A‖_F‖Z‖_F), from W and Z·W.
template <class T>
double residual_z(const Matrix<T>& A, const Matrix<T>& U, const std::vector<double>& sigma, const Vectors<T>& W,
                  const Vectors<T>& ZW, double norm_of_z, int threads) {
  return frobenius_norm_of_difference<T>(product(A, ZW, threads), product(U, with_rows_times<T>(W, sigma), threads)) /
         (frobenius_norm(A, threads) * norm_of_z);
}

/// ‖UᴴU − I‖_F, where a column that is zero because its σ is zero counts as orthonormal.
template <class T>
double orthogonality(const Matrix<T>& U, const std::vector<double>& sigma, Vectors<T> W, int threads) {
  for (Index j = 0; j < U.cols(); ++j) {
    const bool is_zero = sigma[static_cast<std::size_t>(j)] == 0 && largest_component<T>(U.col(j)) == 0;
    for (Index k = 0; is_zero && k < W.cols(); ++k) W(j, k) = Extended<T>(0.0);
  }
  return frobenius_norm_of_difference<T>(adjoint_product(U, product(U, W, threads), threads), W);
}

}  // namespace

template <class T>
ProbedErrors probe_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, int threads) {
  const Vectors<T> W = random_signs<T>(result.Z.cols()), ZW = product(result.Z, W, threads);
  const double norm_of_z = frobenius_norm(result.Z, threads);
  return {residual_z(pair.F, result.U, result.sigma_f, W, ZW, norm_of_z, threads),
          residual_z(pair.G, result.V, result.sigma_g, W, ZW, norm_of_z, threads),
          orthogonality(result.U, result.sigma_f, W, threads), orthogonality(result.V, result.sigma_g, W, threads)};
}

template ProbedErrors probe_gsvd(const Pair<double>&, const GsvdResult<double>&, int);
template ProbedErrors probe_gsvd(const Pair<std::complex<double>>&, const GsvdResult<std::complex<double>>&, int);

}  // namespace pivotlab::experiments
