// What the readers need of the factorization, without the rest of it.
#include "kernels/ldlt/ldlt.hpp"

namespace pivotlab {

template PackedTriangle<double> pack(MatrixView<const double>, InputTriangle, Symmetry);
template PackedTriangle<std::complex<double>> pack(MatrixView<const std::complex<double>>, InputTriangle, Symmetry);

}  // namespace pivotlab
