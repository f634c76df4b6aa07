// Measures a GSVD on the host.
#pragma once

#include <kernels/verification/gsvd_measurements.hpp>

namespace pivotlab::experiments {

/// R is the precision, Quad or DoubleDouble; T is double or std::complex<double>. The result does not depend on the
/// number of threads.
template <class R, class T>
GsvdMeasurements measure_on_host(const Side<T>& f, const Side<T>& g, const ScaledZ<T>& Z, int threads);

}  // namespace pivotlab::experiments
