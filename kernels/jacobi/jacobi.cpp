// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for double and std::complex<double>.
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/jacobi/eigh.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template HsvdResult<double> hsvd(MatrixView<const double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<Complex> hsvd(MatrixView<const Complex>, const std::vector<int>&, const HsvdOptions&);

template HsvdVariant choose_hsvd_variant(MatrixView<const double>, const std::vector<int>&, Backend, int);
template HsvdVariant choose_hsvd_variant(MatrixView<const Complex>, const std::vector<int>&, Backend, int);

template EighResult<double> eigh(MatrixView<const double>, const EighOptions&);
template EighResult<Complex> eigh(MatrixView<const Complex>, const EighOptions&);

}  // namespace pivotlab
