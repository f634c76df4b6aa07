// SPDX-License-Identifier: BSD-3-Clause
// Instantiation of the generalized hyperbolic SVD for double and std::complex<double>.
#include "kernels/jacobi/ghsvd.hpp"

namespace pivotlab {

using Complex = std::complex<double>;

template decltype(ghsvd<double>) ghsvd<double>;
template decltype(ghsvd<Complex>) ghsvd<Complex>;

}  // namespace pivotlab
