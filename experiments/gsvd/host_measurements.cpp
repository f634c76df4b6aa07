// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/gsvd/gsvd_errors.hpp>
#include <experiments/gsvd/host_measurements.hpp>

#include <functional>
#include <numeric>

namespace pivotlab::experiments {
namespace {

/// Σ_i ‖f'_i‖|z'_ij|
template <class T>
std::vector<double> column_weights(const Matrix<T>& A, const Matrix<T>& Z) {
  const std::vector<double> norms = column_norms(A);
  std::vector<double> weights;
  for (Index j = 0; j < Z.cols(); ++j)
    weights.push_back(std::transform_reduce(norms.begin(), norms.end(), Z.col(j).begin(), 0.0, std::plus{},
                                            [](double f, const T& z) { return f * std::abs(z); }));
  return weights;
}

/// ‖F'‖_F·‖z'_j‖
template <class T>
std::vector<double> norm_weights(const Matrix<T>& A, const Matrix<T>& Z) {
  std::vector<double> weights = column_norms(Z);
  for (double& weight : weights) weight *= frobenius_norm(A);
  return weights;
}

template <class T>
std::vector<double> entrywise_reach(const Side<T>& side, const Matrix<T>& Z, int threads) {
  const Matrix<DoubleDouble> AZ = product<DoubleDouble>(moduli(side.A), moduli(Z), threads);
  std::vector<double> reach;
  for (Index j = 0; j < Z.cols(); ++j) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < AZ.rows(); ++i) {
      sum += std::abs(side.U(i, j)) * AZ(i, j).hi();
      squares += AZ(i, j).hi() * AZ(i, j).hi();
    }
    reach.push_back(sum != 0 ? sum : std::sqrt(squares));  // u_j = 0 where σ = 0: the bound for any unit vector
  }
  return reach;
}

/// Returns the 2-norms of the rows.
template <class E>
std::vector<double> row_norms(const Matrix<E>& X) {
  std::vector<double> norms(X.rows());
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) norms[i] += static_cast<double>(pivotlab::detail::squared_modulus(X(i, j)));
  for (double& x : norms) x = std::sqrt(x);
  return norms;
}

/// X is 0 × 0 and Q is empty if Z is singular. X of a decomposition of rank 0 is 0 × n.
template <class E, class T>
SideMeasurements measure_side(const Side<T>& side, const ScaledZ<T>& Z, const Matrix<E>& X, const Matrix<T>& Q,
                              int threads) {
  SideMeasurements side_measurements{.norm_of_a = norm<double>(scaled(column_norms(side.A), Z.common)),
                                     .norm_1_of_a = largest_component<double>(scaled(column_sums(side.A), Z.common)),
                                     .errors = column_norms(error_with_z<E>(side, Z.Z, threads)),
                                     .weights = column_weights(side.A, Z.Z),
                                     .reach = entrywise_reach(side, Z.Z, threads)};
  const Matrix<T> gram_error = orthogonality_error<E>(side.U, side.sigma, threads);
  side_measurements.orthogonality = frobenius_norm(gram_error);
  side_measurements.orthogonality_1 = norm_1(gram_error);
  if (X.cols() == Z.Z.rows()) {
    const Matrix<T> error = error_with_x(side, Z.common, X, threads);
    side_measurements.error_with_x = frobenius_norm(error);
    side_measurements.rotated_error_1 = norm_1(multiply_rounded(error, Q, threads));
  }
  return side_measurements;
}

template <class E, class T>
GsvdMeasurements measure(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, const Matrix<E>& X,
                         const Matrix<T>& Q, int threads) {
  GsvdMeasurements measurements{
      .f = measure_side(f, Z, X, Q, threads), .g = measure_side(g, Z, X, Q, threads), .x_norms = row_norms(X)};
  if (Q.size() != 0) measurements.unitarity_1 = unitarity_error_1(Q, threads);
  return measurements;
}

}  // namespace

template <class R, class T>
GsvdMeasurements measure_on_host(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, int threads) {
  const auto X = invert<Rebind<T, R>>(Z, threads);
  return measure(f, g, Z, X, rq_unitary_factor<T>(X, threads), threads);
}

template <class R, class T>
GsvdMeasurements measure_on_host(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, const Matrix<T>& R_x,
                                 const Matrix<T>& Q, int threads) {
  using E = Rebind<T, R>;
  const Index n = Q.cols(), r = R_x.cols();
  Matrix<E> X = product<E>(R_x, {Q.view().cols_range(n - r, r), Op::adjoint}, threads);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < r; ++i) X(i, j) = times_power_of_two(X(i, j), Z.exponents[i]);
  GsvdMeasurements measurements = measure(f, g, Z, X, Q, threads);
  measurements.f.weights = measurements.f.reach = norm_weights(f.A, Z.Z);
  measurements.g.weights = measurements.g.reach = norm_weights(g.A, Z.Z);
  return measurements;
}

using Complex = std::complex<double>;
template GsvdMeasurements measure_on_host<Quad>(const Side<double>&, const Side<double>&, const ScaledZ<double>&, int);
template GsvdMeasurements measure_on_host<DoubleDouble>(const Side<double>&, const Side<double>&,
                                                        const ScaledZ<double>&, int);
template GsvdMeasurements measure_on_host<Quad>(const Side<Complex>&, const Side<Complex>&, const ScaledZ<Complex>&,
                                                int);
template GsvdMeasurements measure_on_host<DoubleDouble>(const Side<Complex>&, const Side<Complex>&,
                                                        const ScaledZ<Complex>&, int);
template GsvdMeasurements measure_on_host<Quad>(const Side<double>&, const Side<double>&, const ScaledZ<double>&,
                                                const Matrix<double>&, const Matrix<double>&, int);
template GsvdMeasurements measure_on_host<Quad>(const Side<Complex>&, const Side<Complex>&, const ScaledZ<Complex>&,
                                                const Matrix<Complex>&, const Matrix<Complex>&, int);
template GsvdMeasurements measure_on_host<DoubleDouble>(const Side<double>&, const Side<double>&,
                                                        const ScaledZ<double>&, const Matrix<double>&,
                                                        const Matrix<double>&, int);
template GsvdMeasurements measure_on_host<DoubleDouble>(const Side<Complex>&, const Side<Complex>&,
                                                        const ScaledZ<Complex>&, const Matrix<Complex>&,
                                                        const Matrix<Complex>&, int);

}  // namespace pivotlab::experiments
