// SPDX-License-Identifier: BSD-3-Clause
// The inertia of a Hermitian matrix of doubles by exact arithmetic.
#pragma once

#include <optional>
#include <pivotlab/matrix.hpp>
#include <pivotlab/symmetric.hpp>

namespace pivotlab::ldlt_detail {

/// Computes the inertia of A (n × n Hermitian, both triangles, finite) exactly; nothing if that takes more than
/// `most_operations` products modulo a prime. At least known.positive eigenvalues are positive and known.negative are
/// negative: if the rank is their sum, no sign needs to be computed. T is double or std::complex<double>.
template <class T>
std::optional<Inertia> exact_inertia(MatrixView<const T> A, const Inertia& known, double most_operations, int threads);

}  // namespace pivotlab::ldlt_detail
