// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <pivotlab/quad.hpp>

#include <ostream>

// The C library has these functions, but its headers declare them only for GCC.
extern "C" {
pivotlab::Quad::Native sqrtf128(pivotlab::Quad::Native) noexcept;
pivotlab::Quad::Native ldexpf128(pivotlab::Quad::Native, int) noexcept;
pivotlab::Quad::Native frexpf128(pivotlab::Quad::Native, int*) noexcept;
int ilogbf128(pivotlab::Quad::Native) noexcept;
}

namespace pivotlab {

using boost::multiprecision::cpp_bin_float_quad;

Quad sqrt(const Quad& x) {
  return sqrtf128(x.native());
}
Quad ldexp(const Quad& x, int e) {
  return ldexpf128(x.native(), e);
}
Quad frexp(const Quad& x, int* e) {
  return frexpf128(x.native(), e);
}
int ilogb(const Quad& x) {
  return ilogbf128(x.native());
}

Quad pow(const Quad& x, const Quad& y) {
  return to_quad(cpp_bin_float_quad(pow(to_long<cpp_bin_float_quad>(x), to_long<cpp_bin_float_quad>(y))));
}
Quad sin(const Quad& x) {
  return to_quad(cpp_bin_float_quad(sin(to_long<cpp_bin_float_quad>(x))));
}
Quad cos(const Quad& x) {
  return to_quad(cpp_bin_float_quad(cos(to_long<cpp_bin_float_quad>(x))));
}
const Quad& pi() {
  static const Quad value = to_quad(
      cpp_bin_float_quad(boost::multiprecision::default_ops::get_constant_pi<cpp_bin_float_quad::backend_type>()));
  return value;
}

std::ostream& operator<<(std::ostream& out, const Quad& x) {
  return out << to_long<cpp_bin_float_quad>(x);
}

}  // namespace pivotlab
