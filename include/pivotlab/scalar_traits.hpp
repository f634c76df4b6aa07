// SPDX-License-Identifier: BSD-3-Clause
// Properties of scalars: real type, whether complex, letter. This header is plain C++, which a device compiler also
// reads.
#pragma once

#include <complex>
#include <limits>
#include <type_traits>

namespace pivotlab {

template <class T>
struct ScalarTraits {
  using Real = T;
  static constexpr bool is_complex = false;
};
template <class R>
struct ScalarTraits<std::complex<R>> {
  using Real = R;
  static constexpr bool is_complex = true;
};

template <class T>
using RealOf = typename ScalarTraits<T>::Real;
template <class T>
inline constexpr bool is_complex = ScalarTraits<T>::is_complex;

/// The same kind of scalar (real or complex) over another real type: Rebind<std::complex<double>, Quad> is
/// std::complex<Quad>.
template <class T, class R>
using Rebind = std::conditional_t<is_complex<T>, std::complex<R>, R>;

/// Returns the unit roundoff 2⁻ᵖ of a p-bit significand (half of numeric_limits::epsilon).
template <class R>
constexpr R unit_roundoff() {
  return std::numeric_limits<R>::epsilon() / R(2);
}

template <class T>
constexpr T conjugate(const T& x) {
  if constexpr (is_complex<T>)
    return T(x.real(), -x.imag());
  else
    return x;
}
template <class T>
constexpr RealOf<T> real_part(const T& x) {
  if constexpr (is_complex<T>)
    return x.real();
  else
    return x;
}

/// LAPACK's letter of a scalar type, as in the names of variants and baselines.
enum class ScalarType : char { d = 'd', z = 'z' };
template <class T>
inline constexpr ScalarType scalar_type = is_complex<T> ? ScalarType::z : ScalarType::d;

}  // namespace pivotlab
