// SPDX-License-Identifier: BSD-3-Clause
// The machine of a refinement on a device: kernels, and exact products with proved bounds. Base is a machine of
// kernels/extended, Integers multiplies residues.
#pragma once

#include "kernels/exact/product.hpp"
#include "kernels/refine/elements.hpp"

#include <utility>

namespace pivotlab::refine {

/// Computes bounds of errors of C, as of an exact product: its losses and the rounding to two limbs.
template <class E>
struct ErrorsOfProduct {
  exact::EntryBound bound;
  MatrixView<const E> C;
  MatrixView<double> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = bound(i, j) + 0x1p-103 * size_of(at(C, i, j));
  }
};

template <class Base, class Integers>
class DeviceMachine {
 public:
  template <class X>
  using Owned = extended::DeviceMatrix<X>;

  template <class X>
  Owned<X> matrix(Index rows, Index cols) {
    return base_.template matrix<X>(rows, cols);
  }
  template <class X>
  Owned<X> upload(const Matrix<X>& A) {
    return base_.upload(A);
  }
  template <class X>
  Owned<X> upload(const std::vector<X>& x) {
    return {base_.upload(x), static_cast<Index>(x.size()), 1};
  }
  template <class X>
  Matrix<X> download(const Owned<X>& A) {
    return base_.download(A);
  }
  template <class X>
  std::vector<X> vector(const Owned<X>& column) {
    std::vector<X> result(column.rows());
    base_.executor.download(result.data(), column.data(), result.size());
    return result;
  }
  template <class F>
  void for_each(Index rows, Index cols, const F& f) {
    base_.for_each(rows, cols, f);
  }
  template <class F>
  void reduce_columns(Index rows, Index cols, const F& f) {
    base_.reduce_columns(rows, cols, f);
  }

  /// Returns op(A)·B in two limbs, op(A) = A or Aᴴ, and bounds of the errors of its entries. A factor in double gets
  /// the bits that it needs, the other factor what is left of those of 26 moduli.
  template <class A, class B>
  auto multiply(const Owned<A>& left, bool adjoint, const Owned<B>& right) {
    using E = Rebind<A, DoubleDouble>;
    constexpr int parts = is_complex<A> ? 2 : 1, moduli = exact::most_moduli;
    constexpr double most_bits = 126;  // of an integer
    const Index m = adjoint ? left.cols() : left.rows(), n = right.cols();
    auto C = matrix<E>(m, n);
    auto error = matrix<double>(m, n);
    const bool gram = adjoint && static_cast<const void*>(left.data()) == right.data();
    exact::Operand a = adjoint ? columns(left) : columns(left).across();
    a.conjugated = adjoint && is_complex<A>;
    exact::Product<decltype(base_.executor), Integers> product(
        base_.executor, integers_, {m, n, right.rows(), parts, gram}, {.moduli = moduli, .balance = !gram});
    product.measure(a, columns(right));
    exact::Budgets budgets = exact::even_budgets(moduli);
    if (std::is_same_v<A, Rebind<A, double>>) {
      const double both = budgets.a + budgets.b, needed = product.needs().a;
      budgets.a = std::clamp(needed, both - most_bits, budgets.a), budgets.b = both - budgets.a;
    }
    product.split(budgets);
    product.multiply({}, target(C));
    for_each(m, n, ErrorsOfProduct<E>{product.entry_bound(), C, error});
    return std::pair(std::move(C), std::move(error));
  }
  /// Returns |op(A)|·|B| in double.
  template <class A, class B>
  Owned<double> multiply_sizes(const Owned<A>& left, bool adjoint, const Owned<B>& right) {
    const auto a = sizes(left), b = sizes(right);
    auto C = matrix<double>(adjoint ? a.cols() : a.rows(), b.cols());
    base_.gemm(adjoint, a, false, b, C.view());
    return C;
  }
  template <class T>
  Owned<T> multiply_rounded(const Owned<T>& A, const Owned<T>& B) {
    auto C = matrix<T>(A.rows(), B.cols());
    base_.gemm(false, A, false, B, C.view());
    return C;
  }

 private:
  template <class X>
  Owned<double> sizes(const Owned<X>& A) {
    auto result = matrix<double>(A.rows(), A.cols());
    for_each(A.rows(), A.cols(), Sizes<X>{A, result});
    return result;
  }

  /// Returns where the limbs of both parts of C are, which alternate in memory.
  template <class X>
  static exact::Target target(const Owned<X>& C) {
    constexpr Index parts = is_complex<X> ? 2 : 1, limbs = std::is_same_v<RealOf<X>, double> ? 1 : 2;
    auto* x = reinterpret_cast<double*>(C.data());
    const auto low = [](double* hi) { return limbs == 2 ? hi + 1 : nullptr; };
    return {{{x, low(x)}, {x + limbs, low(x + limbs)}}, limbs * parts, limbs * parts * C.rows()};
  }
  template <class X>
  static exact::Operand columns(const Owned<X>& B) {
    const exact::Target x = target(B);
    return {{{x.part[0].hi, x.part[0].lo}, {x.part[1].hi, x.part[1].lo}},
            is_complex<X> ? 2 : 1,
            B.cols(),
            B.rows(),
            x.col_stride,
            x.row_stride,
            false};
  }

  Base base_;
  Integers integers_{base_.executor};
};

}  // namespace pivotlab::refine
