// The solver for the hardware's scalars.
#include "kernels/gsvd/driver.hpp"

namespace pivotlab {

template GsvdResult<double> gsvd(MatrixView<const double>, MatrixView<const double>, const GsvdOptions&);
template GsvdResult<double> gsvd_in_place(MatrixView<double>, MatrixView<double>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd(MatrixView<const std::complex<double>>, MatrixView<const std::complex<double>>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd_in_place(MatrixView<std::complex<double>>, MatrixView<std::complex<double>>, const GsvdOptions&);

}  // namespace pivotlab
