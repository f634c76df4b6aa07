// SPDX-License-Identifier: BSD-3-Clause
// Instantiation of the hyperbolic SVD for long double: of matrices whose columns are too far apart for double, and a
// reference of the tests.
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

template HsvdResult<long double> hsvd(MatrixView<const long double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<std::complex<long double>> hsvd(MatrixView<const std::complex<long double>>,
                                                    const std::vector<int>&, const HsvdOptions&);

}  // namespace pivotlab
