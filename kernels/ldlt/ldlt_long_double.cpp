// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for long double, for tests and users of the installed library.
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/factors/growth.hpp"
#include "kernels/ldlt/factors/refine.hpp"
#include "kernels/ldlt/ldlt.hpp"

namespace pivotlab {

template LdltFactorization<long double> ldlt(MatrixView<const long double>, const LdltOptions&);
template LdltFactorization<long double> ldlt(PackedTriangle<long double>, const LdltOptions&);
template PackedTriangle<long double> pack(MatrixView<const long double>, InputTriangle, Symmetry);
template Matrix<long double> unpack(const PackedTriangle<long double>&, Symmetry);
template struct LdltFactorization<long double>;
template LdltFactorization<std::complex<long double>> ldlt(MatrixView<const std::complex<long double>>,
                                                           const LdltOptions&);
template LdltFactorization<std::complex<long double>> ldlt(PackedTriangle<std::complex<long double>>,
                                                           const LdltOptions&);
template PackedTriangle<std::complex<long double>> pack(MatrixView<const std::complex<long double>>, InputTriangle,
                                                        Symmetry);
template Matrix<std::complex<long double>> unpack(const PackedTriangle<std::complex<long double>>&, Symmetry);
template struct LdltFactorization<std::complex<long double>>;

}  // namespace pivotlab
