// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for double and std::complex<double>.
#include "kernels/ldlt/ldlt.hpp"
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/factors/growth.hpp"
#include "kernels/ldlt/factors/refine.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template LdltFactorization<double> ldlt(MatrixView<const double>, const LdltOptions&);
template LdltFactorization<double> ldlt(PackedTriangle<double>, const LdltOptions&);
template PackedTriangle<double> pack(MatrixView<const double>, InputTriangle, Symmetry);
template Matrix<double> unpack(const PackedTriangle<double>&, Symmetry);
template struct LdltFactorization<double>;
template LdltFactorization<Complex> ldlt(MatrixView<const Complex>, const LdltOptions&);
template LdltFactorization<Complex> ldlt(PackedTriangle<Complex>, const LdltOptions&);
template PackedTriangle<Complex> pack(MatrixView<const Complex>, InputTriangle, Symmetry);
template Matrix<Complex> unpack(const PackedTriangle<Complex>&, Symmetry);
template struct LdltFactorization<Complex>;

}  // namespace pivotlab
