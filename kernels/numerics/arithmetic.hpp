// SPDX-License-Identifier: BSD-3-Clause
// Scalar arithmetic with the same meaning for every real type.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar.hpp>
#include <type_traits>

namespace pivotlab {

// Declares sums of Quad in vector loops to OpenMP, which knows only built-in types.
#ifdef _OPENMP
#pragma omp declare reduction(+ : Quad : omp_out += omp_in) initializer(omp_priv = Quad(0))
#endif

}  // namespace pivotlab
