// SPDX-License-Identifier: BSD-3-Clause
// Variants of the symmetric indefinite factorization, and their names.
//
//   LDLT-BP                    complete (Bunch–Parlett) pivoting, Algorithm 2, α = α₀ = (1+√17)/8
//   LDLT-RK;alpha=0.5          rook (bounded Bunch–Kaufman) pivoting, Algorithm 4
//   LDLT-BK                    partial (Bunch–Kaufman) pivoting, Algorithm 3
//   LDLT-RK;equilibrate=on     rook pivoting of S·A·S, equilibrated by powers of two
//   LDLT-RBT;depth=1           no search: Uᵀ·A·U with a random butterfly U of one level, 1×1 pivots in their order
//
// An option that has its default value (α₀, equilibrate=off, depth=2) is not printed, so that print and parse are
// inverses.
// expand_pattern() expands LDLT-{BP,BK,RK};alpha={0.1..0.9..0.1} and LDLT-RK{,;equilibrate=on}. Source: the thesis on
// the symmetric indefinite factorization on a GPU, sections 1.2, 2.2.
#pragma once

#include <string>
#include <string_view>

namespace pivotlab {

/// `complete` searches the whole reduced matrix, `rook` a few of its columns, `partial` at most two (section 1.2).
/// `none` does not search: rows are mixed by a random butterfly instead.
enum class Pivoting { complete, partial, rook, none };

/// α₀ = (1+√17)/8, for which the bounds on the growth over two 1×1 pivots and over one 2×2 pivot are equal (section
/// 2.2).
inline constexpr double usual_alpha = 0.64038820320220756;

/// A variant of the factorization: a value with a name.
struct LdltVariant {
  Pivoting pivoting = Pivoting::complete;
  double alpha = usual_alpha;  ///< in (0, 1): smallest 1×1 pivot relative to the off-diagonal elements
  /// Factors S·A·S, S diagonal with powers of two that give its rows one size. The factorization is backward stable for
  /// S·A·S; relative to ‖A‖ errors may be larger than without.
  bool equilibrate = false;
  int depth = 2;  ///< levels of the butterfly without a search, 0 to 2; 0: none

  /// Returns a bound on max|M| with complete and rook pivoting, (2.7), (2.9); partial pivoting has no such bound.
  double multiplier_bound() const { return alpha < 0.5 ? 1 / alpha : 1 / (1 - alpha); }
  /// Returns a bound on κ₂ of 2×2 pivots with complete and rook pivoting.
  double condition_bound() const { return (1 + alpha) / (1 - alpha); }
  /// Returns a bound on the factor by which one stage increases the largest element of the reduced matrix, (2.8),
  /// (2.10).
  double growth_bound(int pivot_size) const { return pivot_size == 1 ? 1 + 1 / alpha : 1 + 2 / (1 - alpha); }

  friend bool operator==(const LdltVariant&, const LdltVariant&) = default;
};

/// Returns "BP", "BK", "RK" or "RBT".
std::string_view to_string(Pivoting pivoting);

/// Returns the canonical name, e.g. "LDLT-RK;alpha=0.5".
std::string to_string(const LdltVariant& variant);

/// Parses a name, ignoring case. Throws InputError with the nearest valid names if there is no such variant.
LdltVariant parse_ldlt_variant(std::string_view name);

/// Throws InputError unless 0 < α < 1 and 0 ≤ depth ≤ 2.
void require_valid(const LdltVariant& variant);

/// Returns one sentence about a pivoting.
std::string_view describe(Pivoting pivoting);

}  // namespace pivotlab
