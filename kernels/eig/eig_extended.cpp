// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for long double and Quad, the reference of the tests, with the Schur forms that nothing else needs.
#include "kernels/eig/eig.hpp"
#include "kernels/numerics/dense_instances.hpp"

namespace pivotlab {

template EigResult<long double> eig(MatrixView<const long double>, const EigOptions&);
template EigResult<long double> eig(MatrixView<const std::complex<long double>>, const EigOptions&);
template EigResult<long double> eig_in_place(MatrixView<std::complex<long double>>, const EigOptions&);
template std::vector<EigResult<long double>> eig_batched(MatrixView<const long double>, const EigOptions&);
template std::vector<EigResult<long double>> eig_batched(MatrixView<const std::complex<long double>>,
                                                         const EigOptions&);
template EigResult<Quad> eig(MatrixView<const Quad>, const EigOptions&);
template EigResult<Quad> eig(MatrixView<const std::complex<Quad>>, const EigOptions&);
template EigResult<Quad> eig_in_place(MatrixView<std::complex<Quad>>, const EigOptions&);
template std::vector<EigResult<Quad>> eig_batched(MatrixView<const Quad>, const EigOptions&);
template std::vector<EigResult<Quad>> eig_batched(MatrixView<const std::complex<Quad>>, const EigOptions&);

PIVOTLAB_SCHUR(std::complex<long double>)
PIVOTLAB_SCHUR(std::complex<Quad>)

}  // namespace pivotlab
