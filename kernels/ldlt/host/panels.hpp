// Partial and rook pivoting by panels: where and how wide. The factorization itself is compiled once (panels.cpp).
#pragma once

#include <pivotlab/ldlt.hpp>
#include <type_traits>

namespace pivotlab::ldlt_detail {

/// Columns of a panel.
inline constexpr Index panel_columns = 64;

/// The hardware's scalars have them.
template <class T>
inline constexpr bool has_panels = std::is_same_v<RealOf<T>, double>;

/// Whether this is faster than stage by stage (ldlt_host_benchmark).
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
