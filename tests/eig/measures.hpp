// SPDX-License-Identifier: BSD-3-Clause
// Errors of a decomposition.
#pragma once

#include "matrices.hpp"
#include "tests/dense.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace pivotlab::test {

inline Eigen::MatrixXcd dense(const Matrix<Complex>& A) {
  return as_eigen(A.view());
}

inline Eigen::VectorXcd values_of(const EigResult<double>& result) {
  return Eigen::Map<const Eigen::VectorXcd>(result.eigenvalues.data(), std::ssize(result.eigenvalues));
}

/// ‖AV − VΛ‖_F / ‖A‖_F
inline double right_residual(const Matrix<Complex>& A, const EigResult<double>& result) {
  const Eigen::MatrixXcd V = dense(result.V);
  return (dense_product<Complex>(A, result.V) - V * values_of(result).asDiagonal()).norm() / dense(A).norm();
}

/// ‖WᴴA − ΛWᴴ‖_F / ‖A‖_F
inline double left_residual(const Matrix<Complex>& A, const EigResult<double>& result) {
  const Eigen::MatrixXcd W = dense(result.W).adjoint();
  return (dense_product<Complex>(adjoint(result.W), A) - values_of(result).asDiagonal() * W).norm() / dense(A).norm();
}

/// ‖AE − ET‖_F / (‖A‖_F·‖E‖_F)
inline double similarity_residual(const Matrix<Complex>& A, const Matrix<Complex>& T, const Matrix<Complex>& E) {
  return (dense_product<Complex>(A, E) - dense_product<Complex>(E, T)).norm() / (dense(A).norm() * dense(E).norm());
}

/// Returns |Δλ| of each eigenvalue. Each one in turn is matched with the nearest true value that is left.
template <class R>
std::vector<double> eigenvalue_errors(const std::vector<std::complex<R>>& found,
                                      const std::vector<QuadComplex>& truth) {
  std::vector<double> errors(found.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> left(found.size());
  std::iota(left.begin(), left.end(), std::size_t(0));
  for (const QuadComplex& x : truth) {
    const auto squared_distance = [&](std::size_t k) {
      return Quad(squared_magnitude(QuadComplex(Quad(found[k].real()) - x.real(), Quad(found[k].imag()) - x.imag())));
    };
    const auto nearest = std::ranges::min_element(left, {}, squared_distance);
    if (nearest == left.end()) break;
    errors[*nearest] = static_cast<double>(Quad(sqrt(squared_distance(*nearest))));
    left.erase(nearest);
  }
  return errors;
}

/// max|Δλ|; infinity if the number of eigenvalues is wrong.
template <class R>
double eigenvalue_error(const std::vector<std::complex<R>>& found, const std::vector<QuadComplex>& truth) {
  if (found.size() != truth.size()) return std::numeric_limits<double>::infinity();
  return found.empty() ? 0 : std::ranges::max(eigenvalue_errors(found, truth));
}

inline double two_norm(const Matrix<Complex>& A) {
  return std::sqrt(hermitian_eigenvalues(dense_product<Complex>(adjoint(A), A)).maxCoeff());
}

}  // namespace pivotlab::test
