// Instantiation of the eigensolver for long double, a reference of the tests.
#include "kernels/jacobi/eigh.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

extern template HsvdResult<long double> hsvd(MatrixView<const long double>, const std::vector<int>&,
                                             const HsvdOptions&);
extern template HsvdResult<std::complex<long double>> hsvd(MatrixView<const std::complex<long double>>,
                                                           const std::vector<int>&, const HsvdOptions&);

template EighResult<long double> eigh(MatrixView<const long double>, const EighOptions&);
template EighResult<std::complex<long double>> eigh(MatrixView<const std::complex<long double>>, const EighOptions&);

}  // namespace pivotlab
