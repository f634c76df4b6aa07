// Instantiation for Quad: judges form G·J·Gᴴ with it, and tests take it as reference.
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/factors/solve.hpp"
#include "kernels/ldlt/ldlt.hpp"

namespace pivotlab {

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
