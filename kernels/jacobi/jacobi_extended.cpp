// SPDX-License-Identifier: BSD-3-Clause
// Instantiation of the eigensolver for long double, a reference of the tests.
#include "kernels/jacobi/eigh.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

template EighResult<long double> eigh(MatrixView<const long double>, const EighOptions&);
template EighResult<std::complex<long double>> eigh(MatrixView<const std::complex<long double>>, const EighOptions&);

}  // namespace pivotlab
