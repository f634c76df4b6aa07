// Partial and rook pivoting by panels: from which order on, and the width of a panel. panels.cpp compiles the
// factorization once.
#pragma once

#include <pivotlab/ldlt.hpp>
#include <type_traits>

namespace pivotlab::ldlt_detail {

/// Columns of a panel.
inline constexpr Index panel_columns = 64;

/// Panels exist for the scalars of the hardware only.
template <class T>
inline constexpr bool has_panels = std::is_same_v<RealOf<T>, double>;

/// Returns whether panels are faster than single stages (ldlt_host_benchmark).
template <class T>
bool works_in_panels(Pivoting pivoting, Index order) {
  constexpr Index least_order = is_complex<T> ? 64 : 128;
  return pivoting != Pivoting::complete && order >= least_order;
}

/// Factors A, given by its lower triangle and zeros above, with partial or rook pivoting. The growth that a stage
/// reports is that of the last reduced matrix that exists, the one its panel began with.
template <bool hermitian, class T>
LdltFactorization<T> factor_in_panels(Matrix<T> A, const LdltOptions& options, Index columns = panel_columns);

}  // namespace pivotlab::ldlt_detail
