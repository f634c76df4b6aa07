// The singular value decomposition, J = ±I, of a preconditioned matrix (Drmač & Veselić, SIAM J. Matrix Anal. Appl. 29
// (2008)):
//
//   G·P = Q₁·R with column pivoting,   R = L·Q₂*,   L·W = U_L·Σ by the iteration,   U = Q₁·U_L,   V = P·Q₂·W.
//
// L is square, and its columns are nearer to orthogonality than those of G, most of all where these have many sizes.
// The factorizations have errors relative to columns of G and to rows of R, which change σ relatively little. With
// different signs in J, Q₂ would have to be J-unitary.
#pragma once

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/numerics/eigen.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <pivotlab/error.hpp>
#include <utility>
#include <vector>

namespace pivotlab::jacobi {

template <class T>
class QrPreconditioner {
  using R = RealOf<T>;

 public:
  /// Checks (G, J) as make_problem() does, and that J = ±I.
  QrPreconditioner(MatrixView<const T> G, const std::vector<int>& J, int threads)
      : problem_(make_problem(G, J, 2, threads)), norms_(column_norms<T>(given(), threads)), qr_(as_eigen(given())) {
    if (std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end())
      throw InputError("option qrp: J has both signs, and V must be unitary; take a variant without qrp");
    const Index n = G.cols;
    const EigenMatrix<T> upper = qr_.matrixR().topRows(n).template triangularView<Eigen::Upper>();
    for (Index i = 0; i < n; ++i) row_norms_.push_back(upper.row(i).norm());
    lq_.compute(upper.adjoint());
  }

  Matrix<T> L() const {
    const Index n = lq_.cols();
    Matrix<T> result(n, n);
    as_eigen(result.view()) = EigenMatrix<T>(lq_.matrixQR().template triangularView<Eigen::Upper>()).adjoint();
    return result;
  }

  /// Converts the decomposition of L to that of G. Without V it needs L, to estimate errors.
  void take_back(const Matrix<T>& L, bool keep_v, HsvdResult<T>& result) const {
    const Index m = problem_.rows, n = problem_.own();
    EigenMatrix<T> V = keep_v ? EigenMatrix<T>(as_eigen(result.V.view())) : unaccumulated_v(L, result);
    V.applyOnTheLeft(lq_.householderQ());
    V = (qr_.colsPermutation() * V).eval();
    estimate(V, result);
    EigenMatrix<T> U = EigenMatrix<T>::Zero(m, n);
    U.topRows(n) = as_eigen(result.U.view());
    U.applyOnTheLeft(qr_.householderQ());
    result.U = Matrix<T>(m, n);
    as_eigen(result.U.view()) = U;
    for (Index i = 0; keep_v && i < n; ++i) as_eigen(result.V.view()).row(problem_.column[i]) = V.row(i);
    for (R& sigma : result.sigma) sigma = times_power_of_two(sigma, -problem_.exponent);
  }

 private:
  /// Columns of G in order of their norms, scaled by a power of two.
  MatrixView<const T> given() const { return problem_.G.view().block(0, 0, problem_.rows, problem_.own()); }

  /// L*·U_L·Σ⁻¹, with zero columns for σ = 0.
  static EigenMatrix<T> unaccumulated_v(const Matrix<T>& L, const HsvdResult<T>& result) {
    EigenMatrix<T> V = as_eigen(L.view()).adjoint() * as_eigen(result.U.view());
    for (Index j = 0; j < V.cols(); ++j) {
      const R sigma = result.sigma[static_cast<std::size_t>(j)];
      V.col(j) *= T(sigma > R(0) ? R(1) / sigma : R(0));
    }
    return V;
  }

  /// Adds what errors ε‖g_i‖ of columns of G and ε‖R(i, :)‖ of rows of R do to σ_j², to first order:
  ///   2·ε·(Σ_i ‖g_i‖·|v_ij| + Σ_i |u_L,ij|·‖R(i, :)‖)/σ_j.
  void estimate(const EigenMatrix<T>& V, HsvdResult<T>& result) const {
    for (Index j = 0; j < V.cols(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      R sum(0);
      for (Index i = 0; i < V.rows(); ++i)
        sum += norms_[static_cast<std::size_t>(i)] * modulus(V(i, j)) +
               modulus(result.U(i, j)) * row_norms_[static_cast<std::size_t>(i)];
      if (result.sigma[at] > R(0))
        result.estimate[at] =
            std::min(R(1), R(result.estimate[at] + R(2) * std::numeric_limits<R>::epsilon() * sum / result.sigma[at]));
    }
  }

  Problem<T> problem_;
  std::vector<R> norms_;      ///< of the columns of given()
  std::vector<R> row_norms_;  ///< of R
  Eigen::ColPivHouseholderQR<EigenMatrix<T>> qr_;
  Eigen::HouseholderQR<EigenMatrix<T>> lq_;  ///< of R*
};

}  // namespace pivotlab::jacobi
