// SPDX-License-Identifier: BSD-3-Clause
// An upper bound of ‖M⁻¹‖₂, from an explicit inverse and a bound of its error.
#pragma once

#include <limits>
#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Computes an upper bound of ‖diag(2^−e)·M⁻¹‖₂ ≤ √(‖·‖₁·‖·‖∞), including rounding errors, for a unit lower triangular
/// n × n matrix M with zeros above the diagonal; e has length n. Returns infinity if M is too ill-conditioned for a
/// bound. Takes n³/3 operations.
template <class T>
double inverse_norm_bound(MatrixView<const T> M, const std::vector<int>& e, Backend backend, int threads);

}  // namespace pivotlab::ldlt_detail
