// SPDX-License-Identifier: BSD-3-Clause
// Matrices with split real and imaginary parts. Splitting turns every complex operation into a few real loops over
// contiguous memory, which vectorize.
#pragma once

#include <algorithm>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

template <class T>
class SplitMatrix {
 public:
  using Real = RealOf<T>;

  SplitMatrix() = default;
  SplitMatrix(Index rows, Index cols) : re_(rows, cols), im_(is_complex<T> ? rows : 0, is_complex<T> ? cols : 0) {}

  Index rows() const { return re_.rows(); }
  Index cols() const { return re_.cols(); }
  Real* re(Index j) { return re_.data() + j * re_.rows(); }
  const Real* re(Index j) const { return re_.data() + j * re_.rows(); }
  /// Returns column j of the imaginary part; only for complex T.
  Real* im(Index j) { return im_.data() + j * im_.rows(); }
  const Real* im(Index j) const { return im_.data() + j * im_.rows(); }
  MatrixView<Real> re() { return re_; }
  MatrixView<Real> im() { return im_; }
  MatrixView<const Real> re() const { return re_; }
  MatrixView<const Real> im() const { return im_; }

  void assign(MatrixView<const T> source) {
    for (Index j = 0; j < source.cols; ++j)
      for (Index i = 0; i < source.rows; ++i) {
        re(j)[i] = real_part(source(i, j));
        if constexpr (is_complex<T>) im(j)[i] = source(i, j).imag();
      }
  }
  void copy_to(MatrixView<T> target) const {
    for (Index j = 0; j < target.cols; ++j)
      for (Index i = 0; i < target.rows; ++i) {
        if constexpr (is_complex<T>)
          target(i, j) = T(re(j)[i], im(j)[i]);
        else
          target(i, j) = re(j)[i];
      }
  }
  void set_identity() {
    std::fill_n(re_.data(), re_.size(), Real(0));
    std::fill_n(im_.data(), im_.size(), Real(0));
    for (Index j = 0; j < cols(); ++j) re(j)[j] = Real(1);
  }
  void scale_column(Index j, const Real& factor) {
    for (Index i = 0; i < rows(); ++i) re(j)[i] *= factor;
    if constexpr (is_complex<T>)
      for (Index i = 0; i < rows(); ++i) im(j)[i] *= factor;
  }
  void swap_columns(Index p, Index q) {
    std::swap_ranges(re(p), re(p) + rows(), re(q));
    if constexpr (is_complex<T>) std::swap_ranges(im(p), im(p) + rows(), im(q));
  }

 private:
  Matrix<Real> re_, im_;
};

}  // namespace pivotlab
