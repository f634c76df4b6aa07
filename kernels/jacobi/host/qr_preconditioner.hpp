// SPDX-License-Identifier: BSD-3-Clause
// The singular value decomposition, J = ±I, of a preconditioned matrix (Drmač & Veselić, SIAM J. Matrix Anal. Appl. 29
// (2008)):
//
//   G·P = Q₁·R with column pivoting,   R = L·Q₂*,   L·W = U_L·Σ by the iteration,   U = Q₁·U_L,   V = P·Q₂·W.
//
// L is square, and its columns are nearer to orthogonality than those of G, most of all where these have many sizes.
// The factorizations have errors relative to columns of G and to rows of R, which change σ relatively little. With
// different signs in J, Q₂ would have to be J-unitary.
//
// Rows of G that differ in size are sorted first: the errors are small relative to these rows then (Cox & Higham,
// "Stability of Householder QR factorization for weighted least squares problems", 1998), and small σ of G = D·B keep
// their digits. Reflection k, with the unit vector v_k, changes column j by at most ε·|v_k|·‖R(k:n, j)‖ and by
// roundings of its elements: their sum over all reflections and with the singular vectors is the estimate then.
#pragma once

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/products.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <pivotlab/error.hpp>
#include <span>
#include <vector>

namespace pivotlab::jacobi {

template <class T>
class QrPreconditioner {
  using R = RealOf<T>;

 public:
  /// Checks (G, J) as make_problem() does, and that J = ±I.
  QrPreconditioner(MatrixView<const T> G, const std::vector<int>& J, int threads)
      : graded_by_rows_(is_graded_by_rows(grading_of(G, threads))),
        problem_(make_problem(G, J, 2, threads)),
        row_(graded_by_rows_ ? sort_rows() : std::vector<Index>()),
        norms_(column_norms<T>(given(), threads)),
        qr_(pivoted_qr_factors<T>(given())),
        upper_(upper_factor(qr_)),
        lq_(qr_factors<T>(matrix_of(adjoint(upper_)))) {
    if (std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end())
      throw InputError("option qrp: J has both signs, and V must be unitary; take a variant without qrp");
    for (Index i = 0; i < G.cols; ++i) {
      R squares(0);
      for (Index j = i; j < G.cols; ++j) squares += squared_magnitude(upper_(i, j));
      row_norms_.push_back(square_root(squares));
    }
  }

  Matrix<T> L() const {
    Matrix<T> result = matrix_of(adjoint(upper_factor(lq_)));
    clear_lost_columns(result);
    return result;
  }

  /// Converts the decomposition of L to that of G. Without V it needs L, to estimate errors.
  void take_back(const Matrix<T>& L, bool keep_v, HsvdResult<T>& result) const {
    const Index m = problem_.rows, n = problem_.own();
    Matrix<T> of_r = keep_v ? result.V : unaccumulated_v(L, result), U(m, n), V(n, n);
    multiply_by_q<T>(lq_, of_r);
    for (Index j = 0; j < n; ++j) std::ranges::copy(result.U.col(j), U.col(j).begin());
    multiply_by_q<T>(qr_, U);
    if (graded_by_rows_) estimate_by_reflections(U, of_r, result);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) V(qr_.column[i], j) = of_r(i, j);
    if (!graded_by_rows_) estimate(V, result);
    result.U = Matrix<T>(m, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) result.U(graded_by_rows_ ? row_[i] : i, j) = U(i, j);
    for (Index j = 0; keep_v && j < n; ++j)
      for (Index i = 0; i < n; ++i) result.V(problem_.column[i], j) = V(i, j);
    std::ptrdiff_t exact = std::ranges::count(norms_, R(0));  // zeros come last for J = I, and first for J = −I
    for (Index k = 0; k < n; ++k) {
      const auto j = static_cast<std::size_t>(result.J.front() > 0 ? n - 1 - k : k);
      if (result.sigma[j] == R(0)) result.estimate[j] = exact-- > 0 ? R(0) : R(1);
      const R sigma = result.sigma[j];
      store_sigma(sigma, problem_.exponent, result.sigma[j], result.estimate[j]);
    }
  }

 private:
  /// Columns of G in order of their norms, scaled by a power of two.
  MatrixView<const T> given() const { return problem_.G.view().block(0, 0, problem_.rows, problem_.own()); }

  /// Sorts the rows of the problem by their largest elements, and returns their old places.
  std::vector<Index> sort_rows() {
    const Index m = problem_.rows, n = problem_.own();
    std::vector<R> largest(m, R(0));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) largest[i] = std::max(largest[i], detail::largest_part(problem_.G(i, j)));
    std::vector<Index> order = descending_indices(largest);
    const Matrix<T> old = problem_.G;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) problem_.G(i, j) = old(order[i], j);
    return order;
  }

  /// Sets columns of L to zero whose squares would be lost; they are rounding errors (fits_the_range()).
  static void clear_lost_columns(Matrix<T>& L) {
    std::vector<R> largest(L.cols(), R(0));
    for (Index j = 0; j < L.cols(); ++j)
      for (const T& x : L.col(j)) largest[j] = std::max(largest[j], detail::largest_part(x));
    const R least = times_power_of_two(*std::ranges::max_element(largest), 1 - widest_range<R>());
    for (Index j = 0; j < L.cols(); ++j)
      if (largest[j] < least) std::ranges::fill(L.col(j), T(0));
  }

  /// L*·U_L·Σ⁻¹, with zero columns for σ = 0.
  static Matrix<T> unaccumulated_v(const Matrix<T>& L, const HsvdResult<T>& result) {
    Matrix<T> V = product_of<T>(adjoint(L), result.U);
    for (Index j = 0; j < V.cols(); ++j) {
      const R sigma = result.sigma[j], inverse = sigma > R(0) ? R(1) / sigma : R(0);
      for (T& x : V.col(j)) x *= inverse;
    }
    return V;
  }

  /// Adds what errors ε‖g_i‖ of columns of G and ε‖R(i, :)‖ of rows of R do to σ_j², to first order:
  ///   2·ε·(Σ_i ‖g_i‖·|v_ij| + Σ_i |u_L,ij|·‖R(i, :)‖)/σ_j.
  void estimate(const Matrix<T>& V, HsvdResult<T>& result) const {
    for (Index j = 0; j < V.cols(); ++j) {
      R sum(0);
      for (Index i = 0; i < V.rows(); ++i)
        sum += norms_[i] * modulus(V(i, j)) + modulus(result.U(i, j)) * row_norms_[i];
      add_error(sum, result, j);
    }
  }

  static void add_error(const R& error, HsvdResult<T>& result, std::size_t j) {
    if (result.sigma[j] > R(0))
      result.estimate[j] =
          std::min(R(1), R(result.estimate[j] + R(2) * std::numeric_limits<R>::epsilon() * error / result.sigma[j]));
  }

  /// Adds what errors of the reflections do to σ_j² to first order; V belongs to the columns of R.
  void estimate_by_reflections(const Matrix<T>& U, const Matrix<T>& V, HsvdResult<T>& result) const {
    const MatrixView<const T> A = given();
    Matrix<T> columns(A.rows, A.cols);
    for (Index j = 0; j < A.cols; ++j) std::ranges::copy(A.col(qr_.column[j]), columns.col(j).begin());
    const Matrix<R> u = moduli(U), v = moduli(V), u_l = moduli(result.U);
    const std::vector<R> of_qr = reflection_errors(qr_.packed, columns, u, v),
                         of_lq = reflection_errors(lq_.packed, matrix_of(adjoint(upper_)), v, u_l);
    for (std::size_t j = 0; j < of_qr.size(); ++j) add_error(of_qr[j] + of_lq[j], result, j);
  }

  /// Returns Σ_ik x_ij·e_ik·y_kj for every j, with e = |A| + Σ_l |v_l|·‖R(l:n, k)‖: ε·e are errors of the factorization
  /// of A that is stored in `packed`, R above and v_l(l+1:m) below the diagonal.
  static std::vector<R> reflection_errors(const Matrix<T>& packed, const Matrix<T>& A, const Matrix<R>& x,
                                          const Matrix<R>& y) {
    const Index n = packed.cols();
    Matrix<R> reflectors = moduli(packed), rest(n, n);
    for (Index k = 0; k < n; ++k) {
      for (Index i = 0; i < k; ++i) reflectors(i, k) = R(0);
      reflectors(k, k) = R(1);
      R squares(0), sum(0);
      for (const R& v : reflectors.col(k)) squares += v * v;
      const R norm = square_root(squares);
      for (R& v : reflectors.col(k)) v /= norm;
      for (Index l = k; l >= 0; --l) sum += squared_magnitude(packed(l, k)), rest(l, k) = square_root(sum);
    }
    const Matrix<R> of_elements = product_of<R>(moduli(A), y), of_reflections = product_of<R>(rest, y),
                    along = product_of<R>(transpose(reflectors), x);
    std::vector<R> errors;
    for (Index j = 0; j < x.cols(); ++j)
      errors.push_back(dot(x.col(j), of_elements.col(j)) + dot(along.col(j), of_reflections.col(j)));
    return errors;
  }

  static R dot(std::span<const R> x, std::span<const R> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), R(0));
  }

  bool graded_by_rows_;
  Problem<T> problem_;
  std::vector<Index> row_;    ///< places in G of the rows, if they are sorted
  std::vector<R> norms_;      ///< of the columns of given()
  std::vector<R> row_norms_;  ///< of R
  QrFactors<T> qr_;           ///< of given()
  Matrix<T> upper_;           ///< R
  QrFactors<T> lq_;           ///< of R*
};

}  // namespace pivotlab::jacobi
