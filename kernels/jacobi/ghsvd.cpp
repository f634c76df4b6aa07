// Instantiation of the generalized hyperbolic SVD for double and std::complex<double>.
#include "kernels/jacobi/ghsvd.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template GhsvdResult<double> ghsvd(MatrixView<const double>, MatrixView<const double>, const std::vector<int>&,
                                   const GhsvdOptions&);
template GhsvdResult<Complex> ghsvd(MatrixView<const Complex>, MatrixView<const Complex>, const std::vector<int>&,
                                    const GhsvdOptions&);

}  // namespace pivotlab
