// Instances of the functions of reduction.hpp. Included at the end of the source that defines them.
#pragma once

#include "kernels/gsvd/any/reduction.hpp"

namespace pivotlab::any {

using Complex = std::complex<double>;
template void set_r_and_q(MatrixView<const double>, AnyGsvdResult<double>&);
template void set_r_and_q(MatrixView<const Complex>, AnyGsvdResult<Complex>&);
template std::unique_ptr<Reduction<double>> reduce(MatrixView<const double>, MatrixView<const double>,
                                                   const AnyGsvdOptions&);
template std::unique_ptr<Reduction<Complex>> reduce(MatrixView<const Complex>, MatrixView<const Complex>,
                                                    const AnyGsvdOptions&);

}  // namespace pivotlab::any
