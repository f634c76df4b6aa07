// SPDX-License-Identifier: BSD-3-Clause
// The noise test of kernels/ldlt/shared/scaled_rank.hpp by the threads of a block, on factors in shared memory.
#pragma once

#include "kernels/batch/team.hpp"
#include "kernels/ldlt/shared/noise_weights.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <limits>
#include <type_traits>
#include <utility>

namespace pivotlab::batch {

/// `Factors` has n, M(i, j) for i > j, diagonal(i), subdiagonal(i) as references, row(), the row of a thread, which is
/// −1 for threads without one, and two vectors w1, w2 of length n in shared memory.
template <class Context, class Team, class Factors>
class PivotNoise {
 public:
  static PIVOTLAB_DEVICE int shared_bytes(int n) { return 4 * 8 * n; }

  /// `lossy`: scaling has rounded elements that underflow.
  PIVOTLAB_DEVICE PivotNoise(Context& context, Team& team, Factors& factors, int shared_at, bool lossy)
      : team_(team),
        f_(factors),
        n_(factors.n),
        lossy_(lossy),
        level_(2 * n_ * std::numeric_limits<double>::epsilon()),
        rho_(context.template shared<double>(shared_at, n_)),
        terms_(context.template shared<double>(shared_at + 8 * n_, n_)),
        diagonal_(context.template shared<double>(shared_at + 16 * n_, n_)),
        subdiagonal_(context.template shared<double>(shared_at + 24 * n_, n_)) {}

  /// Sets what is noise in D to zero. Returns the number of doubtful pivots that stay, to all threads.
  PIVOTLAB_DEVICE int clear() {
    if (!may_exist()) return 0;
    bool lost = false;  // the sign of the pivot whose first row the thread has
    if (const int i = f_.row(); i >= 0) rho_[i] = terms_[i] = diagonal_[i] = subdiagonal_[i] = 0;
    team_.sync();
    for (int k = 0; k < n_;) {
      const int size = f_.size(k);
      add_underflow(k, size);
      if (size == 2) {
        const double b = modulus(f_.subdiagonal(k));
        const bool may_be_lost = is_underflow(b, k, k + 1);
        if (!is_noise(b, k, k + 1)) {
          if (f_.row() == k) lost = may_be_lost;
          add(k, 2, modulus(f_.diagonal(k)), modulus(f_.subdiagonal(k)), modulus(f_.diagonal(k + 1)));
          k += 2;
          continue;
        }
        add(k, 2, 0, modulus(f_.subdiagonal(k)) / level_, 0);
        if (f_.row() == k) clear(f_.subdiagonal(k));
      }
      for (int j = k; j < k + size; ++j) {
        const double d = modulus(f_.diagonal(j));
        const bool noise = is_noise(d, j, j), may_be_lost = is_underflow(d, j, j);
        if (f_.row() == j) lost = (noise && lossy_) || may_be_lost;
        add(j, 1, noise ? d / level_ : d, 0, 0);
        if (noise && f_.row() == j) clear(f_.diagonal(j));
      }
      team_.sync();
      k += size;
    }
    return count_doubtful(lost);
  }

  /// Returns how large eigenvalues may be that count as zero, as size_of_zeros() of kernels/jacobi/shared does; for
  /// after clear().
  PIVOTLAB_DEVICE double size_of_zeros() const { return zeros_; }

 private:
  /// nvcc drops assignments of real numbers to complex ones.
  template <class Number>
  PIVOTLAB_DEVICE static void clear(Number& x) {
    x = Number(0);
  }

  /// Returns whether any pivot may be noise or doubtful, from D, max|M| and the propagated errors; a barrier.
  PIVOTLAB_DEVICE bool may_exist() {
    LargestAt multiplier{1, 0};
    if (const int i = f_.row(); i >= 0)
      for (int j = 0; j < i; ++j) multiplier.consider(modulus(f_.M(i, j)), 0);
    if (lossy_) return true;
    const double most = team_.largest(multiplier).size, level = ldlt_detail::doubt * level_;
    const double small = square_root(Limits::min()) * most * most;
    double square = 0;  // bound of all ρ_i²
    for (int k = 0; k < n_;) {
      const int size = f_.size(k);
      const double a = modulus(f_.diagonal(k)), b = size == 2 ? modulus(f_.subdiagonal(k)) : 0;
      const double root = square_root(square);
      if (size == 1 ? a <= level * square : b <= level * root * root) return true;
      if ((size == 1 ? a : b) < small) return true;
      if (f_.row() == k || f_.row() == k + size - 1) rho_[f_.row()] = root;
      const double weight = (size == 2 ? a + (b + modulus(f_.diagonal(k + 1))) : a) * most * most;
      square += size * weight;
      k += size;
    }
    propagate_errors();
    const int i = f_.row();
    return team_.sum(is_first(i) && !is_above_propagated(i) ? 1.0 : 0.0) > 0;
  }

  /// Returns whether row i is the first one of a pivot.
  PIVOTLAB_DEVICE bool is_first(int i) const { return i == 0 || (i > 0 && f_.size(i - 1) == 1); }
  PIVOTLAB_DEVICE double size_of_pivot(int i) const {
    return modulus(f_.size(i) == 1 ? f_.diagonal(i) : f_.subdiagonal(i));
  }
  /// Returns whether the pivot of row i, its first one, is above the propagated errors; false for NaN.
  PIVOTLAB_DEVICE bool is_above_propagated(int i) const {
    return size_of_pivot(i) > ldlt_detail::doubt * (std::numeric_limits<double>::epsilon() * double(terms_[i]) *
                                                    double(terms_[i + f_.size(i) - 1]));
  }

  /// Counts pivots that stay and have a doubtful sign, as NoiseTest of scaled_rank.hpp does; a barrier.
  PIVOTLAB_DEVICE int count_doubtful(bool lost) {
    propagate_errors();
    double zeros = 0;
    if (const int i = f_.row(); is_first(i)) {
      const int q = i + f_.size(i) - 1;
      const double size = size_of_pivot(i);
      const auto is_above = [&](double errors) { return size > ldlt_detail::doubt * errors; };  // false for NaN
      lost |= size > 0 && !(is_above(level_ * double(rho_[i]) * double(rho_[q])) && is_above_propagated(i) &&
                            is_above(lossy_ ? square_root(Limits::min()) : 0.0));
      const double y = terms_[i], rho = rho_[i], error = y < rho ? rho : y;
      if (size == 0) zeros = error * error;
    }
    zeros_ = level_ * team_.sum(zeros);
    return static_cast<int>(team_.sum(lost ? 1.0 : 0.0));
  }

  /// Replaces the terms by the y of kernels/ldlt/shared/propagated_errors.hpp; a barrier.
  PIVOTLAB_DEVICE void propagate_errors() {
    using Number = std::remove_cvref_t<decltype(f_.M(0, 0))>;
    const int i = f_.row();
    if (i >= 0) {
      f_.w1[i] = Number(ldlt_detail::random_weight(i, 0) * double(rho_[i]));
      f_.w2[i] = Number(ldlt_detail::random_weight(i, 1) * double(rho_[i]));
    }
    team_.sync();
    for (int k = 0; k < n_; ++k) {
      if (i > k) {
        const Number m = f_.M(i, k);
        f_.w1[i] = multiply_add(m, negated(Number(f_.w1[k])), Number(f_.w1[i]));
        f_.w2[i] = multiply_add(m, negated(Number(f_.w2[k])), Number(f_.w2[i]));
      }
      team_.sync();
    }
    if (i >= 0) terms_[i] = ldlt_detail::with_square(modulus(Number(f_.w1[i])), 1.0, modulus(Number(f_.w2[i])));
    team_.sync();
  }

  /// Returns whether errors of underflow may have made an element of D; a barrier.
  PIVOTLAB_DEVICE bool is_underflow(double size, int p, int q) {
    const double of_p = underflow_of(p), of_q = p == q ? of_p : underflow_of(q);
    return of_p > 0 && of_q > 0 && size <= ldlt_detail::doubt * Limits::denorm_min() * of_p * of_q;
  }
  PIVOTLAB_DEVICE double underflow_of(int p) { return team_.largest(f_.row() == p ? underflow_ : 0.0); }

  /// Adds the pivot at k to e, as UnderflowErrors of scaled_rank.hpp does; a barrier.
  PIVOTLAB_DEVICE void add_underflow(int k, int size) {
    const double d[2][2] = {
        {modulus(f_.diagonal(k)), size == 2 ? modulus(f_.subdiagonal(k)) : 0.0},
        {size == 2 ? modulus(f_.subdiagonal(k)) : 0.0, size == 2 ? modulus(f_.diagonal(k + 1)) : 0.0}};
    const int i = f_.row();
    double m[2] = {0, 0}, most[2] = {0, 0}, sum = 0;  // most: 1/m of the least m > 0
    for (int p = 0; p < size; ++p) {
      if (i >= k + size) m[p] = modulus(f_.M(i, k + p));
      most[p] = team_.largest(m[p] > 0 ? 1 / m[p] : 0.0);
      const double of_p = underflow_of(k + p);
      if (m[p] > 0) sum += m[p] * of_p;
    }
    bool underflows = false;
    for (int p = 0; p < size; ++p) {
      underflows |= m[p] > 0 && m[p] < Limits::min();
      for (int q = 0; q < size; ++q)
        underflows |= m[p] > 0 && d[p][q] > 0 && most[q] > 0 && d[p][q] * m[p] < Limits::min() * most[q];
    }
    underflow_ += sum;
    if (underflows) underflow_ = square_root(underflow_ * underflow_ + 1);
  }

  PIVOTLAB_DEVICE bool is_noise(double size, int p, int q) {
    if (size == 0) return true;
    if (size > level_ * double(rho_[p]) * double(rho_[q])) return false;
    if (size > level_ * (p == q ? double(terms_[p]) : term(p, q))) return false;
    const double of_p = reach(p), of_q = p == q ? of_p : reach(q);
    return size * of_p * of_q <= level_;
  }

  /// Adds a pivot with the moduli a, b, c of its elements to ρ; a barrier.
  PIVOTLAB_DEVICE void add(int k, int size, double a, double b, double c) {
    team_.sync();
    if (f_.row() == k) {
      diagonal_[k] += a;
      if (size == 2) subdiagonal_[k] += b, diagonal_[k + 1] += c;
    }
    const auto [first, second] = ldlt_detail::noise_weights(a, b, c, size == 2 && b > 0 ? exponent_of_t(k) : 0);
    if (const int i = f_.row(); i >= k + size) {
      const double x = modulus(f_.M(i, k)), y = size == 2 ? modulus(f_.M(i, k + 1)) : 0;
      rho_[i] = ldlt_detail::with_square(double(rho_[i]), square_root(first), x);
      if (size == 2) rho_[i] = ldlt_detail::with_square(double(rho_[i]), square_root(second), y);
      terms_[i] += product(a, x, x) + product(c, y, y) + 2 * product(b, x, y);
    }
    team_.sync();
  }

  /// Returns d·x·y, also where x·y underflows.
  PIVOTLAB_DEVICE static double product(double d, double x, double y) {
    const double root = square_root(d);
    return (root * x) * (root * y);
  }

  /// Returns the exponent of t for the pivot at k, as NoiseTest of scaled_rank.hpp does.
  PIVOTLAB_DEVICE int exponent_of_t(int k) {
    constexpr double above_all = 4096;  // exponents of all products are above −4096
    LargestAt product;
    if (const int i = f_.row(); i >= k + 2) {
      const double x = modulus(f_.M(i, k)), y = modulus(f_.M(i, k + 1));
      if (x > 0 && y > 0 && x <= Limits::max() && y <= Limits::max())
        product = {above_all + std::ilogb(x) + std::ilogb(y), i};
    }
    product = team_.largest(product);
    if (const int i = product.place; product.size > 0)
      return std::ilogb(modulus(f_.M(i, k + 1))) - std::ilogb(modulus(f_.M(i, k)));
    const double p = rho_[k], q = rho_[k + 1];
    return p > 0 && q > 0 ? std::ilogb(p) - std::ilogb(q) : 0;
  }

  /// Returns (|M|·|D|·|M|*)_pq, q = p + 1, of the pivots before.
  PIVOTLAB_DEVICE double term(int p, int q) {
    double sum = 0;
    for (int k = 0; k < p; ++k) {
      const double mp = modulus(f_.M(p, k)), mq = modulus(f_.M(q, k));
      sum += diagonal_[k] * mp * mq;
      if (subdiagonal_[k] > 0) sum += subdiagonal_[k] * (mp * modulus(f_.M(q, k + 1)) + modulus(f_.M(p, k + 1)) * mq);
    }
    return sum;
  }

  /// Returns max |m_ik|/ρ_i; infinity if a row with ρ_i = 0 has m_ik ≠ 0.
  PIVOTLAB_DEVICE double reach(int k) {
    double own = 0;
    if (const int i = f_.row(); i >= k)
      if (const double m = i == k ? 1.0 : modulus(f_.M(i, k)); m > 0)
        own = rho_[i] > 0 ? m / double(rho_[i]) : std::numeric_limits<double>::infinity();
    return team_.largest(own);
  }

  using Limits = std::numeric_limits<double>;
  using Doubles = decltype(std::declval<Context&>().template shared<double>(0, 1));
  Team& team_;
  Factors& f_;
  int n_;
  bool lossy_;
  double level_, underflow_ = 0;  ///< underflow: e of the thread's row
  double zeros_ = 0;
  Doubles rho_, terms_;             ///< ρ_i and (|M|·|D|·|M|*)_ii
  Doubles diagonal_, subdiagonal_;  ///< of |D|, with the weights of noise
};

}  // namespace pivotlab::batch
