// The solver for the hardware's scalars.
#include "kernels/gsvd/driver.hpp"

namespace pivotlab {

void require_valid(const GsvdVariant& variant) {
  if (variant.id < 0 || variant.id > 7)
    throw InputError("variant: ID " + std::to_string(variant.id) + " does not exist; choose 0 to 7 (Table 1)");
  if (variant.width < 2 || variant.width > 128 || variant.width % 2 != 0)
    throw InputError("variant: block width " + std::to_string(variant.width) +
                     " is not usable; choose an even one from 2 to 128");
}

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
