// SPDX-License-Identifier: BSD-3-Clause
// The product of two blocks of columns with a square matrix, in place, from the parts of Eigen's product: rows are
// packed from both blocks at once, without a copy that has them side by side, and multiplied into the blocks. The bits
// are those of multiply() for such a copy, because an element is the same sum in the same order.
#pragma once

#include "kernels/numerics/eigen.hpp"

#include <utility>

namespace pivotlab {

/// T is double or std::complex<double>. The object owns the packed factors.
template <class T>
class PairProduct {
 public:
  /// For blocks of `width` columns and up to `rows` rows.
  PairProduct(Index rows, Index width) : width_(width), left_(rows, 2 * width), right_(2 * width, 2 * width) {}

  /// Returns whether Eigen multiplies so many rows by the kernel for large matrices, and the columns of X and of Y
  /// separately as it would multiply all of them.
  bool fits(Index rows) const { return rows > 1 && width_ >= 8 && width_ % Traits::nr == 0; }

  /// Packs Z, 2w × 2w.
  void set(MatrixView<const T> Z) {
    Eigen::internal::gemm_pack_rhs<T, Index, Columns, Traits::nr, Eigen::ColMajor>()(
        right_.data(), Columns(Z.data, Z.stride), Z.rows, Z.cols);
  }

  /// Computes [X Y] := [X Y]·Z.
  void multiply(MatrixView<T> X, MatrixView<T> Y) {
    const Index depth = 2 * width_;
    pack(X, 0), pack(Y, width_);
    for (const auto& [block, first] : {std::pair(X, Index(0)), std::pair(Y, width_)}) {
      as_eigen(block).setZero();
      Kernel()(Result(block.data, block.stride), left_.data(), right_.data() + first * depth, block.rows, depth, width_,
               T(1));
    }
  }

 private:
  using Traits = Eigen::internal::gebp_traits<T, T>;
  using Columns = Eigen::internal::const_blas_data_mapper<T, Index, Eigen::ColMajor>;
  using Result = Eigen::internal::blas_data_mapper<T, Index, Eigen::ColMajor>;
  using Kernel = Eigen::internal::gebp_kernel<T, T, Index, Result, Traits::mr, Traits::nr, false, false>;

  /// Packs the block's columns as columns `first` and following ones of the left factor.
  void pack(MatrixView<const T> block, Index first) {
    Eigen::internal::gemm_pack_lhs<T, Index, Columns, Traits::mr, Traits::LhsProgress,
                                   typename Traits::LhsPacket4Packing, Eigen::ColMajor, false, true>()(
        left_.data(), Columns(block.data, block.stride), width_, block.rows, 2 * width_, first);
  }

  Index width_;
  EigenMatrix<T> left_, right_;  // packed, with the alignment that the kernel needs
};

}  // namespace pivotlab
