// Scalar arithmetic that means the same for every real type.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <pivotlab/scalar.hpp>
#include <type_traits>

namespace pivotlab {

// Sums in vector loops: OpenMP knows the hardware's types, Quad has to be introduced.
#ifdef _OPENMP
#pragma omp declare reduction(+ : Quad : omp_out += omp_in) initializer(omp_priv = Quad(0))
#endif

/// |x|² without the square root.
template <class T>
inline RealOf<T> squared_magnitude(const T& x) {
  if constexpr (is_complex<T>)
    return fused(x.real(), x.real(), RealOf<T>(x.imag() * x.imag()));
  else
    return x * x;
}

/// |Re x| + |Im x|, or |x|: within √2 of the magnitude, and never overflows before it does.
template <class T>
inline RealOf<T> magnitude_1(const T& x) {
  if constexpr (is_complex<T>)
    return absolute(x.real()) + absolute(x.imag());
  else
    return absolute(x);
}

}  // namespace pivotlab
