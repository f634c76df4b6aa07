// Norms of the errors of a symmetric indefinite factorization, the errors computed in extended precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <experiments/metrics/extension.hpp>
#include <experiments/metrics/ldlt_metrics.hpp>
#include <experiments/metrics/norms.hpp>
#include <functional>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab::experiments {

/// * of a matrix of that symmetry.
template <class T>
T across(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// ‖P·A·Pᵀ − M·D·M*‖₁ for a matrix that is `exponent` powers of two from 1, tile by tile: of the lower triangle, and of
/// no more inner indices than M has elements there, so that a large M costs a sixth of a full product and little
/// memory. Rows of tiles are independent of each other; their sums are added in one order.
template <class E, class T>
class ReconstructionError {
 public:
  ReconstructionError(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& factors, int exponent, int threads,
                      Index tile = 128)
      : matrix_(matrix),
        f_(factors),
        exponent_(exponent),
        threads_(thread_count(threads)),
        tile_(tile),
        diagonal_(scaled(factors.diagonal, -exponent)),
        subdiagonal_(scaled(factors.subdiagonal, -exponent)) {}

  /// In units of 2^exponent.
  double norm_1() const {
    const Index count = (order() + tile_ - 1) / tile_;
    std::vector<std::vector<double>> parts(static_cast<std::size_t>(count));
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Index t = count - 1; t >= 0; --t) parts[t] = sums_of_tiles(t * tile_);  // the longest rows first
    std::vector<double> sums(static_cast<std::size_t>(order()));
    for (const auto& part : parts) std::transform(part.begin(), part.end(), sums.begin(), sums.begin(), std::plus{});
    return largest_component<double>(sums);
  }

 private:
  Index order() const {
    return f_.M.rows();
  }

  /// What the tiles of the rows from `row` on add to the sums of moduli in each row of the whole matrix.
  std::vector<double> sums_of_tiles(Index row) const {
    const Matrix<E> MD = times_d(row, std::min(tile_, order() - row));
    std::vector<double> sums(static_cast<std::size_t>(MD.cols()));
    for (Index col = 0; col <= row; col += tile_) add_tile(MD.view(), row, col, sums);
    return sums;
  }

  /// The rows of M·D, as far as they are not zero.
  Matrix<E> times_d(Index row, Index rows) const {
    Matrix<E> MD(rows, row + rows);
    for (Index k = 0; k < MD.cols(); ++k)
      for (Index i = 0; i < rows; ++i) {
        const auto m = [&](Index j) { return extend<E>(f_.M(row + i, j)); };
        E sum = m(k) * extend<E>(diagonal_[k]);
        if (k > 0 && subdiagonal_[k - 1] != T(0))
          sum += m(k - 1) * extend<E>(across(subdiagonal_[k - 1], matrix_.symmetry));
        if (k + 1 < order() && subdiagonal_[k] != T(0)) sum += m(k + 1) * extend<E>(subdiagonal_[k]);
        MD(i, k) = sum;
      }
    return MD;
  }

  void add_tile(MatrixView<const E> MD, Index row, Index col, std::vector<double>& sums) const {
    const Index cols = std::min(tile_, order() - col), inner = col + cols;
    const Operand<E> across_m(f_.M.view().block(col, 0, cols, inner),
                              matrix_.symmetry == Symmetry::hermitian ? Op::adjoint : Op::transpose);
    const Matrix<E> MDM = product<E>(MD.block(0, 0, MD.rows, inner), across_m, 1);
    for (Index j = 0; j < cols; ++j)
      for (Index i = std::max<Index>(0, col + j - row); i < MD.rows; ++i) {
        const T a = scale(matrix_.A(f_.permutation[row + i], f_.permutation[col + j]), -exponent_);
        const double error = std::abs(round_to_double<T>(E(extend<E>(a) - MDM(i, j))));
        sums[row + i] += error;
        if (row + i != col + j) sums[col + j] += error;
      }
  }

  const SymmetricMatrix<T>& matrix_;
  const LdltFactors<T>& f_;
  int exponent_, threads_;
  Index tile_;
  std::vector<T> diagonal_, subdiagonal_;
};

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

/// 2^−exponent·A·X in extended precision, for an X of few columns: A is read once.
template <class E, class T>
Matrix<E> apply(const Matrix<T>& A, int exponent, Matrix<T> X, int threads) {
  constexpr Index block = 128;
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = scale(X.data()[i], -exponent);
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
  std::vector<T> residual(static_cast<std::size_t>(B.rows()));
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index i = 0; i < B.rows(); ++i)
      residual[i] = round_to_double<T>(E(extend<E>(scale(B(i, j), -exponent)) - AX(i, j)));
    const double size = norm_1_of<T>(residual), ratio = size == 0 ? 0 : size / (norm * norm_1_of<T>(X.col(j)));
    raise_to(largest, ratio);
  }
  return largest;
}

}  // namespace pivotlab::experiments
