// SPDX-License-Identifier: BSD-3-Clause
// Columns of A·Z that consist of rounding errors only.
//
// In the null space of F, one-sided transformations leave columns of noise in the span of the other columns. They
// shrink by the unit roundoff in every sweep and never become orthogonal. Such columns of G show that G does not have
// full column rank.
#pragma once

#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace pivotlab {

/// Returns the moduli of the elements of a matrix; complex ones as vector operations, unlike those of Eigen.
template <class Expression>
auto moduli(const Expression& A) {
  return A.unaryExpr([](const typename Expression::Scalar& x) { return modulus(x); });
}

/// A bound |A(i, j)| ≤ rows(i)·columns(j) and the level of noise. It decides for most columns without a product.
template <class R>
struct NoiseBound {
  using Vector = Eigen::Matrix<R, Eigen::Dynamic, 1>;
  Vector rows, columns;
  R level;  ///< noise_level()
};

/// Returns max|row i| of A.
template <class T>
typename NoiseBound<RealOf<T>>::Vector row_magnitudes(MatrixView<const T> A, int threads = 1) {
  constexpr Index at_once = 512;
  const auto a = as_eigen(A);
  typename NoiseBound<RealOf<T>>::Vector rows = NoiseBound<RealOf<T>>::Vector::Zero(A.rows);
#pragma omp parallel for num_threads(threads)
  for (Index first = 0; first < A.rows; first += at_once) {
    const Index count = std::min(at_once, A.rows - first);
    auto part = rows.segment(first, count);
    for (Index j = 0; j < A.cols; ++j) part = part.cwiseMax(moduli(a.col(j).segment(first, count)));
  }
  return rows;
}

/// Returns the largest |A(i, j)|/rows(i) of each column.
template <class T>
typename NoiseBound<RealOf<T>>::Vector column_magnitudes(MatrixView<const T> A,
                                                         const typename NoiseBound<RealOf<T>>::Vector& rows,
                                                         int threads = 1) {
  using Vector = typename NoiseBound<RealOf<T>>::Vector;
  const auto a = as_eigen(A);
  const Vector inverse = (rows.array() == RealOf<T>(0)).select(Vector::Zero(A.rows), rows.cwiseInverse());
  Vector columns(A.cols);
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < A.cols; ++j) columns(j) = moduli(a.col(j)).cwiseProduct(inverse).maxCoeff();
  return columns;
}

/// Judges y = A·z componentwise: y is noise if |yᵢ| ≤ max(m, n)·ε·(|A|·|z|)ᵢ for every i. Unlike a bound on the
/// condition number, this accepts rows and columns of very different size, which the method handles to full relative
/// accuracy. A must outlive the object.
template <class T>
class RoundingNoise {
 public:
  using R = RealOf<T>;
  using Vector = typename NoiseBound<R>::Vector;

  explicit RoundingNoise(MatrixView<const T> A, int threads = 1) : A_(A), columns_(static_cast<std::size_t>(A.cols)) {
    std::iota(columns_.begin(), columns_.end(), Index(0));
    bound_.level = noise_level<R>(A.rows, A.cols);
    bound_.rows = row_magnitudes<T>(A, threads);
    bound_.columns = column_magnitudes<T>(A, bound_.rows, threads);
  }

  /// `part` consists of the given columns of A, and `bound` is that of the whole A. A column that is noise relative to
  /// the part is noise; any other may still be noise relative to the whole.
  RoundingNoise(MatrixView<const T> part, std::vector<Index> columns, NoiseBound<R> bound)
      : A_(part), columns_(std::move(columns)), bound_(std::move(bound)) {}

  /// Returns whether size·y is noise; the lengths of y and z are A's numbers of rows and columns. NaN counts as noise.
  bool contains(std::span<const T> y, const R& size, std::span<const T> z) const {
    return may_contain(y, size, z) && within(y, size, magnitude(z));
  }
  /// Returns whether z shows that columns of A are dependent up to relative errors of max(m, n)·ε in its elements,
  /// size·y being A·z: without the components of z that contribute little to it, A·z is noise. What a
  /// transformation adds to a column of noise is no noise in rows where that column has zeros.
  bool shows_dependence(std::span<const T> y, const R& size, std::span<const T> z) const {
    if (!may_contain(y, size / R(dependence_reach), z)) return false;
    const Vector weights =
        A_.cols > 0 ? Vector(as_eigen(A_).colwise().norm().transpose().cwiseProduct(magnitudes(z))) : Vector();
    const R small = R(dependence_reach) * bound_.level * weights.sum();
    std::vector<T> large(z.begin(), z.end());
    Eigen::Matrix<T, Eigen::Dynamic, 1> rest =
        Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(y.data(), A_.rows) * T(size);
    for (Index k = 0; k < A_.cols; ++k) {
      if (weights(k) > small) continue;
      rest -= as_eigen(A_).col(k) * z[k];
      large[k] = T(0);
    }
    return within(std::span<const T>(rest.data(), y.size()), R(1), magnitude(large));
  }
  /// Returns false if the bound proves that size·y is more than noise.
  bool may_contain(std::span<const T> y, const R& size, std::span<const T> z) const {
    return within(y, size, bound_.rows * bound_.columns.dot(magnitudes(z)));
  }
  /// Computes |A|·|z|, or the part's contribution to it.
  Vector magnitude(std::span<const T> z) const {
    const Vector weights = magnitudes(z);
    Vector sum = Vector::Zero(A_.rows);
    for (Index j = 0; j < A_.cols; ++j) sum += moduli(as_eigen(A_).col(j)) * weights(columns_[j]);
    return sum;
  }
  /// Returns whether size·y is noise relative to |A|·|z|.
  bool within(std::span<const T> y, const R& size, const Vector& magnitude) const {
    const Vector values = magnitudes(y) * size;
    return !(values.array() > bound_.level * magnitude.array()).any();
  }

 private:
  static Vector magnitudes(std::span<const T> x) {
    return moduli(Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(x.data(), static_cast<Index>(x.size())));
  }

  MatrixView<const T> A_;
  std::vector<Index> columns_;
  NoiseBound<R> bound_;
};

/// Returns the columns of Y = A·Z that are noise.
template <class T>
std::vector<Index> noise_columns(const RoundingNoise<T>& noise, MatrixView<const T> Y, MatrixView<const T> Z,
                                 int threads) {
  std::vector<char> judged(Y.cols);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (Index j = 0; j < Y.cols; ++j) judged[j] = noise.contains(Y.col(j), RealOf<T>(1), Z.col(j));
  std::vector<Index> columns;
  for (Index j = 0; j < Y.cols; ++j)
    if (judged[j] != 0) columns.push_back(j);
  return columns;
}

/// Returns the number of columns of V·diag(σ_G) = G·Z that show dependent columns of G.
template <class T>
Index count_deficient(const RoundingNoise<T>& noise, MatrixView<const T> V, MatrixView<const T> Z,
                      const std::vector<RealOf<T>>& sigma_g, int threads) {
  Index deficient = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(+ : deficient)
  for (Index j = 0; j < V.cols; ++j) deficient += noise.shows_dependence(V.col(j), sigma_g[j], Z.col(j));
  return deficient;
}

}  // namespace pivotlab
