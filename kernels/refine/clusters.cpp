// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/refine/clusters.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/extension.hpp"

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/extended_product.hpp"

#include <complex>
#include <numeric>

namespace pivotlab::refine {

std::vector<int> components(MatrixView<const unsigned char> linked) {
  std::vector<int> parent(linked.cols);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return static_cast<int>(i);
  };
  for (Index j = 0; j < linked.cols; ++j)
    for (Index i = 0; i < linked.rows; ++i)
      if (linked(i, j) != 0) {
        const int a = root(i), b = root(j);
        parent[std::max(a, b)] = std::min(a, b);
      }
  for (Index i = 0; i < linked.cols; ++i) parent[i] = root(i);
  return parent;
}

std::vector<std::vector<Index>> clusters_of(const std::vector<int>& component) {
  std::vector<std::vector<Index>> members(component.size()), result;
  for (std::size_t i = 0; i < component.size(); ++i) members[component[i]].push_back(static_cast<Index>(i));
  for (auto& cluster : members)
    if (cluster.size() > 1) result.push_back(std::move(cluster));
  return result;
}

namespace {

/// Returns W + W·(I − WᴴW)/2, which is unitary in double-double if W is in double.
template <class T>
Matrix<Extended<T>> orthonormal(const Matrix<T>& W) {
  using E = Extended<T>;
  const Matrix<E> gram = product<E>(Operand<E>(W, Op::adjoint), Operand<E>(W), 1);
  Matrix<T> half(W.cols(), W.cols());
  for (Index j = 0; j < half.cols(); ++j)
    for (Index i = 0; i < half.rows(); ++i)
      half(i, j) = round_to_double<T>(times_real(sum(gram(i, j), E(i == j ? -1.0 : 0.0)), DoubleDouble(-0.5)));
  const Matrix<T> correction = product_of<T>(W, half);
  Matrix<E> result(W.rows(), W.cols());
  for (Index k = 0; k < W.size(); ++k) result.data()[k] = sum(extend<E>(W.data()[k]), extend<E>(correction.data()[k]));
  return result;
}

}  // namespace

template <class T>
Matrix<Extended<T>> cluster_vectors(const std::vector<Index>& cluster, MatrixView<const Extended<T>> S,
                                    MatrixView<const Extended<T>> M, MatrixView<const Extended<T>> K) {
  using E = Extended<T>;
  const auto c = static_cast<Index>(cluster.size());
  DoubleDouble s, m;
  for (const Index i : cluster)
    s += real_part(S(i, i)) / real_part(K(i, i)), m += real_part(M(i, i)) / real_part(K(i, i));
  s /= static_cast<double>(c), m /= static_cast<double>(c);
  Matrix<E> H(c, c);
  double largest = 0;
  for (Index j = 0; j < c; ++j)
    for (Index i = 0; i < c; ++i) {
      const Index p = cluster[i], q = cluster[j];
      const DoubleDouble weight = 1.0 / sqrt(real_part(K(p, p)) * real_part(K(q, q)));
      H(i, j) = times_real(sum(times_real(S(p, q), m), times_real(M(p, q), -s)), weight);
      largest = std::max(largest, size_of(H(i, j)));
    }
  if (!(largest > 0) || !std::isfinite(largest)) return Matrix<E>::identity(c);
  Matrix<T> in_double(c, c), W(c, c);
  for (Index k = 0; k < H.size(); ++k)
    in_double.data()[k] =
        round_to_double<T>(times_real(H.data()[k], DoubleDouble(std::ldexp(1.0, -std::ilogb(largest)))));
  const Eigen::SelfAdjointEigenSolver<EigenMatrix<T>> solver(as_eigen(in_double.view()));
  if (solver.info() != Eigen::Success) return Matrix<E>::identity(c);
  as_eigen(W.view()) = solver.eigenvectors().rowwise().reverse();
  return orthonormal(W);
}

template <class T>
using Form = MatrixView<const Extended<T>>;
template Matrix<Extended<double>> cluster_vectors<double>(const std::vector<Index>&, Form<double>, Form<double>,
                                                          Form<double>);
template Matrix<Extended<std::complex<double>>> cluster_vectors<std::complex<double>>(const std::vector<Index>&,
                                                                                      Form<std::complex<double>>,
                                                                                      Form<std::complex<double>>,
                                                                                      Form<std::complex<double>>);

}  // namespace pivotlab::refine
