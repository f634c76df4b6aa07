// Instantiation of the generalized hyperbolic SVD for Quad: the truth of tests.
#include "kernels/jacobi/ghsvd.hpp"

namespace pivotlab {

using QuadComplex = std::complex<Quad>;

template GhsvdResult<Quad> ghsvd(MatrixView<const Quad>, MatrixView<const Quad>, const std::vector<int>&,
                                 const GhsvdOptions&);
template GhsvdResult<QuadComplex> ghsvd(MatrixView<const QuadComplex>, MatrixView<const QuadComplex>,
                                        const std::vector<int>&, const GhsvdOptions&);

}  // namespace pivotlab
