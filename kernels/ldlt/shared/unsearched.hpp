// SPDX-License-Identifier: BSD-3-Clause
// This test decides whether the factors of an elimination without a search suffice.
//
// They are factors of A + E with |E| ≤ c·|M|·|D|·|M|* (rounding error analysis of any order of pivots), so that ρ_i² =
// (|M|·|D|·|M|*)_ii measures both failures: a pivot that is not much larger than the errors in its row has a sign that
// says nothing (the test of doubtful pivots, scaled_rank.hpp), and rows with a ρ² far above those of A have lost
// digits. No bound is proved: that is what a certificate does.
#pragma once

#include "kernels/ldlt/shared/butterfly.hpp"
#include "kernels/ldlt/shared/input.hpp"
#include "kernels/ldlt/shared/scaled_rank.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns the largest growth of products of factors that suffice. The ratio of LAPACK's xSYT01 was at most 0.19 times
/// that number for n from 32 on, and at most 0.83 times for smaller n, whose few errors do not cancel, in all
/// experiments, so that it remains below LAPACK's threshold, 30.
inline int most_growth_without_search(Index n) {
  return n < 32 ? 30 : 120;
}

/// Returns whether an element can be a pivot of order 1: neither zero nor the result of an overflow.
template <class T>
bool is_usable_pivot(const T& x) {
  return x != T(0) && is_finite(x);
}

inline std::string unusable_pivot_text(Index k) {
  return "pivot " + std::to_string(k + 1) + " is zero or overflows";
}

/// Returns ρ_i² of the pivots before row i, each summed in the order of the pivots.
template <class T>
std::vector<RealOf<T>> squares_of_rows(const LdltFactorization<T>& f, int threads) {
  using R = RealOf<T>;
  constexpr Index rows = 64;
  const Index n = f.order();
  std::vector<R> squares(n);
#pragma omp parallel for num_threads(threads_for(n, threads)) schedule(dynamic, 1)
  for (Index first = 0; first < n; first += rows) {
    const Index end = std::min(first + rows, n);
    for (Index k = 0; k + 1 < end; ++k) {
      const R size = modulus(f.diagonal[k]);
      for (Index i = std::max(first, k + 1); i < end; ++i) squares[i] += size * squared_magnitude(f.M(i, k));
    }
  }
  return squares;
}

/// Returns how much larger than the matrix, whose norm is ‖A‖∞, the products of its factors are: max ρ_i²/‖A‖∞. Of an
/// equilibrated matrix, they are those of rows of A: (|U|·ρ̂)_i²/s_i², ρ̂_i² = ρ_i² + |d_i|. A butterfly mixes rows of
/// S·A·S that may be of very different sizes in A.
template <class T>
RealOf<T> growth_of_products(const LdltFactorization<T>& f, const std::vector<RealOf<T>>& squares,
                             const RealOf<T>& norm) {
  using R = RealOf<T>;
  R largest(0);
  if (f.scaling.empty()) {
    for (const R& square : squares) largest = std::max<R>(largest, square);
    return largest > R(0) ? R(largest / norm) : R(0);
  }
  std::vector<R> rows(squares.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = square_root<R>(R(squares[i] + modulus(f.diagonal[i])));
  apply_moduli_of_butterfly(f.butterfly, false, rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    largest = std::max<R>(largest, times_power_of_two(rows[i], -f.scaling[i]));
  const R ratio = largest > R(0) ? R(largest / square_root<R>(norm)) : R(0);
  return ratio * ratio;
}

/// Returns why factors of 1×1 pivots without a search do not suffice for a matrix of this norm ‖A‖∞, of the scale of f
/// but not equilibrated; empty if they do. Takes ρ² and a function that computes the propagated errors for ρ; M is not
/// read.
template <class T, class Propagated>
std::string refusal_of(const LdltFactorization<T>& f, const RealOf<T>& norm, const std::vector<RealOf<T>>& squares,
                       const Propagated& propagated_errors) {
  using R = RealOf<T>;
  const Index n = std::ssize(f.diagonal);
  const R mixed = f.butterfly.size() > 0 ? f.largest_element : R(0);  // a butterfly spreads errors of all elements
  std::vector<R> rho;
  for (const R& square : squares) rho.push_back(square_root<R>(R(square + mixed)));
  const std::vector<R> propagated = propagated_errors(rho);
  for (Index k = 0; k < n; ++k) {
    const R size = modulus(f.diagonal[k]);
    const std::string pivot = "pivot " + std::to_string(k + 1);
    if (size <= f.tolerance) return pivot + " counts as zero by the tolerance";
    if (!(size > R(doubt) * noise_level<R>(n) * squares[k] &&
          size > R(doubt) * std::numeric_limits<R>::epsilon() * propagated[k] * propagated[k]))
      return pivot + " is within 1000 times the size of rounding errors";
  }
  const R growth = growth_of_products(f, squares, norm);
  if (!(growth <= R(most_growth_without_search(n))))
    return "the elements grow to " + text_of(growth) + " times the norm of A";
  return "";
}

/// Returns the same for M in memory of the host.
template <class T>
std::string refusal_of(const LdltFactorization<T>& f, const RealOf<T>& norm, int threads) {
  return refusal_of(f, norm, squares_of_rows(f, threads),
                    [&](const auto& rho) { return propagated_errors<T>(f.M, rho, threads); });
}

}  // namespace pivotlab::ldlt_detail
