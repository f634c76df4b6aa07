// Scalar arithmetic that means the same for every real type.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar.hpp>
#include <type_traits>

namespace pivotlab {

// Sums in vector loops: OpenMP knows the hardware's types, Quad has to be introduced.
#ifdef _OPENMP
#pragma omp declare reduction(+ : Quad : omp_out += omp_in) initializer(omp_priv = Quad(0))
#endif

}  // namespace pivotlab
