// Scalars: which types the algorithms take and how they are named.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <complex>
#include <limits>
#include <pivotlab/scalar_traits.hpp>
#include <string_view>

namespace pivotlab {

/// IEEE binary128: 113-bit significand, expression templates off. Truth is made and judged in it.
using Quad = boost::multiprecision::cpp_bin_float_quad;

}  // namespace pivotlab
