// Instantiation for Quad: the truth of the judge.
#include "kernels/jacobi/eigh.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

using QuadComplex = std::complex<Quad>;

template HsvdResult<Quad> hsvd(MatrixView<const Quad>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<QuadComplex> hsvd(MatrixView<const QuadComplex>, const std::vector<int>&, const HsvdOptions&);

template EighResult<Quad> eigh(MatrixView<const Quad>, const EighOptions&);
template EighResult<QuadComplex> eigh(MatrixView<const QuadComplex>, const EighOptions&);

}  // namespace pivotlab
