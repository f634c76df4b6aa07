// How good a decomposition is.
#pragma once

#include "kernels/numerics/eigen.hpp"
#include "matrices.hpp"
#include "tests/hermitian_eigenvalues.hpp"

#include <algorithm>
#include <limits>

namespace pivotlab::test {

inline Eigen::MatrixXcd dense(const Matrix<Complex>& A) {
  return as_eigen(A.view());
}

inline Eigen::VectorXcd values_of(const EigResult<double>& result) {
  return Eigen::Map<const Eigen::VectorXcd>(result.eigenvalues.data(), std::ssize(result.eigenvalues));
}

/// ‖AV − VΛ‖_F / ‖A‖_F
inline double right_residual(const Matrix<Complex>& A, const EigResult<double>& result) {
  const Eigen::MatrixXcd a = dense(A), V = dense(result.V);
  return (a * V - V * values_of(result).asDiagonal()).norm() / a.norm();
}

/// ‖WᴴA − ΛWᴴ‖_F / ‖A‖_F
inline double left_residual(const Matrix<Complex>& A, const EigResult<double>& result) {
  const Eigen::MatrixXcd a = dense(A), W = dense(result.W).adjoint();
  return (W * a - values_of(result).asDiagonal() * W).norm() / a.norm();
}

/// ‖AE − ET‖_F / (‖A‖_F·‖E‖_F)
inline double similarity_residual(const Matrix<Complex>& A, const Matrix<Complex>& T, const Matrix<Complex>& E) {
  const Eigen::MatrixXcd a = dense(A), t = dense(T), e = dense(E);
  return (a * e - e * t).norm() / (a.norm() * e.norm());
}

/// max|Δλ| of eigenvalues that are matched with their true values one after the other, the nearest that is left.
template <class R>
double eigenvalue_error(const std::vector<std::complex<R>>& found, const std::vector<QuadComplex>& truth) {
  std::vector<QuadComplex> left;
  for (const auto& x : found) left.emplace_back(Quad(x.real()), Quad(x.imag()));
  Quad worst(0);
  for (const QuadComplex& x : truth) {
    const auto squared_distance = [&](const QuadComplex& y) { return Quad(squared_magnitude(QuadComplex(x - y))); };
    const auto nearest = std::ranges::min_element(left, {}, squared_distance);
    if (nearest == left.end()) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, squared_distance(*nearest));
    left.erase(nearest);
  }
  return static_cast<double>(Quad(sqrt(worst)));
}

inline double two_norm(const Matrix<Complex>& A) {
  const Eigen::MatrixXcd a = dense(A);
  return std::sqrt(hermitian_eigenvalues(Eigen::MatrixXcd(a.adjoint() * a)).maxCoeff());
}

}  // namespace pivotlab::test
