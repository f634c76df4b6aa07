// SPDX-License-Identifier: BSD-3-Clause
// This test decides whether the factors of an elimination without a search suffice.
//
// They are factors of A + E with |E| ≤ c·|M|·|D|·|M|* (rounding error analysis of any order of pivots), so that ρ_i² =
// (|M|·|D|·|M|*)_ii measures both failures: a pivot that is not much larger than the errors in its row has a sign that
// says nothing (the test of doubtful pivots, scaled_rank.hpp), and rows with a ρ² far above those of A have lost
// digits. No bound is proved: that is what a certificate does.
#pragma once

#include "kernels/ldlt/shared/input.hpp"
#include "kernels/ldlt/shared/scaled_rank.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Largest ρ_i² relative to ‖A‖∞ of factors that suffice. The ratio of LAPACK's xSYT01 was between 0.002 and 0.25 times
/// that number in all experiments, so that it remains below LAPACK's threshold, 30.
inline constexpr int most_growth_without_search = 120;

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
  std::vector<R> squares(static_cast<std::size_t>(n));
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

/// Returns why factors of 1×1 pivots without a search do not suffice; empty if they do.
template <class T>
std::string refusal_of(const LdltFactorization<T>& f, int threads) {
  using R = RealOf<T>;
  const Index n = f.order();
  const std::vector<R> squares = squares_of_rows(f, threads);
  R largest(0);
  for (Index k = 0; k < n; ++k) {
    const R size = modulus(f.diagonal[k]);
    const std::string pivot = "pivot " + std::to_string(k + 1);
    if (size <= f.tolerance) return pivot + " counts as zero by the tolerance";
    if (!(size > R(doubt) * noise_level<R>(n) * squares[k]))
      return pivot + " is within 1000 times the size of rounding errors";
    largest = std::max<R>(largest, squares[k]);
  }
  const R growth = largest > R(0) ? R(largest / f.norm_inf) : R(0);
  if (!(growth <= R(most_growth_without_search)))
    return "the elements grow to " + text_of(growth) + " times the norm of A";
  return "";
}

}  // namespace pivotlab::ldlt_detail
