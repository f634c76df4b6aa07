// Instantiation for long double and Quad, the reference of the tests.
#include "kernels/jacobi/eigh.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

template HsvdResult<long double> hsvd(MatrixView<const long double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<std::complex<long double>> hsvd(MatrixView<const std::complex<long double>>,
                                                    const std::vector<int>&, const HsvdOptions&);
template HsvdResult<Quad> hsvd(MatrixView<const Quad>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<std::complex<Quad>> hsvd(MatrixView<const std::complex<Quad>>, const std::vector<int>&,
                                             const HsvdOptions&);

template EighResult<long double> eigh(MatrixView<const long double>, const EighOptions&);
template EighResult<std::complex<long double>> eigh(MatrixView<const std::complex<long double>>, const EighOptions&);
template EighResult<Quad> eigh(MatrixView<const Quad>, const EighOptions&);
template EighResult<std::complex<Quad>> eigh(MatrixView<const std::complex<Quad>>, const EighOptions&);

}  // namespace pivotlab
