// Instantiation for double and std::complex<double>.
#include "kernels/jacobi/jacobi.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template HsvdResult<double> hsvd(MatrixView<const double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<Complex> hsvd(MatrixView<const Complex>, const std::vector<int>&, const HsvdOptions&);

}  // namespace pivotlab
