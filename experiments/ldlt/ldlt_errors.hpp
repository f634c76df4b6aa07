// SPDX-License-Identifier: BSD-3-Clause
// Norms of the errors of a symmetric indefinite factorization, the errors computed in extended precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <experiments/ldlt/ldlt_metrics.hpp>
#include <kernels/ldlt/factors/reconstruction_error.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/threads.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Computes X := U·X for a butterfly in the layout of LdltFactorization::butterfly. E is T or an extended scalar.
template <class E>
void times_butterfly(const Matrix<double>& butterfly, MatrixView<E> X) {
  using R = RealOf<E>;
  for (Index level = 0; 2 * level < butterfly.cols(); ++level) {
    std::vector<std::pair<Index, Index>> blocks = {{0, X.rows}};  // first row and order
    for (Index l = 0; l < level; ++l) {
      std::vector<std::pair<Index, Index>> halves;
      for (const auto& [first, order] : blocks) {
        const Index half = order - order / 2;
        halves.emplace_back(first, half), halves.emplace_back(first + half, order - half);
      }
      blocks = std::move(halves);
    }
    for (const auto& [first, order] : blocks)
      for (Index i = first; i < first + order / 2; ++i) {
        const R c(butterfly(i, 2 * level)), s(butterfly(i, 2 * level + 1));
        const Index partner = i + (order - order / 2);
        for (Index j = 0; j < X.cols; ++j) {
          const E x = X(i, j), y = X(partner, j);
          X(i, j) = x * c - y * s;
          X(partner, j) = y * c + x * s;
        }
      }
  }
}

/// ‖A − S⁻¹·Pᵀ·U·M·D·M*·Uᵀ·P·S⁻¹‖₁ in units of 2^exponent, where 2^exponent is the scale of A. A butterfly U takes the
/// memory of two extended matrices; it is applied to the product.
template <class E, class T>
double reconstruction_error(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f, int exponent, int threads,
                            Index tile = 128) {
  const ldlt_detail::GivenFactors<T> given{matrix.A,      f.M,           f.diagonal,
                                           f.subdiagonal, f.permutation, matrix.symmetry == Symmetry::hermitian,
                                           exponent,      f.scaling};
  if (f.butterfly.size() > 0) {
    const ldlt_detail::ReconstructionError<E, T> error(given, threads, tile);
    Matrix<E> product = error.product_of_factors();
    for (int side = 0; side < 2; ++side) {
      times_butterfly<E>(f.butterfly, product.view());
      for (Index j = 0; j < product.cols(); ++j)
        for (Index i = 0; i <= j; ++i) {
          const E x = product(i, j), y = product(j, i);
          product(i, j) = given.hermitian ? conjugate(y) : y;
          product(j, i) = given.hermitian ? conjugate(x) : x;
        }
    }
    return largest_component<double>(error.sums_of_rows(product));
  }
  return largest_component<double>(ldlt_detail::ReconstructionError<E, T>(given, threads, tile).sums_of_rows());
}

/// sum + a·x
template <class E, class T>
E plus_product(const E& sum, const T& a, const T& x) {
  if constexpr (is_complex<T>)
    return {plus_product(plus_product(sum.real(), a.real(), x.real()), -a.imag(), x.imag()),
            plus_product(plus_product(sum.imag(), a.real(), x.imag()), a.imag(), x.real())};
  else if constexpr (std::is_same_v<E, DoubleDouble>)
    return sum + DoubleDouble::product(a, x);
  else
    return sum + E(a) * x;
}

/// 2^−exponent·A·X in extended precision, for an X with few columns; A is read once.
template <class E, class T>
Matrix<E> apply(const Matrix<T>& A, int exponent, Matrix<T> X, int threads) {
  constexpr Index block = 128;
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = times_power_of_two(X.data()[i], -exponent);
  Matrix<E> AX(A.rows(), X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 1)
  for (Index first = 0; first < A.rows(); first += block) {
    const MatrixView<E> rows = AX.view().block(first, 0, std::min(block, A.rows() - first), X.cols());
    for (Index k = 0; k < A.cols(); ++k)
      for (Index j = 0; j < X.cols(); ++j)
        for (Index i = 0; i < rows.rows; ++i) rows(i, j) = plus_product(rows(i, j), A(first + i, k), X(k, j));
  }
  return AX;
}

template <class T>
double norm_1_of(std::span<const T> x) {
  double sum = 0;
  for (const T& element : x) sum += std::abs(element);
  return sum;
}

/// max_j ‖b_j − A·x_j‖₁/(‖A‖₁·‖x_j‖₁), where 0/0 is 0; `norm` is ‖A‖₁ in units of 2^exponent.
template <class E, class T>
double solution_residual(const Matrix<T>& A, int exponent, double norm, const Matrix<T>& B, const Matrix<T>& X,
                         int threads) {
  const Matrix<E> AX = apply<E>(A, exponent, X, threads);
  double largest = 0;
  std::vector<T> residual(B.rows());
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index i = 0; i < B.rows(); ++i)
      residual[i] = round_to_double<T>(E(extend<E>(times_power_of_two(B(i, j), -exponent)) - AX(i, j)));
    const double size = norm_1_of<T>(residual), ratio = size == 0 ? 0 : size / (norm * norm_1_of<T>(X.col(j)));
    raise_to(largest, ratio);
  }
  return largest;
}

}  // namespace pivotlab::experiments
