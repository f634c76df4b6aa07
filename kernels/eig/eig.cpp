// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for double and std::complex<double>.
#include "kernels/eig/eig.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template EigResult<double> eig(MatrixView<const double>, const EigOptions&);
template EigResult<double> eig(MatrixView<const Complex>, const EigOptions&);
template EigResult<double> eig_in_place(MatrixView<Complex>, const EigOptions&);
template std::vector<EigResult<double>> eig_batched(MatrixView<const double>, const EigOptions&);
template std::vector<EigResult<double>> eig_batched(MatrixView<const Complex>, const EigOptions&);

}  // namespace pivotlab
