// Scalar arithmetic that means the same for every real type.
#pragma once

#include <cmath>
#include <pivotlab/scalar.hpp>
#include <type_traits>

namespace pivotlab {

// Sums in vector loops: OpenMP knows the hardware's types, Quad has to be introduced.
#ifdef _OPENMP
#pragma omp declare reduction(+ : Quad : omp_out += omp_in) initializer(omp_priv = Quad(0))
#endif

/// a·b + c, with one rounding where the hardware has the instruction and two elsewhere: fma() of long double and Quad
/// is software, tens of times slower than what it replaces.
template <class R>
inline R fused(const R& a, const R& b, const R& c) {
  if constexpr (std::is_same_v<R, double> || std::is_same_v<R, float>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

template <class T>
inline RealOf<T> absolute(const T& x) {
  using std::abs;
  return abs(x);
}
template <class R>
inline R square_root(const R& x) {
  using std::sqrt;
  return sqrt(x);
}
template <class R>
inline R with_sign_of(const R& magnitude, const R& sign) {
  if constexpr (std::is_floating_point_v<R>)
    return std::copysign(magnitude, sign);
  else
    return sign < R(0) ? R(-magnitude) : magnitude;
}

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
