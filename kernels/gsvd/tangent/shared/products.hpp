// SPDX-License-Identifier: BSD-3-Clause
// The products and triangular solutions of the tangent path, by gemm, trsm and trmm of a library.
#pragma once

#include "kernels/libraries/options.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab::tangent {

/// `Library` derives from this and has gemm, trsm and trmm.
template <class Library>
class Products {
 public:
  /// X := X·L⁻ᴴ, L lower triangular
  template <class T>
  void solve_right_adjoint(MatrixView<const T> L, MatrixView<T> X) const {
    library().trsm(Side::right, Triangle::lower, Op::adjoint, L, X);
  }
  /// X := R⁻¹·X, R⁻ᴴ·X and X·R⁻¹, R upper triangular
  template <class T>
  void solve_left_upper(MatrixView<const T> R, MatrixView<T> X) const {
    library().trsm(Side::left, Triangle::upper, Op::none, R, X);
  }
  template <class T>
  void solve_left_upper_adjoint(MatrixView<const T> R, MatrixView<T> X) const {
    library().trsm(Side::left, Triangle::upper, Op::adjoint, R, X);
  }
  template <class T>
  void solve_right_upper(MatrixView<const T> R, MatrixView<T> X) const {
    library().trsm(Side::right, Triangle::upper, Op::none, R, X);
  }

  /// C := A·B, AᴴB and C − A·B
  template <class T>
  void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    library().gemm(Op::none, 1, A, B, 0, C);
  }
  template <class T>
  void multiply_adjoint(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    library().gemm(Op::adjoint, 1, A, B, 0, C);
  }
  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    library().gemm(Op::none, -1, A, B, 1, C);
  }

  /// Y := M·X, M triangular, and X·R, R upper triangular
  template <class T>
  void multiply_left(bool upper, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    library().trmm(Side::left, upper ? Triangle::upper : Triangle::lower, M, X, Y);
  }
  template <class T>
  void multiply_right_upper(MatrixView<const T> X, MatrixView<const T> R, MatrixView<T> Y) const {
    library().trmm(Side::right, Triangle::upper, R, X, Y);
  }

 private:
  const Library& library() const { return static_cast<const Library&>(*this); }
};

}  // namespace pivotlab::tangent
