// SPDX-License-Identifier: BSD-3-Clause
// The noise test: which pivots may consist of rounding errors only. It is the rank test where the user gives no
// tolerance, for every pivoting, symmetry and backend.
//
// The backward error of A = M·D·M* is componentwise at most some n·ε·|M|·|D|·|M|* (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., Theorem 11.3), and |M|·|D|·|M|* ≤ ρ·ρᵀ with
//
//   ρ_i² = Σ |d|·|m_i|² over pivots of order 1
//        + Σ (|a| + t·|b|)·|m_i1|² + (|b|/t + |c|)·|m_i2|² over pivots of order 2, with any t > 0.
//
// t = 2^e must follow a scaling of A, or ρ is too large for rows that the scaling makes small, and true pivots after it
// count as noise. It must also balance columns m_1 and m_2 of very different sizes, which partial pivoting admits. e is
// the exponent of |m_i2|/|m_i1| in the row with the largest product of both, and without one that of ρ_p/ρ_q, p and q
// being the rows of the pivot. If t is not in [|a|/|b|, |b|/|c|], the next number there is taken.
//
// An element x of D in row p and column q contributes m_ip·x·m_jq to element (i, j) of A. It is noise if this is within
// that error for all i and j, ρ being computed from the pivots before it:
//
//   |x|·|m_ip|·|m_jq| ≤ 2·n·ε·ρ_i·ρ_j,   and |x| ≤ 2·n·ε·(|M|·|D|·|M|*)_pq.
//
// ρ and |M|·|D|·|M|* contain noise found before with the weight 1/(2·n·ε), since the pivots after it were updated with
// it.
//
// All rows count: a pivot that is small in its own row may couple rows whose elements are even smaller, and these
// elements are no noise. Neither side changes if rows and columns of A are scaled.
//
// 2·n·ε is the size of errors, no bound of them: errors of a pivot that is noise enter the pivots after it, and their
// constant is not known. A pivot that stays is doubtful if |x| ≤ doubt·2·n·ε·ρ_p·ρ_q: its sign, and so the inertia, may
// be that of rounding errors. So is one that errors of underflow may have made, also where they made it zero, and one
// with |x| ≤ doubt·ε·y_p·y_q (propagated_errors.hpp): a pivot that cancellation has made small hands its errors on.
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"
#include "kernels/ldlt/shared/noise_weights.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"
#include "kernels/ldlt/shared/propagated_errors.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns 2·n·ε.
template <class R>
R noise_level(Index n) {
  return R(2 * n) * std::numeric_limits<R>::epsilon();
}

/// Returns doubt·ε·y_p·y_q.
template <class R>
R propagated_doubt(const R& of_p, const R& of_q) {
  return R(doubt) * R(std::numeric_limits<R>::epsilon() * of_p * of_q);
}

/// Returns whether the pivot at k may be within `times` rounding errors, by its own rows only. squares(i) returns ρ_i².
template <class T, class Squares>
bool may_be_noise(const LdltFactorization<T>& f, Index k, int size, const Squares& squares, int times = 1) {
  using R = RealOf<T>;
  const R level = R(times) * noise_level<R>(std::ssize(f.diagonal));
  if (size == 1) return modulus(f.diagonal[k]) <= level * squares(k);
  return modulus(f.subdiagonal[k]) <= level * square_root<R>(squares(k)) * square_root<R>(squares(k + 1));
}

/// Returns whether any pivot may be noise or doubtful, from D, a bound of max|M| and a function that computes the
/// propagated errors for ρ.
template <class T, class Propagated>
bool may_have_noise(const LdltFactorization<T>& f, const RealOf<T>& largest_multiplier,
                    const Propagated& propagated_errors) {
  using R = RealOf<T>;
  const R most = std::max<R>(R(1), largest_multiplier);
  R square(0);  // bound of all ρ_i²
  std::vector<R> rho(f.diagonal.size());
  for (const auto& stage : f.stages) {
    const Index k = stage.first;
    if (may_be_noise(
            f, k, stage.size, [&](Index) { return square; }, doubt))
      return true;
    std::fill_n(&rho[k], stage.size, square_root<R>(square));
    R weight = modulus(f.diagonal[k]);
    if (stage.size == 2) weight += modulus(f.subdiagonal[k]) + modulus(f.diagonal[k + 1]);
    weight *= most * most;
    square += R(stage.size) * weight;
  }
  const std::vector<R> y = propagated_errors(rho);
  return !std::ranges::all_of(f.stages, [&](const LdltStage<R>& stage) {
    const Index p = stage.first, q = p + stage.size - 1;
    return modulus(p == q ? f.diagonal[p] : f.subdiagonal[p]) > propagated_doubt<R>(y[p], y[q]);  // false for NaN
  });
}

/// Returns whether errors of underflow may be no smaller than a pivot, from D and a bound of max|M|.
template <class T>
bool may_underflow(const LdltFactorization<T>& f, const RealOf<T>& largest_multiplier) {
  using R = RealOf<T>;
  const R most = std::max<R>(R(1), largest_multiplier),
          small = square_root<R>(std::numeric_limits<R>::min()) * most * most;
  return std::ranges::any_of(f.stages, [&](const LdltStage<R>& stage) {
    return modulus(stage.size == 1 ? f.diagonal[stage.first] : f.subdiagonal[stage.first]) < small;
  });
}

/// Errors of underflow: those of element (i, j) of a reduced matrix are at most some η·e_i·e_j, with the least positive
/// number η. A pivot adds 1 to the e_i² of rows in which products m_i·d·m_jᴴ or their factors underflow, and m_i·e_p to
/// the e_i of all rows below its own row p.
template <class T>
class UnderflowErrors {
 public:
  using R = RealOf<T>;

  explicit UnderflowErrors(const LdltFactorization<T>& f) : f_(f), sizes_(f.diagonal.size(), R(0)) {}

  /// Returns whether element (p, q) of D, which is x, may consist of such errors.
  bool decide(const T& x, Index p, Index q) const {
    constexpr R least = std::numeric_limits<R>::denorm_min();
    return sizes_[p] > R(0) && sizes_[q] > R(0) && modulus(x) <= R(doubt) * least * sizes_[p] * sizes_[q];
  }

  /// Adds the errors of the pivot at k.
  void add(Index k, int size) {
    const R d[2][2] = {{modulus(f_.diagonal[k]), size == 2 ? modulus(f_.subdiagonal[k]) : R(0)},
                       {size == 2 ? modulus(f_.subdiagonal[k]) : R(0), size == 2 ? modulus(f_.diagonal[k + 1]) : R(0)}};
    const Index first = k + size;
    R smallest[2] = {std::numeric_limits<R>::max(), std::numeric_limits<R>::max()};
    for (int q = 0; q < size; ++q)
      for (Index i = first; i < f_.order(); ++i)
        if (const R m = modulus(f_.M(i, k + q)); m > R(0)) smallest[q] = std::min<R>(smallest[q], m);
    constexpr R normal = std::numeric_limits<R>::min();
    for (Index i = first; i < f_.order(); ++i) {
      bool underflows = false;
      for (int p = 0; p < size; ++p) {
        const R m = modulus(f_.M(i, k + p));
        if (m == R(0)) continue;
        sizes_[i] += m * sizes_[k + p];
        underflows |= m < normal;
        for (int q = 0; q < size; ++q) underflows |= d[p][q] > R(0) && d[p][q] * m < normal / smallest[q];
      }
      if (underflows) sizes_[i] = square_root<R>(sizes_[i] * sizes_[i] + R(1));
    }
  }

 private:
  const LdltFactorization<T>& f_;
  std::vector<R> sizes_;  ///< e
};

template <class T>
class NoiseTest {
 public:
  using R = RealOf<T>;

  explicit NoiseTest(const LdltFactorization<T>& f)
      : f_(f),
        level_(noise_level<R>(f.order())),
        rho_(f.diagonal.size()),
        terms_(f.diagonal.size()),
        diagonal_(f.diagonal.size()),
        subdiagonal_(f.diagonal.size()) {}

  /// Returns whether element x of D is noise; p is its row and q ≤ p + 1 its column.
  bool is_noise(const T& x, Index p, Index q) const {
    const R size = modulus(x);
    if (size == R(0)) return true;
    if (size > level_ * rho_[p] * rho_[q]) return false;
    if (size > level_ * (p == q ? terms_[p] : term(p, q))) return false;
    return size * reach(p) * reach(q) <= level_;
  }

  /// Returns whether the pivot at k is within rounding errors of its own rows, whatever it couples.
  bool is_rounding(Index k, int size) const {
    const R a = modulus(f_.diagonal[k]);
    if (size == 1) return a > R(0) && a <= level_ * terms_[k];
    return modulus(f_.subdiagonal[k]) <= level_ * term(k, k + 1);
  }

  /// Returns whether the element x of D in row p and column q has a doubtful sign, after all pivots have been added;
  /// y has the propagated errors.
  bool is_doubtful(const T& x, Index p, Index q, const std::vector<R>& y) const {
    // Elements that scaling has lost are to others as those are to the largest ones.
    const R lost = f_.scaling_error > R(0) ? square_root<R>(std::numeric_limits<R>::min()) : R(0);
    const auto is_above = [&](const R& errors) { return modulus(x) > R(doubt) * errors; };  // false for NaN
    return !(is_above(level_ * rho_[p] * rho_[q]) && modulus(x) > propagated_doubt<R>(y[p], y[q]) && is_above(lost));
  }
  const std::vector<R>& rho() const { return rho_; }

  /// Adds the pivot at k to ρ.
  void add(Index k, int size) {
    add(k, size, modulus(f_.diagonal[k]), size == 2 ? modulus(f_.subdiagonal[k]) : R(0),
        size == 2 ? modulus(f_.diagonal[k + 1]) : R(0));
  }

  /// Adds what is lost with element (p, q) of D to ρ, as 2·n·ε times a pivot: pivots after it contain its products.
  void add_noise(Index p, Index q) {
    if (p == q)
      add(p, 1, modulus(f_.diagonal[p]) / level_, R(0), R(0));
    else
      add(p, 2, R(0), modulus(f_.subdiagonal[p]) / level_, R(0));
  }

 private:
  /// Adds a pivot with the moduli a, b, c of its elements.
  void add(Index k, int size, const R& a, const R& b, const R& c) {
    const Index n = f_.order();
    const T *m1 = &f_.M(0, k), *m2 = size == 2 ? &f_.M(0, k + 1) : m1;
    diagonal_[k] += a;
    if (size == 2) subdiagonal_[k] += b, diagonal_[k + 1] += c;
    // This computes |d|·|m|², also where |m|² underflows.
    const auto product = [](const R& root, const T& m) { return squared_magnitude(T(root * m)); };
    const R root_a = square_root<R>(a), root_b = square_root<R>(b), root_c = square_root<R>(c);
    const NoiseWeights<R> weights = noise_weights<R>(a, b, c, b > R(0) ? exponent_of_t(k) : 0);
    const R root_1 = square_root<R>(weights.first), root_2 = square_root<R>(weights.second);
    for (Index i = k + size; i < n; ++i) {
      rho_[i] = with_square<R>(rho_[i], root_1, modulus(m1[i]));
      if (size == 1) {
        terms_[i] += product(root_1, m1[i]);
        continue;
      }
      rho_[i] = with_square<R>(rho_[i], root_2, modulus(m2[i]));
      terms_[i] += product(root_a, m1[i]) + product(root_c, m2[i]) +
                   R(2) * square_root<R>(product(root_b, m1[i])) * square_root<R>(product(root_b, m2[i]));
    }
  }

  /// Returns the exponent of t for the pivot at k; 0 if nothing tells the sizes of its rows.
  int exponent_of_t(Index k) const {
    const auto is_positive = [](const R& x) { return x > R(0) && x <= std::numeric_limits<R>::max(); };
    const bool has_sizes = rho_[k] > R(0) && rho_[k + 1] > R(0);
    int exponent = has_sizes ? exponent_of(rho_[k]) - exponent_of(rho_[k + 1]) : 0;
    int most = std::numeric_limits<int>::min();
    for (Index i = k + 2; i < f_.order(); ++i) {
      const R x = modulus(f_.M(i, k)), y = modulus(f_.M(i, k + 1));
      if (!is_positive(x) || !is_positive(y)) continue;
      const int first = exponent_of(x), second = exponent_of(y);
      if (first + second > most) most = first + second, exponent = second - first;
    }
    return exponent;
  }

  /// Returns (|M|·|D|·|M|*)_pq of the pivots before.
  R term(Index p, Index q) const {
    R sum(0);
    for (Index k = 0; k < std::min(p, q); ++k) {
      const R mp = modulus(f_.M(p, k)), mq = modulus(f_.M(q, k));
      sum += diagonal_[k] * mp * mq;
      if (subdiagonal_[k] > R(0))
        sum += subdiagonal_[k] * (mp * modulus(f_.M(q, k + 1)) + modulus(f_.M(p, k + 1)) * mq);
    }
    return sum;
  }

  /// Returns max |m_ik|/ρ_i; infinity if a row with ρ_i = 0 has m_ik ≠ 0.
  R reach(Index k) const {
    R largest(0);
    for (Index i = k; i < f_.order(); ++i)
      if (const R m = modulus(f_.M(i, k)); m > R(0)) {
        if (!(rho_[i] > R(0))) return std::numeric_limits<R>::infinity();
        largest = std::max<R>(largest, m / rho_[i]);
      }
    return largest;
  }

  const LdltFactorization<T>& f_;
  R level_;
  std::vector<R> rho_, terms_;             ///< ρ_i and (|M|·|D|·|M|*)_ii
  std::vector<R> diagonal_, subdiagonal_;  ///< of |D|, with the weights of noise
};

/// Returns the number of rows before those that complete pivoting has left.
template <class T>
Index eliminated_rows(const LdltFactorization<T>& f) {
  return f.stages.empty() ? 0 : f.stages.back().first + f.stages.back().size;
}

/// Returns whether no pivot is noise or doubtful, from D, a bound of max|M| and a function that computes the propagated
/// errors for ρ; false if it takes M to know.
template <class T, class Propagated>
bool is_free_of_noise(const LdltFactorization<T>& f, const RealOf<T>& largest_multiplier,
                      const Propagated& propagated_errors) {
  return f.scaling_error == RealOf<T>(0) && eliminated_rows(f) == std::ssize(f.diagonal) &&
         !may_underflow(f, largest_multiplier) && !may_have_noise(f, largest_multiplier, propagated_errors);
}

/// Sets what is noise in D to zero; a 2×2 pivot whose off-diagonal element is noise becomes two 1×1 pivots. Adds a
/// bound of the elements of M·D·M* that this changes to f.remainder, and counts the doubtful pivots that stay.
template <class T>
void clear_noise_pivots(LdltFactorization<T>& f, int threads) {
  using R = RealOf<T>;
  const auto propagated_errors = [&](const std::vector<R>& rho) {
    return ldlt_detail::propagated_errors<T>(f.M, rho, threads);
  };
  if (is_free_of_noise(f, f.max_multiplier, propagated_errors)) return;
  const Index rank = eliminated_rows(f);
  const bool is_scaled_exactly = f.scaling_error == R(0);
  NoiseTest<T> test(f);
  UnderflowErrors<T> underflow(f);
  const auto clear = [&](T& x, Index p, Index q) {
    const auto largest = [&](Index k) {
      R most(1);
      for (Index i = k + 1; i < f.order(); ++i) most = std::max<R>(most, modulus(f.M(i, k)));
      return most;
    };
    if (x != T(0)) f.remainder += R(p == q ? 1 : 2) * modulus(x) * largest(p) * largest(q);
    x = T(0);
  };
  std::vector<LdltStage<R>> stages;
  for (const LdltStage<R>& stage : f.stages) {
    const Index k = stage.first;
    underflow.add(k, stage.size);
    if (stage.size == 2) {
      if (!test.is_noise(f.subdiagonal[k], k, k + 1)) {
        test.add(k, 2);
        stages.push_back(stage);
        continue;
      }
      test.add_noise(k, k + 1);
      clear(f.subdiagonal[k], k, k + 1);
      f.interchanges[k + 1] = std::abs(f.interchanges[k + 1]);
    }
    for (Index j = k; j < k + stage.size; ++j) {
      if (test.is_noise(f.diagonal[j], j, j)) {
        f.doubtful += !is_scaled_exactly || underflow.decide(f.diagonal[j], j, j);
        test.add_noise(j, j);
        clear(f.diagonal[j], j, j);
      } else {
        test.add(j, 1);
      }
      stages.push_back({j, 1, stage.growth, R(1)});
    }
  }
  f.stages = std::move(stages);
  const std::vector<R> propagated = propagated_errors(test.rho());
  for (const LdltStage<R>& stage : f.stages) {
    const Index p = stage.first, q = p + stage.size - 1;
    const T x = p == q ? f.diagonal[p] : f.subdiagonal[p];
    f.doubtful += x != T(0) && (test.is_doubtful(x, p, q, propagated) || underflow.decide(x, p, q));
  }
  for (Index j = rank; j < f.order(); ++j) f.doubtful += !is_scaled_exactly || underflow.decide(T(0), j, j);
}

}  // namespace pivotlab::ldlt_detail
