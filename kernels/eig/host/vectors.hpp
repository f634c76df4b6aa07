// SPDX-License-Identifier: BSD-3-Clause
// Eigenvectors of a triangular matrix by substitution, and of A from these. Every column is computed by one thread.
//
//   T·y = λ_k·y, y_k = 1:   y_i = −(T_ik + Σ_{i<j<k} T_ij·y_j) / (T_ii − λ_k),   i = k−1, …, 0
//   z·T = λ_k·z, z_k = 1:   z_i = −(Σ_{k≤j<i} z_j·T_ji) / (T_ii − λ_k),          i = k+1, …, n−1
//
// Divisors are kept above ε·max|T|, and growing columns are scaled down during substitution: the vectors of one
// eigenvalue of a defective matrix become nearly parallel.
#pragma once

#include "kernels/eig/host/iteration.hpp"
#include "kernels/eig/host/split_product.hpp"
#include "kernels/numerics/power_of_two.hpp"

namespace pivotlab::eig_detail {

/// Computes x := x/‖x‖₂ for elements of any size; 0 remains 0.
template <class R>
void normalize(R* re, R* im, Index n) {
  R largest(0);
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::max(absolute(re[i]), absolute(im[i])));
  if (!(largest > R(0))) return;
  using std::ldexp;
  const R near_one = ldexp(R(1), -exponent_of(largest));
  R squares(0);
#pragma omp simd reduction(+ : squares)
  for (Index i = 0; i < n; ++i) {
    re[i] *= near_one, im[i] *= near_one;
    squares += re[i] * re[i] + im[i] * im[i];
  }
  const R factor = R(1) / square_root(squares);
  for (Index i = 0; i < n; ++i) re[i] *= factor, im[i] *= factor;
}

template <class R>
class TriangularVectors {
 public:
  using C = std::complex<R>;

  /// Uses the upper triangle of the leading n × n part.
  TriangularVectors(const SplitComplex<R>& T, Index n) : T_(T), n_(n) {
    R largest(0);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i <= j; ++i) largest = std::max(largest, modulus(at(i, j)));
    least_ = std::max<R>(std::numeric_limits<R>::epsilon() * largest, std::numeric_limits<R>::min());
  }

  /// Computes y of eigenvalue k in rows 0 to k of a column of zeros.
  void right(Index k, R* __restrict re, R* __restrict im) const {
    std::copy_n(T_.re(k), k, re), std::copy_n(T_.im(k), k, im);
    for (Index i = 0; i < k; ++i) re[i] = -re[i], im[i] = -im[i];
    re[k] = R(1), im[k] = R(0);
    for (Index i = k - 1; i >= 0; --i) {
      const C y = quotient(C(re[i], im[i]), divisor(i, k));
      re[i] = y.real(), im[i] = y.imag();
      const R x = re[i], z = im[i], *t_re = T_.re(i), *t_im = T_.im(i);
#pragma omp simd
      for (Index j = 0; j < i; ++j) {
        re[j] -= x * t_re[j] - z * t_im[j];
        im[j] -= x * t_im[j] + z * t_re[j];
      }
      limit(y, re, im, 0, k);
    }
  }

  /// Computes z of eigenvalue k in rows k to n − 1 of a column of zeros.
  void left(Index k, R* __restrict re, R* __restrict im) const {
    re[k] = R(1), im[k] = R(0);
    for (Index i = k + 1; i < n_; ++i) {
      const R *t_re = T_.re(i), *t_im = T_.im(i);
      R sum_re(0), sum_im(0);
#pragma omp simd reduction(+ : sum_re, sum_im)
      for (Index j = k; j < i; ++j) {
        sum_re += re[j] * t_re[j] - im[j] * t_im[j];
        sum_im += re[j] * t_im[j] + im[j] * t_re[j];
      }
      const C z = quotient(C(-sum_re, -sum_im), divisor(i, k));
      re[i] = z.real(), im[i] = z.imag();
      limit(z, re, im, k, i);
    }
  }

 private:
  C at(Index i, Index j) const {
    return C(T_.re(j)[i], T_.im(j)[i]);
  }

  C divisor(Index i, Index k) const {
    const C d = at(i, i) - at(k, k);
    return modulus(d) < least_ ? C(least_) : d;
  }

  /// Scales rows first to last down if the latest element has grown large.
  static void limit(const C& latest, R* re, R* im, Index first, Index last) {
    using std::ldexp;
    constexpr int high = std::numeric_limits<R>::max_exponent / 8;
    if (magnitude_1(latest) < ldexp(R(1), high)) return;
    const R down = ldexp(R(1), -exponent_of(magnitude_1(latest)));
    for (Index j = first; j <= last; ++j) re[j] *= down, im[j] *= down;
  }

  const SplitComplex<R>& T_;
  Index n_;
  R least_{};
};

/// Computes the eigenvectors of the iterate in the coordinates of the iteration: E·Y, or conj(E⁻ᵀ·Z), n × n, of unit
/// norm.
template <bool left, class R>
SplitComplex<R> eigenvectors(const SplitComplex<R>& T, const SplitComplex<R>& basis, Index n, int threads) {
  const TriangularVectors<R> triangular(T, n);
  SplitComplex<R> vectors(n, n);
  constexpr Index strip = 32;  // columns of a product
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index from = 0; from < n; from += strip) {
    const Index first = left ? from : (n - 1) / strip * strip - from;  // longest columns first
    const Index count = std::min(strip, n - first);
    // These are the rows of the strip that are not all zero.
    const Index begin = left ? first : 0, rows = left ? n - first : first + count;
    SplitComplex<R> y(n, count);
    for (Index k = 0; k < count; ++k) {
      if constexpr (left)
        triangular.left(first + k, y.re(k), y.im(k));
      else
        triangular.right(first + k, y.re(k), y.im(k));
      normalize(y.re(k), y.im(k), n);
    }
    Multiplier<R> Y(rows, count);
    Y.assign(y, begin);
    Matrix<R> sum(n, rows);
    const SplitView<const R> X{basis.re().block(0, begin, n, rows), basis.im().block(0, begin, n, rows)};
    multiply_right<R>(X, Y, sum, {vectors.re().block(0, first, n, count), vectors.im().block(0, first, n, count)});
    if constexpr (left)
      for (Index k = first; k < first + count; ++k)
        for (Index i = 0; i < n; ++i) vectors.im(k)[i] = -vectors.im(k)[i];
    for (Index k = first; k < first + count; ++k) normalize(vectors.re(k), vectors.im(k), n);
  }
  return vectors;
}

/// Transforms the n columns of length n from the coordinates of the iteration, D·x or D⁻¹·x (sign), with unit norm.
template <class R>
void to_given_coordinates(const Balance& balance, SplitComplex<R>& vectors, int sign) {
  const Index n = vectors.cols();
  for (Index k = 0; k < n; ++k) {
    R *re = vectors.re(k), *im = vectors.im(k);
    if (!balance.d.empty()) {  // up to a power of two, so that the largest element is near 1
      using std::ldexp;
      int largest = std::numeric_limits<int>::min();
      for (Index i = 0; i < n; ++i) {
        const R size = magnitude_1(std::complex<R>(re[i], im[i]));
        if (size > R(0)) largest = std::max(largest, exponent_of(size) + sign * balance.d[i]);
      }
      for (Index i = 0; i < n; ++i) {
        const int exponent = sign * balance.d[i] - largest;
        re[i] = ldexp(re[i], exponent), im[i] = ldexp(im[i], exponent);
      }
    }
    normalize(re, im, n);
  }
}

/// Returns the columns in an order, n × n.
template <class R>
Matrix<std::complex<R>> in_order(const SplitComplex<R>& vectors, const std::vector<Index>& order) {
  const auto n = std::ssize(order);
  Matrix<std::complex<R>> result(n, n);
  for (Index k = 0; k < n; ++k) {
    const R *re = vectors.re(order[k]), *im = vectors.im(order[k]);
    for (Index i = 0; i < n; ++i) result(i, k) = std::complex<R>(re[i], im[i]);
  }
  return result;
}

/// Returns 1/|wᴴv| of the columns of V and W, which have unit norm.
template <class R>
std::vector<R> condition_numbers(const Matrix<std::complex<R>>& V, const Matrix<std::complex<R>>& W) {
  std::vector<R> conditions;
  for (Index k = 0; k < V.cols(); ++k) {
    std::complex<R> product(0);
    for (Index i = 0; i < V.rows(); ++i) product = multiply_add(std::complex<R>(conjugate(W(i, k))), V(i, k), product);
    conditions.push_back(std::max(R(1), R(R(1) / modulus(product))));
  }
  return conditions;
}

}  // namespace pivotlab::eig_detail
