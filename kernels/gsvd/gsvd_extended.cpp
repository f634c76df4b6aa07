// Instantiation for long double and Quad, the reference of the tests.
#include "kernels/gsvd/gsvd.hpp"

namespace pivotlab {

template GsvdResult<long double> gsvd(MatrixView<const long double>, MatrixView<const long double>, const GsvdOptions&);
template GsvdResult<long double> gsvd_pointwise(MatrixView<const long double>, MatrixView<const long double>,
                                                const GsvdOptions&);
template GsvdResult<long double> gsvd_in_place(MatrixView<long double>, MatrixView<long double>, const GsvdOptions&);
template GsvdResult<std::complex<long double>> gsvd(MatrixView<const std::complex<long double>>,
                                                    MatrixView<const std::complex<long double>>, const GsvdOptions&);
template GsvdResult<std::complex<long double>> gsvd_pointwise(MatrixView<const std::complex<long double>>,
                                                              MatrixView<const std::complex<long double>>,
                                                              const GsvdOptions&);
template GsvdResult<std::complex<long double>> gsvd_in_place(MatrixView<std::complex<long double>>,
                                                             MatrixView<std::complex<long double>>, const GsvdOptions&);
template GsvdResult<Quad> gsvd(MatrixView<const Quad>, MatrixView<const Quad>, const GsvdOptions&);
template GsvdResult<Quad> gsvd_pointwise(MatrixView<const Quad>, MatrixView<const Quad>, const GsvdOptions&);
template GsvdResult<Quad> gsvd_in_place(MatrixView<Quad>, MatrixView<Quad>, const GsvdOptions&);
template GsvdResult<std::complex<Quad>> gsvd(MatrixView<const std::complex<Quad>>, MatrixView<const std::complex<Quad>>,
                                             const GsvdOptions&);
template GsvdResult<std::complex<Quad>> gsvd_pointwise(MatrixView<const std::complex<Quad>>,
                                                       MatrixView<const std::complex<Quad>>, const GsvdOptions&);
template GsvdResult<std::complex<Quad>> gsvd_in_place(MatrixView<std::complex<Quad>>, MatrixView<std::complex<Quad>>,
                                                      const GsvdOptions&);

}  // namespace pivotlab
