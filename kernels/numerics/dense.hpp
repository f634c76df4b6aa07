// SPDX-License-Identifier: BSD-3-Clause
// Products of dense matrices, triangular systems and factorizations, single-threaded, with an order of summation that
// does not depend on the machine. They are compiled once for every scalar, since Eigen takes compilers more time than
// all else: dense.cpp has Eigen's for double and complex<double>, and products for float, dense_factors.cpp their
// factorizations; dense_extended.cpp has plain loops for long double, Quad and complex numbers of them.
#pragma once

#include "kernels/numerics/op.hpp"

#include <algorithm>
#include <memory>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <type_traits>
#include <vector>

namespace pivotlab {

/// op(A), a factor of a product.
template <class T>
struct Factor {
  MatrixView<const T> matrix;
  Op op = Op::none;

  Factor(MatrixView<const T> A, Op op_of_a = Op::none) : matrix(A), op(op_of_a) {}
  Factor(MatrixView<T> A) : matrix(A) {}
  Factor(const Matrix<T>& A) : matrix(A) {}
  Index rows() const { return op == Op::none ? matrix.rows : matrix.cols; }
  Index cols() const { return op == Op::none ? matrix.cols : matrix.rows; }
};

template <class T>
Factor<T> adjoint(MatrixView<const T> A) {
  return {A, Op::adjoint};
}
template <class T>
Factor<T> adjoint(const Matrix<T>& A) {
  return {A.view(), Op::adjoint};
}
template <class T>
Factor<T> transpose(MatrixView<const T> A) {
  return {A, Op::transpose};
}
template <class T>
Factor<T> transpose(const Matrix<T>& A) {
  return {A.view(), Op::transpose};
}

/// Returns op(A).
template <class T>
Matrix<T> matrix_of(const Factor<T>& A) {
  Matrix<T> result(A.rows(), A.cols());
  for (Index j = 0; j < result.cols(); ++j)
    for (Index i = 0; i < result.rows(); ++i) {
      const T& x = A.op == Op::none ? A.matrix(i, j) : A.matrix(j, i);
      result(i, j) = A.op == Op::adjoint ? conjugate(x) : x;
    }
  return result;
}

/// A factor whose scalar another argument determines.
template <class T>
using FactorOf = std::type_identity_t<Factor<T>>;

namespace detail {
/// C := C + factor·A·B.
template <class T>
void accumulate(MatrixView<T> C, const RealOf<T>& factor, const FactorOf<T>& A, const FactorOf<T>& B);
}  // namespace detail

/// C := C + A·B, C := C − A·B and C := A·B. C overlaps neither factor; at most one of them is transposed or adjoint.
template <class T>
void add_product(MatrixView<T> C, const FactorOf<T>& A, const FactorOf<T>& B) {
  detail::accumulate<T>(C, RealOf<T>(1), A, B);
}
template <class T>
void subtract_product(MatrixView<T> C, const FactorOf<T>& A, const FactorOf<T>& B) {
  detail::accumulate<T>(C, RealOf<T>(-1), A, B);
}
template <class T>
void multiply(MatrixView<T> C, const FactorOf<T>& A, const FactorOf<T>& B) {
  for (Index j = 0; j < C.cols; ++j) std::ranges::fill(C.col(j), T(0));
  add_product(C, A, B);
}

/// Returns A·B.
template <class T>
Matrix<T> product_of(const Factor<T>& A, const FactorOf<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  multiply(C.view(), A, B);
  return C;
}

/// Adds A·Aᴴ to the lower triangle of C.
template <class T>
void add_gram(MatrixView<T> C, const FactorOf<T>& A);

/// X := R⁻¹·X and X := X·R⁻¹ for an upper triangular R, whose lower triangle is not read.
template <class T>
void substitute_upper(MatrixView<const T> R, MatrixView<std::type_identity_t<T>> X);
template <class T>
void divide_by_upper(MatrixView<T> X, MatrixView<const std::type_identity_t<T>> R);

/// X := op(M)⁻¹·X for a unit lower triangular M, whose diagonal and upper triangle are not read.
template <class T>
void substitute_unit_lower(Op op, MatrixView<const T> M, MatrixView<std::type_identity_t<T>> X);

/// A·P = Q·R by Householder reflections, m × n.
template <class T>
struct QrFactors {
  Matrix<T> packed;           ///< m × n: R, and the reflections below it
  std::vector<T> tau;         ///< coefficients of the reflections
  std::vector<Index> column;  ///< column j of A·P is column column[j] of A
};

/// Factors without and with column pivoting; a pivoted matrix is not empty.
template <class T>
QrFactors<T> qr_factors(MatrixView<const T> A);
template <class T>
QrFactors<T> pivoted_qr_factors(MatrixView<const T> A);

/// X := Q·X for X with m rows.
template <class T>
void multiply_by_q(const QrFactors<T>& qr, MatrixView<std::type_identity_t<T>> X);

/// Returns the n × n upper triangular factor of A with m ≥ n.
template <class T>
Matrix<T> upper_factor(const QrFactors<T>& qr) {
  const Index n = qr.packed.cols();
  Matrix<T> R(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) R(i, j) = qr.packed(i, j);
  return R;
}

/// P·A = L·U with partial pivoting, n × n, for systems of equations of complex numbers.
template <class T>
class PartialLU {
 public:
  explicit PartialLU(MatrixView<const T> A);
  /// Computes X := A⁻¹·X; the result is meaningless if A is singular.
  void solve(MatrixView<T> X) const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// Computes the Schur form A = U·T·Uᴴ of a complex matrix, n × n: T overwrites A. Returns false if the iteration does
/// not converge; A remains then.
template <class T>
bool complex_schur(Matrix<T>& A, Matrix<T>& U);

/// Returns the singular values of A, m × n with m ≥ n > 0, in ascending order, for double and complex<double>.
template <class T>
std::vector<double> singular_values(MatrixView<const T> A);

}  // namespace pivotlab
