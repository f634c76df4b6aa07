// SPDX-License-Identifier: BSD-3-Clause
// The host's machine of a refinement: loops, and products in double-double with bounds of their errors.
#pragma once

#include "kernels/gsvd/tangent/host/loops.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/extended_product.hpp"
#include "kernels/refine/elements.hpp"

#include <utility>

namespace pivotlab::refine {

class HostMachine : public tangent::Loops {
 public:
  template <class X>
  using Owned = Matrix<X>;

  /// Small matrices, of order n, take one thread.
  HostMachine(Index n, int threads) : HostMachine(n < 128 ? 1 : threads) {}

  template <class X>
  Matrix<X> matrix(Index rows, Index cols) const {
    return Matrix<X>(rows, cols);
  }
  template <class X>
  Matrix<X> upload(const Matrix<X>& A) const {
    return A;
  }
  template <class X>
  Matrix<X> upload(const std::vector<X>& x) const {
    const auto n = static_cast<Index>(x.size());
    return Matrix<X>(MatrixView<const X>{x.data(), n, 1, n});
  }
  template <class X>
  const Matrix<X>& download(const Matrix<X>& A) const {
    return A;
  }
  template <class X>
  std::vector<X> vector(const Matrix<X>& column) const {
    std::vector<X> result(column.size());
    std::copy_n(column.data(), result.size(), result.begin());
    return result;
  }

  /// Returns op(A)·B in double-double, op(A) = A or Aᴴ, and bounds of the errors of its entries: (k + 16)·2⁻¹⁰³ times
  /// |A|·|B|, twice what product() claims, for complex matrices four times.
  template <class A, class B>
  auto multiply(const Matrix<A>& left, bool adjoint, const Matrix<B>& right) const {
    using E = Rebind<A, DoubleDouble>;
    auto C = product<E>(Operand<E>(left, adjoint ? Op::adjoint : Op::none), Operand<E>(right), threads_);
    Matrix<double> error = multiply_sizes(left, adjoint, right);
    const Index inner = right.rows();
    const double relative = static_cast<double>(inner + 16) * (is_complex<A> ? 0x1p-102 : 0x1p-103);
    const double underflow = static_cast<double>(inner) * 0x1p-960;
    for (Index k = 0; k < error.size(); ++k)
      if (error.data()[k] > 0) error.data()[k] = error.data()[k] * relative + underflow;
    return std::pair(std::move(C), std::move(error));
  }
  /// Returns |op(A)|·|B| in double.
  template <class A, class B>
  Matrix<double> multiply_sizes(const Matrix<A>& left, bool adjoint, const Matrix<B>& right) const {
    const Matrix<double> a = sizes(left), b = sizes(right);
    return product_of<double>({a.view(), adjoint ? Op::transpose : Op::none}, b);
  }
  template <class T>
  Matrix<T> multiply_rounded(const Matrix<T>& A, const Matrix<T>& B) const {
    return product_of<T>(A, B);
  }

 private:
  explicit HostMachine(int threads) : Loops(threads), threads_(threads) {}

  template <class A>
  Matrix<double> sizes(const Matrix<A>& X) const {
    Matrix<double> result(X.rows(), X.cols());
    for_each(X.rows(), X.cols(), Sizes<A>{X, result});
    return result;
  }

  int threads_;
};

}  // namespace pivotlab::refine
