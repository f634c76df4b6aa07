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

template GsvdResult<double> gsvd(MatrixView<const double>, MatrixView<const double>, const GsvdOptions&);
template GsvdResult<double> gsvd_pointwise(MatrixView<const double>, MatrixView<const double>, const GsvdOptions&);
template GsvdResult<double> gsvd_in_place(MatrixView<double>, MatrixView<double>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd(MatrixView<const std::complex<double>>,
                                               MatrixView<const std::complex<double>>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd_pointwise(MatrixView<const std::complex<double>>,
                                                         MatrixView<const std::complex<double>>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd_in_place(MatrixView<std::complex<double>>,
                                                        MatrixView<std::complex<double>>, const GsvdOptions&);

}  // namespace pivotlab
