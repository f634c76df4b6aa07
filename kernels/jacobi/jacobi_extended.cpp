// Instantiation for long double and Quad, the reference of the tests.
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

template HsvdResult<long double> hsvd(MatrixView<const long double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<std::complex<long double>> hsvd(MatrixView<const std::complex<long double>>,
                                                    const std::vector<int>&, const HsvdOptions&);
template HsvdResult<Quad> hsvd(MatrixView<const Quad>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<std::complex<Quad>> hsvd(MatrixView<const std::complex<Quad>>, const std::vector<int>&,
                                             const HsvdOptions&);

}  // namespace pivotlab
