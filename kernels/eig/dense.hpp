// Products and systems of whole matrices with split parts, every column of the result by one thread.
#pragma once

#include "kernels/eig/pairs.hpp"
#include "kernels/eig/split_product.hpp"

#include <Eigen/LU>

namespace pivotlab::eig_detail {

/// A·B for n × n matrices.
template <class R>
SplitComplex<R> product(const SplitComplex<R>& A, const SplitComplex<R>& B, int threads) {
  const Index n = A.rows();
  constexpr Index strip = 32;
  SplitComplex<R> C(n, n);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < n; first += strip) {
    const Index count = std::min(strip, n - first);
    Multiplier<R> M(n, count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < n; ++i) {
        const R x = B.re(first + j)[i], y = B.im(first + j)[i];
        M.re(i, j) = x, M.sum(i, j) = x + y, M.difference(i, j) = y - x;
      }
    Matrix<R> sum(n, n);
    multiply_right<R>({A.re(), A.im()}, M, sum, {C.re().block(0, first, n, count), C.im().block(0, first, n, count)});
  }
  return C;
}

/// A = L·U with partial pivoting, n × n.
template <class R>
class LuFactors {
 public:
  LuFactors(const SplitComplex<R>& A, int threads) : n_(A.cols()), threads_(threads), lu_(as_complex(A, 0, n_)) {}

  /// A⁻¹·B, without meaning where A is singular.
  SplitComplex<R> solve(const SplitComplex<R>& B) const {
    SplitComplex<R> X(n_, n_);
    constexpr Index strip = 32;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index first = 0; first < n_; first += strip) {
      const Index count = std::min(strip, n_ - first);
      const Whole x = lu_.solve(as_complex(B, first, count));
      for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < n_; ++i) X.re(first + j)[i] = x(i, j).real(), X.im(first + j)[i] = x(i, j).imag();
    }
    return X;
  }

 private:
  using Whole = EigenMatrix<std::complex<R>>;

  static Whole as_complex(const SplitComplex<R>& A, Index first, Index count) {
    Whole x(A.rows(), count);
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < A.rows(); ++i) x(i, j) = std::complex<R>(A.re(first + j)[i], A.im(first + j)[i]);
    return x;
  }

  Index n_;
  int threads_;
  Eigen::PartialPivLU<Whole> lu_;
};

}  // namespace pivotlab::eig_detail
