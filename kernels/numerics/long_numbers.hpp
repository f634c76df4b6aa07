// SPDX-License-Identifier: BSD-3-Clause
// Conversion between Quad and numbers of Boost.Multiprecision that have at least as many digits. Include this header in
// sources only: it takes seconds to compile.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <pivotlab/quad.hpp>

namespace pivotlab {

/// Converts without rounding. Long has at least 113 bits.
template <class Long>
Long to_long(const Quad& x) {
  if (!isfinite(x)) return Long(static_cast<double>(x));
  int exponent;
  Quad rest = frexp(x, &exponent);
  Long sum(0);
  for (int part = 0; part < 3; ++part) {  // three doubles hold the 113 bits of a significand in [1/2, 1)
    const auto leading = static_cast<double>(rest);
    sum += leading;
    rest -= leading;
  }
  return ldexp(sum, exponent);
}

/// Converts with rounding to nearest. The exponent is split off first: Boost converts exponents wrongly that the
/// shorter type does not have by far.
template <class Backend, boost::multiprecision::expression_template_option option>
Quad to_quad(const boost::multiprecision::number<Backend, option>& x) {
  using boost::multiprecision::cpp_bin_float_quad;
  if (!isfinite(x) || x == 0) return Quad(static_cast<double>(x));
  int exponent;
  auto rest = static_cast<cpp_bin_float_quad>(frexp(x, &exponent));
  Quad sum(0);
  for (int part = 0; part < 3; ++part) {
    const auto leading = static_cast<double>(rest);
    sum += leading;
    rest -= leading;
  }
  return ldexp(sum, exponent);
}

}  // namespace pivotlab
