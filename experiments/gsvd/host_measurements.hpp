// SPDX-License-Identifier: BSD-3-Clause
// Measures a GSVD on the host.
#pragma once

#include <kernels/verification/gsvd_measurements.hpp>

namespace pivotlab::experiments {

/// R is the precision, Quad or DoubleDouble; T is double or std::complex<double>. The result does not depend on the
/// number of threads.
template <class R, class T>
GsvdMeasurements measure_on_host(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, int threads);

/// Measures factors with r columns for X = [0 R_x]·Qᴴ of the result: R_x is r × r, Q is n × n. Orthogonal reductions
/// mix columns, so that the weights are ‖F'‖_F·‖z'_j‖.
template <class R, class T>
GsvdMeasurements measure_on_host(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, const Matrix<T>& R_x,
                                 const Matrix<T>& Q, int threads);

}  // namespace pivotlab::experiments
