// SPDX-License-Identifier: BSD-3-Clause
// Building blocks of matrices with prescribed spectra: Haar-distributed orthonormal columns and products with them, in
// Quad on the host or in double-double on a GPU. Both use the same random numbers.
#pragma once

#include <generators/device_pair.hpp>
#include <generators/orthogonal.hpp>
#include <kernels/numerics/extended_product.hpp>

#include <utility>
#include <vector>

namespace pivotlab {

/// Algebra on the host. T is Quad or std::complex<Quad>.
template <class T>
class HostAlgebra {
 public:
  using Result = T;
  using Factor = Matrix<T>;

  HostAlgebra(std::uint64_t seed, int threads) : seed_(seed), threads_(threads) {}

  /// Makes a random matrix with orthonormal columns, m × n, from stream `ingredient` of the seed.
  Factor orthonormal(Index m, Index n, int ingredient) const {
    RandomStream stream(seed_, ingredient);
    return random_orthonormal<T>(m, n, stream, threads_);
  }
  /// Computes Q·Λ·Qᴴ, exactly Hermitian (xLAGSY, xLATMS).
  Factor hermitian(const Factor& Q, const std::vector<Quad>& eigenvalues) const {
    Matrix<T> A = pivotlab::product<T>(scaled(Q, eigenvalues), {Q, Op::adjoint}, threads_);
    for (Index j = 0; j < A.cols(); ++j) {
      A(j, j) = T(real_part(A(j, j)));
      for (Index i = 0; i < j; ++i) A(i, j) = conjugate(A(j, i));
    }
    return A;
  }
  /// Computes Q·diag(d)·X.
  Factor product(Factor Q, const std::vector<Quad>& d, const Factor& X) const {
    return pivotlab::product<T>(scaled(std::move(Q), d), X, threads_);
  }
  /// Computes A·diag(d), or A if d is empty, in the form of the result.
  Matrix<Result> finish(Factor A, const std::vector<Quad>& d) const {
    return d.empty() ? std::move(A) : scaled(std::move(A), d);
  }

 private:
  static Matrix<T> scaled(Matrix<T> A, const std::vector<Quad>& d) {
    for (Index j = 0; j < A.cols(); ++j)
      for (T& x : A.col(j)) x *= d[j];
    return A;
  }

  std::uint64_t seed_;
  int threads_;
};

/// Algebra on a GPU, rounded at the end. T is double or std::complex<double>.
template <class T>
class DeviceAlgebraOf {
 public:
  using Result = T;
  using Factor = typename DevicePairAlgebra<T>::Handle;

  DeviceAlgebraOf(std::uint64_t seed, int threads, DevicePairAlgebra<T>& algebra)
      : seed_(seed), threads_(threads), algebra_(algebra) {}

  Factor orthonormal(Index m, Index n, int ingredient) const {
    RandomStream stream(seed_, ingredient);
    return algebra_.orthonormal(random_matrix<T>(m, n, Distribution::normal, stream, threads_));
  }
  Factor hermitian(const Factor& Q, const std::vector<Quad>& eigenvalues) const {
    return algebra_.hermitian(Q, shortened(eigenvalues));
  }
  Factor product(const Factor& Q, const std::vector<Quad>& d, const Factor& X) const {
    return algebra_.product(Q, shortened(d), X);
  }
  Matrix<Result> finish(const Factor& A, const std::vector<Quad>& d) const { return algebra_.rounded(A, shortened(d)); }

 private:
  static std::vector<DoubleDouble> shortened(const std::vector<Quad>& d) { return {d.begin(), d.end()}; }

  std::uint64_t seed_;
  int threads_;
  DevicePairAlgebra<T>& algebra_;
};

}  // namespace pivotlab
