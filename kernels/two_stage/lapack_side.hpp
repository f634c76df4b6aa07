// SPDX-License-Identifier: BSD-3-Clause
// The routines of BLAS and LAPACK that the two-stage eigensolver calls.
#pragma once

#include "kernels/libraries/lapack.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"

#include <cstddef>

namespace pivotlab::two_stage {

class LapackSide {
 public:
  template <class T>
  void gemm(Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
            MatrixView<T> C) const {
    lapack::gemm(op_a, op_b, alpha, A, B, beta, C);
  }
  template <class T>
  void gemm3m(Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
              MatrixView<T> C) const {
    gemm(op_a, op_b, alpha, A, B, beta, C);
  }
  template <class T>
  void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) const {
    lapack::trsm(side, triangle, op, R, X);
  }
  /// Emulation takes time for each block.
  static constexpr int most_columns_of_strip = 2;
  static constexpr int rows_of_strip(int /*columns*/) { return 16; }
  static bool runs_at_once(Index /*blocks*/) { return true; }
  static Index most_rows() { return two_stage::most_rows; }

  std::size_t tridiagonal_bytes(Index) const { return 0; }
  bool tridiagonal(double* d, double* e, MatrixView<double> Z, std::byte*, std::size_t) const {
    return lapack::stedc(d, e, Z) == 0;
  }
};

}  // namespace pivotlab::two_stage
