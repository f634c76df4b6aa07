// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for Quad: the truth of judges and of tests.
#include "kernels/jacobi/eigh.hpp"
#include "kernels/jacobi/ghsvd.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

using QuadComplex = std::complex<Quad>;

template HsvdResult<Quad> hsvd(MatrixView<const Quad>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<QuadComplex> hsvd(MatrixView<const QuadComplex>, const std::vector<int>&, const HsvdOptions&);

template EighResult<Quad> eigh(MatrixView<const Quad>, const EighOptions&);
template EighResult<QuadComplex> eigh(MatrixView<const QuadComplex>, const EighOptions&);

template GhsvdResult<Quad> ghsvd(MatrixView<const Quad>, MatrixView<const Quad>, const std::vector<int>&,
                                 const GhsvdOptions&);
template GhsvdResult<QuadComplex> ghsvd(MatrixView<const QuadComplex>, MatrixView<const QuadComplex>,
                                        const std::vector<int>&, const GhsvdOptions&);

}  // namespace pivotlab
