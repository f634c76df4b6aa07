// SPDX-License-Identifier: BSD-3-Clause
// The functions of the factorization that the readers need.
#include "kernels/ldlt/ldlt.hpp"

namespace pivotlab {

template PackedTriangle<double> pack(MatrixView<const double>, InputTriangle, Symmetry);
template PackedTriangle<std::complex<double>> pack(MatrixView<const std::complex<double>>, InputTriangle, Symmetry);

}  // namespace pivotlab
