// SPDX-License-Identifier: BSD-3-Clause
// When sweeps in single precision begin an iteration and when they end. They are undone if a tile loses a pivot or if
// they do not converge. This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/gsvd/shared/pair_decision.hpp"

#include <cmath>
#include <cstdint>

namespace pivotlab::gsvd_detail {

/// Returns whether columns f and g of F and G with these squares begin in single precision, which would otherwise lose
/// the smaller one. The column f may be zero.
PIVOTLAB_DEVICE inline bool fit_in_single(double f, double g) {
  constexpr double least = 0x1p-200;  // of squares: digits end at 2^-149
  return (f >= least * g || f == 0) && g >= least * f;
}

/// A transformation of these sweeps counts as big for angles and cosines from here on.
inline constexpr double big_in_single = 0.1;
/// After so many of these sweeps without convergence all are undone, e.g. where rows of F are graded.
inline constexpr int most_in_single = 12;

/// Returns the rules of these sweeps for those of sweeps in double precision. Dot products are in double precision.
inline PairRules<double> rules_in_single(PairRules<double> rules) {
  rules.tolerance *= 0x1p29;  // the unit roundoff of single precision in place of that of double precision
  rules.root_eps = big_in_single;
  rules.off_one = big_in_single * big_in_single / 2;
  return rules;
}

/// Returns whether a sweep with `big` big transformations, of which the sweep before had `before`, shows quadratic
/// convergence: then a sweep in double precision leaves only cosines that need no big transformation there.
inline bool converges_in_single(std::uint64_t big, std::uint64_t before) {
  return big <= before / 16;
}
/// These sweeps end after a sweep that shows it with at most so many big transformations, and else after the next one:
/// the norm of the first correction is 0.01·√big to 0.03·√big.
inline constexpr std::uint64_t few_big = 256;

/// Returns whether columns are corrected by an E of norm `size`, after one of norm `last`: while it converges, which
/// equal σ prevent.
inline bool may_correct(double size, double last) {
  return size <= 0.5 && size <= last / 8;
}
/// Returns how many bits products with this E need so that F, G and Z still belong together, where `spread` is the
/// ratio of the largest and the smallest σ.
inline double bits_of_correction(double size, double spread) {
  return 52 + std::log2(size) + std::log2(spread) / 2;
}

}  // namespace pivotlab::gsvd_detail
