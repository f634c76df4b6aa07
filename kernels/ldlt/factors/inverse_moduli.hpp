// SPDX-License-Identifier: BSD-3-Clause
// Norms of |F⁻¹| for the factors F = Pᵀ·M·D·M*·P: the sensitivity of solutions.
#pragma once

#include "kernels/ldlt/factors/solve.hpp"

namespace pivotlab::ldlt_detail {

/// Estimates ‖diag(left)·|F⁻¹|·right‖∞, where both vectors are ≥ 0. It is exact up to order 64; above, a lower bound by
/// Higham's estimator of the 1-norm (Accuracy and Stability of Numerical Algorithms, 2nd ed., Algorithm 15.4) of
/// diag(right)·F⁻*·diag(left), rarely below a third of the norm.
template <class T>
class InverseModuli {
 public:
  using R = RealOf<T>;

  explicit InverseModuli(const LdltFactorization<T>& f) : f_(f) {
    if (f.order() <= exact_order) inverse_ = divide<T>(f, Matrix<T>::identity(f.order()));
  }

  R norm(const std::vector<R>& left, const std::vector<R>& right) const {
    if (!is_exact()) return estimate(left, right);
    const std::vector<R> product = times(right);
    R largest(0);
    for (Index i = 0; i < f_.order(); ++i) largest = larger(largest, R(left[i] * product[i]));
    return largest;
  }

  bool is_exact() const { return f_.order() <= exact_order; }

  /// Returns |F⁻¹|·x; only if is_exact().
  std::vector<R> times(const std::vector<R>& x) const {
    std::vector<R> product(x.size());
    for (Index i = 0; i < f_.order(); ++i)
      for (Index j = 0; j < f_.order(); ++j) product[i] += modulus(inverse_(i, j)) * x[j];
    return product;
  }

 private:
  static constexpr Index exact_order = 64;

  R estimate(const std::vector<R>& left, const std::vector<R>& right) const {
    const Index n = f_.order();
    Matrix<T> x(n, 1);
    for (Index i = 0; i < n; ++i) x(i, 0) = T(R(1) / R(n));
    Matrix<T> y = product(left, right, x);
    R most = norm_1(y);
    for (int step = 0; step < 5; ++step) {
      for (Index i = 0; i < n; ++i) {
        const R size = modulus(y(i, 0));
        y(i, 0) = size > R(0) ? divided_by_real(y(i, 0), size) : T(1);
      }
      const Matrix<T> z = across_product(left, right, y);
      Index at = 0;
      R here(0);
      for (Index i = 0; i < n; ++i) {
        if (modulus(z(i, 0)) > modulus(z(at, 0))) at = i;
        here += real_part(multiply(T(conjugate(z(i, 0))), x(i, 0)));
      }
      if (!(modulus(z(at, 0)) > here)) break;
      x = Matrix<T>(n, 1);
      x(at, 0) = T(1);
      y = product(left, right, x);
      const R next = norm_1(y);
      if (!(next > most)) break;
      most = next;
    }
    for (Index i = 0; i < n; ++i) x(i, 0) = T((i % 2 == 0 ? R(1) : R(-1)) * (R(1) + R(i) / R(n - 1)));
    return larger(most, R(R(2) * norm_1(product(left, right, x)) / R(3 * n)));
  }

  /// Returns the maximum; NaN if one is.
  static R larger(const R& a, const R& b) { return b <= a ? a : b; }
  static R norm_1(const Matrix<T>& x) {
    R sum(0);
    for (Index i = 0; i < x.rows(); ++i) sum += modulus(x(i, 0));
    return sum;
  }
  static Matrix<T> times(const std::vector<R>& weights, Matrix<T> x, bool conjugates) {
    for (Index i = 0; i < x.rows(); ++i) x(i, 0) = (conjugates ? T(conjugate(x(i, 0))) : x(i, 0)) * weights[i];
    return x;
  }
  /// Returns diag(right)·F⁻*·diag(left)·x; the conjugate transpose of a symmetric F⁻¹ is its conjugate.
  Matrix<T> product(const std::vector<R>& left, const std::vector<R>& right, const Matrix<T>& x) const {
    const bool conjugates = f_.symmetry == Symmetry::symmetric;
    return times(right, divide<T>(f_, times(left, x, conjugates)), conjugates);
  }
  Matrix<T> across_product(const std::vector<R>& left, const std::vector<R>& right, const Matrix<T>& x) const {
    return times(left, divide<T>(f_, times(right, x, false)), false);
  }

  const LdltFactorization<T>& f_;
  Matrix<T> inverse_;  ///< up to order 64
};

/// Returns √(|M|·|D|·|M|*)_ii for each row i of A, 1 for zero rows: sizes of rows that scale as A does. With a
/// butterfly they are multiplied by |U|, which bounds √(|U|·|M|·|D|·|M|*·|Uᵀ|)_ii.
template <class T>
std::vector<RealOf<T>> row_sizes(const LdltFactorization<T>& f) {
  using R = RealOf<T>;
  const Index n = f.order();
  std::vector<R> squares(n), sizes(squares);
  for_blocks(f, [&](Index k, int order) {
    const R a = modulus(f.diagonal[k]), b = order == 2 ? modulus(f.subdiagonal[k]) : R(0),
            c = order == 2 ? modulus(f.diagonal[k + 1]) : R(0);
    for (Index i = k; i < n; ++i) {
      const R x = modulus(f.M(i, k)), y = order == 2 ? modulus(f.M(i, k + 1)) : R(0);
      squares[i] += a * x * x + R(2) * b * x * y + c * y * y;
    }
  });
  for (R& square : squares) square = square_root<R>(square);
  apply_moduli_of_butterfly<R>(f.butterfly, false, squares);
  for (Index i = 0; i < n; ++i) sizes[f.permutation[i]] = squares[i] > R(0) ? squares[i] : R(1);
  return sizes;
}

/// Estimates ‖F⁻¹·E‖ in a norm of weighted maxima for an error |E| ≤ 2·√n·ε·|U|·|M|·|D|·|M|*·|Uᵀ| of the factors, which
/// is probable where n·ε is certain (Higham & Mary, SIAM J. Sci. Comput. 41 (2019)). Below 1/2, A = F + E is
/// nonsingular, and iterative refinement converges. The weights 1/√(|M|·|D|·|M|*)_ii make it independent of the scaling
/// of rows. Where they do not suffice, as for pivots of order 2 with a zero, and |F⁻¹| is known, steps of the power
/// method find others: the norm of |F⁻¹|·|E| in any weights is a bound of its spectral radius (Collatz, Wielandt).
template <class T>
RealOf<T> relative_error_of_factors(const LdltFactorization<T>& f, const InverseModuli<T>& inverse) {
  using R = RealOf<T>;
  const Index n = f.order();
  const auto size = static_cast<std::size_t>(n);
  const R level = R(2) * square_root<R>(R(n)) * std::numeric_limits<R>::epsilon();
  const auto bound_times_inverse = [&](const std::vector<R>& x) {  // |E|·(1/x_i)
    std::vector<R> result(size), sums(size), products(size), divisors(size), in_order(size);
    for (Index i = 0; i < n; ++i) divisors[i] = x[f.permutation[i]];
    if (f.butterfly.size() > 0) {
      for (R& divisor : divisors) divisor = R(1) / divisor;
      apply_moduli_of_butterfly<R>(f.butterfly, true, divisors);
      for (R& divisor : divisors) divisor = R(1) / divisor;
    }
    for (Index k = 0; k < n; ++k)
      for (Index i = k; i < n; ++i) sums[k] += modulus(f.M(i, k)) / divisors[i];
    for_blocks(f, [&](Index k, int order) {
      products[k] += modulus(f.diagonal[k]) * sums[k];
      if (order == 1) return;
      products[k] += modulus(f.subdiagonal[k]) * sums[k + 1];
      products[k + 1] += modulus(f.subdiagonal[k]) * sums[k] + modulus(f.diagonal[k + 1]) * sums[k + 1];
    });
    for (Index k = 0; k < n; ++k)
      for (Index i = k; i < n; ++i) in_order[i] += modulus(f.M(i, k)) * products[k];
    apply_moduli_of_butterfly<R>(f.butterfly, false, in_order);
    for (Index i = 0; i < n; ++i) result[f.permutation[i]] = level * in_order[i];
    return result;
  };
  std::vector<R> sizes = row_sizes(f), right = bound_times_inverse(sizes);
  R q = inverse.norm(sizes, right);
  constexpr int most_steps = 8;
  for (int step = 0; inverse.is_exact() && !(q < R(0.5)) && step < most_steps; ++step) {
    const std::vector<R> product = inverse.times(right);
    for (std::size_t i = 0; i < size; ++i)
      if (product[i] > R(0)) sizes[i] = R(1) / product[i];
    right = bound_times_inverse(sizes);
    q = inverse.norm(sizes, right);
  }
  return q;
}

}  // namespace pivotlab::ldlt_detail
