// SPDX-License-Identifier: BSD-3-Clause
// The Schur form of a small complex matrix by the threads of a block: Hessenberg form by Householder reflections, QR
// iteration with single shifts, A = Q·T·Q*. Deflation and shifts are those of LAPACK's zlahqr.
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/batch/team.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <cmath>
#include <limits>

namespace pivotlab::batch {

using C = std::complex<double>;

/// Returns a square root with a real part that is not negative.
PIVOTLAB_DEVICE inline C root_of(const C& x) {
  const double size = modulus(x);
  if (size == 0) return C(0.0);
  const double larger = square_root((size + absolute(x.real())) / 2), smaller = x.imag() / (2 * larger);
  if (x.real() >= 0) return C(larger, smaller);
  return C(absolute(smaller), x.imag() < 0 ? -larger : larger);
}

/// The matrix [x y; −ȳ x̄] with |x|² + |y|² = 1.
struct PlaneRotation {
  C x, y;
  double length;  ///< of the vector that it was made of

  PIVOTLAB_DEVICE PlaneRotation(const C& own_x, const C& own_y, double own_length)
      : x(own_x), y(own_y), length(own_length) {}
  /// Makes (p, q) to (length, 0).
  PIVOTLAB_DEVICE PlaneRotation(C p, C q) {
    constexpr double least = 0x1p-900, most = 0x1p900;
    double square = squared_magnitude(p) + squared_magnitude(q);
    int exponent = 0;
    if (!(square > least && square < most)) {
      const double size = magnitude_1(p) < magnitude_1(q) ? magnitude_1(q) : magnitude_1(p);
      exponent = size > 0 ? std::ilogb(size) : 0;
      p = times_power_of_two(p, -exponent), q = times_power_of_two(q, -exponent);
      square = squared_magnitude(p) + squared_magnitude(q);
      if (square == 0) p = C(1.0), square = 1;
    }
    const double root = square_root(square), inverse = 1 / root;
    length = std::ldexp(root, exponent);
    x = C(p.real() * inverse, -p.imag() * inverse), y = C(q.real() * inverse, -q.imag() * inverse);
  }
  /// Transforms two rows.
  PIVOTLAB_DEVICE void of_rows(C& a, C& b) const {
    const C first = multiply_add(x, a, multiply(y, b));
    b = multiply_add(negated(conjugate(y)), a, multiply(conjugate(x), b));
    a = first;
  }
  /// Transforms two columns by the adjoint.
  PIVOTLAB_DEVICE void of_columns(C& a, C& b) const {
    const C first = multiply_add(conjugate(x), a, multiply(conjugate(y), b));
    b = multiply_add(negated(y), a, multiply(x, b));
    a = first;
  }
};

/// A matrix by columns, in shared or device memory.
template <class Numbers>
struct Columns {
  Numbers data;
  int stride;

  PIVOTLAB_DEVICE C& operator()(int i, int j) const { return data[j * stride + i]; }
};

/// `threads` is not below the order n; `turns` has 2·n numbers. Without Q, whose data are then null, T is complete in
/// its diagonal only. A sweep turns its own block; the rest of T and Q follow when it is done, without barriers.
template <class Context, int threads, class Matrix, class Vector>
class SchurSmall {
 public:
  PIVOTLAB_DEVICE SchurSmall(Context& context, const Team<Context, threads>& team, const Matrix& H,
                             const Columns<C*>& Q, const Vector& turns, int n)
      : team_(team), H_(H), Q_(Q), turns_(turns), n_(n), thread_(context.thread()) {}

  /// Replaces H by its Hessenberg form, and Q by the reflections.
  PIVOTLAB_DEVICE void reduce() {
    for (int k = 0; k + 2 < n_; ++k) {
      const int first = k + 1;
      const C x = thread_ > first && thread_ < n_ ? H_(thread_, k) : C(0.0), alpha = H_(first, k);
      const double square = team_.sum(squared_magnitude(x));
      C tau(0.0);
      if (square > 0) {
        const double size = square_root(squared_magnitude(alpha) + square), beta = alpha.real() > 0 ? -size : size;
        tau = C((beta - alpha.real()) / beta, -alpha.imag() / beta);
        const C scale = quotient(C(1.0), C(alpha.real() - beta, alpha.imag()));
        if (thread_ == first) turns_[first] = C(1.0), H_(first, k) = C(beta);
        if (thread_ > first && thread_ < n_) turns_[thread_] = multiply(x, scale);
      }
      if (thread_ > first && thread_ < n_) H_(thread_, k) = C(0.0);
      team_.sync();
      if (square > 0) reflect(first, tau);
      team_.sync();
    }
  }

  /// Makes the Hessenberg form triangular. Returns whether it has.
  PIVOTLAB_DEVICE bool iterate() {
    constexpr int most_iterations = 300, unusual = 10;  // a shift without convergence is replaced every 10 iterations
    constexpr int patience = 100;  // afterwards elements below the errors of the whole matrix are negligible
    int iterations = 0;
    for (int last = n_ - 1; last >= 0;) {
      const int own = thread_ > 0 && thread_ <= last && is_negligible(thread_, iterations > patience) ? thread_ : 0;
      const int first = static_cast<int>(team_.largest(static_cast<double>(own)));
      if (first > 0 && thread_ == 0) H_(first, first - 1) = C(0.0);
      team_.sync();
      if (first == last) {
        --last, iterations = 0;
        continue;
      }
      if (iterations == most_iterations) return false;
      ++iterations;
      C shift;
      if (iterations % unusual != 0)
        shift = shift_of(last);
      else if (iterations % (2 * unusual) != 0)
        shift = sum(H_(first, first), C(0.75 * magnitude_1(H_(first + 1, first))));
      else
        shift = sum(H_(last, last), C(0.75 * magnitude_1(H_(last, last - 1))));
      sweep(first, last, shift);
    }
    return true;
  }

 private:
  /// Applies I − τ·v·v* of the rows from `first` on: from the left its adjoint, and from the right.
  PIVOTLAB_DEVICE void reflect(int first, const C& tau) {
    for (int j = first + thread_; j < n_; j += threads) {
      C product(0.0);
#pragma unroll 4
      for (int i = first; i < n_; ++i) product = multiply_add(conjugate(C(turns_[i])), C(H_(i, j)), product);
      product = negated(multiply(conjugate(tau), product));
#pragma unroll 4
      for (int i = first; i < n_; ++i) H_(i, j) = multiply_add(C(turns_[i]), product, C(H_(i, j)));
    }
    team_.sync();
    const auto from_right = [&](const auto& X, int i) {
      C product(0.0);
#pragma unroll 4
      for (int j = first; j < n_; ++j) product = multiply_add(C(X(i, j)), C(turns_[j]), product);
      product = negated(multiply(tau, product));
#pragma unroll 4
      for (int j = first; j < n_; ++j) X(i, j) = multiply_add(product, conjugate(C(turns_[j])), C(X(i, j)));
    };
    for (int i = thread_; i < n_; i += threads) from_right(H_, i);
    for (int i = thread_; Q_.data != nullptr && i < n_; i += threads) from_right(Q_, i);
  }

  /// `wholly`: relative to the scaled matrix, whose size is 1, which is backward stable, too. Rows of rounding errors
  /// need not converge relative to their own size.
  PIVOTLAB_DEVICE bool is_negligible(int k, bool wholly) const {
    constexpr double u = std::numeric_limits<double>::epsilon(), least = std::numeric_limits<double>::min() / u;
    const C below = H_(k, k - 1), above = H_(k - 1, k), a = H_(k, k), before = H_(k - 1, k - 1);
    const double size = magnitude_1(below), other = magnitude_1(above);
    if (size <= (wholly ? u : least)) return true;
    double both = magnitude_1(a) + magnitude_1(before);
    if (both == 0) both = 1;  // the size of the scaled matrix
    if (size > u * both) return false;
    const double difference = magnitude_1(sum(before, negated(a))), own = magnitude_1(a);
    const double larger = size < other ? other : size, smaller = size < other ? size : other;
    const double wide = own < difference ? difference : own, narrow = own < difference ? own : difference;
    const double all = wide + larger, bound = u * (narrow * (wide / all));
    return smaller * (larger / all) <= (least < bound ? bound : least);
  }

  /// The eigenvalue of the last block of order 2 that is nearer to its last element.
  PIVOTLAB_DEVICE C shift_of(int last) const {
    const C a = H_(last, last), product = multiply(C(H_(last - 1, last)), C(H_(last, last - 1)));
    if (magnitude_1(product) == 0) return a;
    const C difference = sum(C(H_(last - 1, last - 1)), negated(a));
    const C half(difference.real() / 2, difference.imag() / 2);
    C root = root_of(multiply_add(half, half, product));
    if (fused(half.real(), root.real(), half.imag() * root.imag()) < 0) root = negated(root);
    const C divisor = sum(half, root);
    return magnitude_1(divisor) == 0 ? a : sum(a, negated(quotient(product, divisor)));
  }

  PIVOTLAB_DEVICE void sweep(int first, int last, const C& shift) {
    for (int k = first; k < last; ++k) {
      const C p = k == first ? sum(C(H_(k, k)), negated(shift)) : C(H_(k, k - 1));
      const PlaneRotation rotation(p, H_(k + 1, k == first ? k : k - 1));
      if (k == first) team_.sync();  // the rows are read before they change
      for (int j = k + thread_; j <= last; j += threads) {
        C a = H_(k, j), b = H_(k + 1, j);
        rotation.of_rows(a, b);
        H_(k, j) = a, H_(k + 1, j) = b;
      }
      team_.sync();
      if (thread_ == threads - 1) {
        turns_[2 * k] = rotation.x, turns_[2 * k + 1] = rotation.y;
        if (k > first) H_(k, k - 1) = C(rotation.length), H_(k + 1, k - 1) = C(0.0);
      }
      const int end = k + 2 < last ? k + 2 : last;
      for (int i = first + thread_; i <= end; i += threads) {
        C a = H_(i, k), b = H_(i, k + 1);
        rotation.of_columns(a, b);
        H_(i, k) = a, H_(i, k + 1) = b;
      }
      team_.sync();
    }
    if (Q_.data == nullptr) return;
    const int rows = n_ + first, all = rows + n_ - 1 - last;
    for (int item = thread_; item < all; item += threads)
      if (item < n_)
        turn_row(Q_, item, first, last);
      else if (item < rows)
        turn_row(H_, item - n_, first, last);
      else
        turn_column(last + 1 + item - rows, first, last);
    team_.sync();
  }

  /// Turns the columns of a row as the sweep has turned its block.
  template <class Any>
  PIVOTLAB_DEVICE void turn_row(const Any& X, int i, int first, int last) const {
    C a = X(i, first);
#pragma unroll 4
    for (int k = first; k < last; ++k) {
      C b = X(i, k + 1);
      turn(k).of_columns(a, b);
      X(i, k) = a;
      a = b;
    }
    X(i, last) = a;
  }
  PIVOTLAB_DEVICE void turn_column(int j, int first, int last) const {
    C a = H_(first, j);
#pragma unroll 4
    for (int k = first; k < last; ++k) {
      C b = H_(k + 1, j);
      turn(k).of_rows(a, b);
      H_(k, j) = a;
      a = b;
    }
    H_(last, j) = a;
  }
  PIVOTLAB_DEVICE PlaneRotation turn(int k) const {
    return PlaneRotation{C(turns_[2 * k]), C(turns_[2 * k + 1]), 1};
  }

  Team<Context, threads> team_;
  Matrix H_;
  Columns<C*> Q_;
  Vector turns_;  // and the vector of a reflection
  int n_, thread_;
};

}  // namespace pivotlab::batch
