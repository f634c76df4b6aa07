// SPDX-License-Identifier: BSD-3-Clause
// QR factorization by Householder reflectors for any scalar: plain, deterministic for any number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <kernels/numerics/complex_arithmetic.hpp>
#include <kernels/numerics/power_of_two.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/interrupt.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <span>
#include <vector>

namespace pivotlab {

/// A = Q·R, m × n, m ≥ n, Q = H_0⋯H_{n−1}, H_k = I − τ_k·v_k·v_kᴴ.
template <class T>
struct HouseholderQR {
  Matrix<T> reflectors;          ///< m × n: v_k in column k from row k on; R above the diagonal
  std::vector<T> diagonal;       ///< of R
  std::vector<RealOf<T>> scale;  ///< τ; 0 for a zero column
};

namespace detail {

/// Computes a := (I − τ·v·vᴴ)·a.
template <class T>
void reflect(std::span<const T> v, const RealOf<T>& tau, std::span<T> a) {
  T dot = T(0);
  for (std::size_t i = 0; i < v.size(); ++i) dot += times(conjugate(v[i]), a[i]);
  dot *= tau;
  for (std::size_t i = 0; i < v.size(); ++i) a[i] -= times(v[i], dot);
}

/// Computes v from x with (I − τ·v·vᴴ)·x = image·e₁, |image| = ‖x‖; for x = 0 everything is zero.
template <class T>
struct Reflector {
  T image = T(0);
  RealOf<T> tau = RealOf<T>(0);

  explicit Reflector(std::span<T> x) {
    using std::sqrt;
    using R = RealOf<T>;
    const auto is_safe = [](const R& square) { return square >= R(0x1p-900) && square <= R(0x1p900); };
    const auto sum_of_squares = [&] {
      R sum(0);
      for (const T& part : x) sum += squared_modulus(part);
      return sum;
    };
    R squares = sum_of_squares();
    int k = 0;
    if (!is_safe(squares)) {  // it may have over- or underflown, as may squares of parts that are added to it
      R largest(0);
      for (const T& part : x) largest = std::max(largest, R(larger_part(part)));
      if (largest == R(0)) return;
      k = exponent_of(largest);
      for (T& part : x) part = times_power_of_two(part, -k);
      squares = sum_of_squares();
    }
    const R norm = sqrt(squares), square = squared_modulus(x[0]),
            head = is_safe(square) ? R(sqrt(square)) : modulus(x[0]);
    T phase = head == R(0) ? T(1) : T(x[0] / head);
    if (head != R(0) && !is_safe(square)) {  // a subnormal modulus has few digits
      const T unit = times_power_of_two(x[0], -exponent_of(R(larger_part(x[0]))));
      phase = unit / modulus(unit);
    }
    tau = R(1) / (norm * (norm + head));
    x[0] += phase * norm;
    image = times_power_of_two(T(-(phase * norm)), k);
  }
};

}  // namespace detail

template <class T>
HouseholderQR<T> householder_qr(Matrix<T> A, int threads = 0) {
  using R = RealOf<T>;
  const Index n = A.cols();
  HouseholderQR<T> qr{std::move(A), std::vector<T>(n), std::vector<R>(n)};
  for (Index k = 0; k < n; ++k) {
    throw_if_interrupted();
    const std::span<T> v = qr.reflectors.col(k).subspan(k);
    const detail::Reflector<T> reflector(v);
    if (reflector.tau == R(0)) continue;
    qr.diagonal[k] = reflector.image;
    qr.scale[k] = reflector.tau;
#pragma omp parallel for schedule(static) num_threads(thread_count(threads)) if (n - k > 64)
    for (Index j = k + 1; j < n; ++j) detail::reflect<T>(v, reflector.tau, qr.reflectors.col(j).subspan(k));
  }
  return qr;
}

/// Returns the n × n upper triangular factor.
template <class T>
Matrix<T> upper_factor(const HouseholderQR<T>& qr) {
  const Index n = qr.reflectors.cols();
  Matrix<T> R(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) R(i, j) = qr.reflectors(i, j);
    R(j, j) = qr.diagonal[j];
  }
  return R;
}

/// Computes column := Q·e_j.
template <class T>
void unitary_column(const HouseholderQR<T>& qr, Index j, std::span<T> column) {
  std::ranges::fill(column, T(0));
  column[j] = T(1);
  for (Index k = std::min(j, qr.reflectors.cols() - 1); k >= 0; --k) {
    detail::reflect<T>(qr.reflectors.col(k).subspan(k), qr.scale[k], column.subspan(k));
  }
}

/// Returns the first n columns of Q.
template <class T>
Matrix<T> unitary_factor(const HouseholderQR<T>& qr, int threads = 0) {
  Matrix<T> Q(qr.reflectors.rows(), qr.reflectors.cols());
  ParallelInterrupt interrupt;
#pragma omp parallel for schedule(dynamic, 8) num_threads(thread_count(threads))
  for (Index j = 0; j < Q.cols(); ++j)
    if (!interrupt.seen()) unitary_column(qr, j, Q.col(j));
  interrupt.throw_if_seen();
  return Q;
}

}  // namespace pivotlab
