// Columns of A·Z that are nothing but rounding errors.
//
// One-sided transformations leave in the null space of F columns that are all noise, in the span of the others: they
// shrink by the unit roundoff in every sweep and never become orthogonal. In the null space of G they tell that G has
// not full column rank.
#pragma once

#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace pivotlab {

/// Judges y = A·z componentwise: y is noise if |yᵢ| ≤ max(m, n)·ε·(|A|·|z|)ᵢ for every i. Unlike a bound on the
/// condition number, this accepts rows and columns of very different size, which the method handles to full relative
/// accuracy. A must outlive the object.
template <class T>
class RoundingNoise {
 public:
  using R = RealOf<T>;

  explicit RoundingNoise(MatrixView<const T> A)
      : A_(A), level_(R(std::max(A.rows, A.cols)) * std::numeric_limits<R>::epsilon()) {
    const auto a = as_eigen(A);
    rows_ = RealVector::Zero(A.rows);
    for (Index j = 0; j < A.cols; ++j) rows_ = rows_.cwiseMax(a.col(j).cwiseAbs());
    const RealVector inverse = (rows_.array() == R(0)).select(RealVector::Zero(A.rows), rows_.cwiseInverse());
    columns_.resize(A.cols);
    for (Index j = 0; j < A.cols; ++j) columns_(j) = a.col(j).cwiseAbs().cwiseProduct(inverse).maxCoeff();
  }

  /// Whether size·y is noise; y and z have A's rows and columns. A NaN is noise.
  bool contains(std::span<const T> y, const R& size, std::span<const T> z) const {
    const RealVector values = magnitudes(y) * size, weights = magnitudes(z);
    const auto stands_out_of = [&](const RealVector& scale) { return (values.array() > level_ * scale.array()).any(); };
    // |A| ≤ rows·columnsᵀ settles most columns without a product.
    if (stands_out_of(rows_ * columns_.dot(weights))) return false;
    RealVector scale = RealVector::Zero(A_.rows);
    for (Index j = 0; j < A_.cols; ++j) scale += as_eigen(A_).col(j).cwiseAbs() * weights(j);
    return !stands_out_of(scale);
  }

 private:
  using RealVector = Eigen::Matrix<R, Eigen::Dynamic, 1>;

  static RealVector magnitudes(std::span<const T> x) {
    return Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(x.data(), static_cast<Index>(x.size())).cwiseAbs();
  }

  MatrixView<const T> A_;
  R level_;
  RealVector rows_, columns_;  // max|row i|; max over i of |A(i, j)|/rows(i)
};

/// Columns of Y = A·Z that are noise.
template <class T>
std::vector<Index> noise_columns(const RoundingNoise<T>& noise, MatrixView<const T> Y, MatrixView<const T> Z,
                                 int threads) {
  std::vector<char> judged(static_cast<std::size_t>(Y.cols));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (Index j = 0; j < Y.cols; ++j)
    judged[static_cast<std::size_t>(j)] = noise.contains(Y.col(j), RealOf<T>(1), Z.col(j));
  std::vector<Index> columns;
  for (Index j = 0; j < Y.cols; ++j)
    if (judged[static_cast<std::size_t>(j)] != 0) columns.push_back(j);
  return columns;
}

/// How many columns of V·diag(σ_G) = G·Z are noise.
template <class T>
Index count_deficient(const RoundingNoise<T>& noise, MatrixView<const T> V, MatrixView<const T> Z,
                      const std::vector<RealOf<T>>& sigma_g) {
  Index deficient = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : deficient)
  for (Index j = 0; j < V.cols; ++j)
    deficient += noise.contains(V.col(j), sigma_g[static_cast<std::size_t>(j)], Z.col(j));
  return deficient;
}

}  // namespace pivotlab
