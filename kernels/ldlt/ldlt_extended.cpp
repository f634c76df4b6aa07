// Instantiation for long double and Quad, the reference of the tests.
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/factors/solve.hpp"
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
template LdltFactorization<Quad> ldlt(MatrixView<const Quad>, const LdltOptions&);
template LdltFactorization<Quad> ldlt(PackedTriangle<Quad>, const LdltOptions&);
template PackedTriangle<Quad> pack(MatrixView<const Quad>, InputTriangle, Symmetry);
template Matrix<Quad> unpack(const PackedTriangle<Quad>&, Symmetry);
template struct LdltFactorization<Quad>;
template LdltFactorization<std::complex<Quad>> ldlt(MatrixView<const std::complex<Quad>>, const LdltOptions&);
template LdltFactorization<std::complex<Quad>> ldlt(PackedTriangle<std::complex<Quad>>, const LdltOptions&);
template PackedTriangle<std::complex<Quad>> pack(MatrixView<const std::complex<Quad>>, InputTriangle, Symmetry);
template Matrix<std::complex<Quad>> unpack(const PackedTriangle<std::complex<Quad>>&, Symmetry);
template struct LdltFactorization<std::complex<Quad>>;

}  // namespace pivotlab
