// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for double and std::complex<double>.
#include "kernels/gsvd/gsvd.hpp"

namespace pivotlab {

template class TileColumns<double>;
template class TileColumns<std::complex<double>>;
template TileCounters TileSolver<double>::process(MatrixView<double>, MatrixView<double>, MatrixView<double>, Index,
                                                  Index);
template TileCounters TileSolver<std::complex<double>>::process(MatrixView<std::complex<double>>,
                                                                MatrixView<std::complex<double>>,
                                                                MatrixView<std::complex<double>>, Index, Index);

template decltype(gsvd<double>) gsvd<double>;
template decltype(gsvd_pointwise<double>) gsvd_pointwise<double>;
template decltype(gsvd_in_place<double>) gsvd_in_place<double>;
template decltype(gsvd<std::complex<double>>) gsvd<std::complex<double>>;
template decltype(gsvd_pointwise<std::complex<double>>) gsvd_pointwise<std::complex<double>>;
template decltype(gsvd_in_place<std::complex<double>>) gsvd_in_place<std::complex<double>>;

}  // namespace pivotlab
