// SPDX-License-Identifier: BSD-3-Clause
// Access to D by its blocks, for all functions of the factors.
#pragma once

#include "kernels/ldlt/shared/butterfly.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"

#include <complex>

namespace pivotlab {

// ldlt.cpp compiles them once, with the library's optimization: others that include definitions would do so again, and
// a linker takes any of them.
extern template struct LdltFactorization<double>;
extern template struct LdltFactorization<std::complex<double>>;

}  // namespace pivotlab

namespace pivotlab::ldlt_detail {

/// Calls visit(k, size) for the blocks of D in order, the zeros after the last stage as blocks of order 1.
template <class T, class Visit>
void for_blocks(const LdltFactorization<T>& f, const Visit& visit) {
  Index next = 0;
  for (const auto& stage : f.stages) {
    visit(stage.first, stage.size);
    next = stage.first + stage.size;
  }
  for (; next < f.order(); ++next) visit(next, 1);
}

template <class T>
Block<T> block_at(const LdltFactorization<T>& f, Index k) {
  return {f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1]};
}

/// Returns the size up to which a singular value of D counts as zero. Complete pivoting has set zeros itself.
template <class T>
RealOf<T> zero_level(const LdltFactorization<T>& f) {
  return f.pivoting() == Pivoting::complete ? RealOf<T>(0) : f.tolerance;
}

/// Returns s of the row of A that is row i of P·A·Pᵀ; 0 without equilibration.
template <class T>
int scaling_at(const LdltFactorization<T>& f, Index i) {
  return f.scaling.empty() ? 0 : f.scaling[f.permutation[i]];
}

/// Computes Y := (P·S·Pᵀ)⁻¹·U·Y.
template <class T>
void unscale_rows(const LdltFactorization<T>& f, MatrixView<T> Y) {
  apply_butterfly<T>(f.butterfly, false, Y);
  for (Index j = 0; !f.scaling.empty() && j < Y.cols; ++j)
    for (Index i = 0; i < Y.rows; ++i) Y(i, j) = times_power_of_two(Y(i, j), -scaling_at(f, i));
}

template <class T>
void require_hermitian(const LdltFactorization<T>& f, const std::string& what) {
  if (is_complex<T> && f.symmetry == Symmetry::symmetric)
    throw NotSupported(what + " of a complex symmetric matrix does not exist; it needs real eigenvalues");
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
Index LdltFactorization<T>::pivots(int size) const {
  return std::ranges::count(stages, size, &LdltStage<Real>::size);
}

template <class T>
RealOf<T> LdltFactorization<T>::max_growth() const {
  Real largest(0);
  for (const auto& stage : stages) largest = std::max(largest, stage.growth);
  return largest;
}

template <class T>
RealOf<T> LdltFactorization<T>::max_condition() const {
  Real largest(1);
  for (const auto& stage : stages) largest = std::max(largest, stage.condition);
  return largest;
}

template <class T>
Matrix<T> LdltFactorization<T>::times_butterfly(Matrix<T> X) const {
  ldlt_detail::apply_butterfly<T>(butterfly, false, X.view());
  return X;
}

template <class T>
Matrix<T> LdltFactorization<T>::dense_d() const {
  Matrix<T> D(order(), order());
  for (Index i = 0; i < order(); ++i) {
    D(i, i) = diagonal[i];
    if (subdiagonal[i] == T(0)) continue;
    D(i + 1, i) = subdiagonal[i];
    D(i, i + 1) = symmetry == Symmetry::hermitian ? conjugate(subdiagonal[i]) : subdiagonal[i];
  }
  return D;
}

template <class T>
Matrix<T> LdltFactorization<T>::reconstruct() const {
  using namespace ldlt_detail;
  return with_symmetry<T>(symmetry, [&](auto hermitian) {
    const Index n = order();
    Matrix<T> MD(n, n), result(n, n);
    for_blocks(*this, [&](Index k, int size) {
      const auto m = as_eigen(M.view());
      auto columns = as_eigen(MD.view());
      columns.col(k) = m.col(k) * diagonal[k];
      if (size == 1) return;
      columns.col(k) += m.col(k + 1) * subdiagonal[k];
      columns.col(k + 1) = m.col(k) * across<hermitian.value>(subdiagonal[k]) + m.col(k + 1) * diagonal[k + 1];
    });
    Matrix<T> product = product_of<T>(MD, Factor<T>(M.view(), hermitian.value ? Op::adjoint : Op::transpose));
    FullTriangle<T> triangle(product);
    transform_by_butterfly<hermitian.value>(butterfly, false, triangle, 0);
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        const T y = i == j ? on_diagonal<hermitian.value>(product(i, j)) : product(i, j);
        const T x = scaling.empty() ? y : times_power_of_two(y, -scaling_at(*this, i) - scaling_at(*this, j));
        result(permutation[j], permutation[i]) = across<hermitian.value>(x);
        result(permutation[i], permutation[j]) = x;
      }
    return result;
  });
}

template <class T>
Determinant<T> LdltFactorization<T>::determinant() const {
  using namespace ldlt_detail;
  Determinant<T> det;
  const auto normalize = [&](T x, std::int64_t exponent) {
    if (x == T(0)) return Determinant<T>{T(0), 0};
    const int own = exponent_of(absolute(x)) + 1;
    return Determinant<T>{times_power_of_two(x, -own), exponent + own};
  };
  const auto times = [&](const T& x, int exponent) {
    if (det.mantissa == T(0)) return;
    const Determinant<T> factor = normalize(x, exponent);
    det = normalize(multiply(det.mantissa, factor.mantissa), det.exponent + factor.exponent);
  };
  for_blocks(*this, [&](Index k, int size) {
    if (size == 1) return times(diagonal[k], 0);
    const int e = exponent_of(absolute(subdiagonal[k]));
    const T a = times_power_of_two(diagonal[k], -e), b = times_power_of_two(subdiagonal[k], -e),
            c = times_power_of_two(diagonal[k + 1], -e);
    const T bb = symmetry == Symmetry::hermitian ? T(squared_magnitude(b)) : multiply(b, b);
    times(multiply_add(a, c, T(-bb)), 2 * e);
  });
  if (det.mantissa != T(0))
    for (const int s : scaling) det.exponent -= 2 * s;
  return det;
}

}  // namespace pivotlab
