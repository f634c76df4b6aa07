// SPDX-License-Identifier: BSD-3-Clause
// Partial and rook pivoting, and elimination without a search, by panels: smallest order, and width of a panel. Only
// panels.cpp instantiates the factorization.
#pragma once

#include <pivotlab/ldlt.hpp>
#include <type_traits>

namespace pivotlab::ldlt_detail {

/// Columns of a panel.
inline constexpr Index panel_columns = 64;

/// Panels exist for double and std::complex<double> only.
template <class T>
inline constexpr bool has_panels = std::is_same_v<RealOf<T>, double>;

/// Returns whether panels are faster than single stages (ldlt_host_benchmark).
template <class T>
bool works_in_panels(Pivoting pivoting, Index order) {
  constexpr Index least_order = is_complex<T> ? 64 : 128;
  return pivoting != Pivoting::complete && order >= least_order;
}

/// Factors A, given by its lower triangle and zeros above, with any pivoting but complete. The growth of a stage is
/// that of the reduced matrix with which its panel began.
template <bool hermitian, class T>
LdltFactorization<T> factor_in_panels(Matrix<T> A, const LdltOptions& options, Index columns = panel_columns);

}  // namespace pivotlab::ldlt_detail
