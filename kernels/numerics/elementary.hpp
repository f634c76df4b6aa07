// Elementary functions of Quad, as Boost.Multiprecision computes them: their bits are part of generated matrices.
#pragma once

#include <pivotlab/quad.hpp>

namespace pivotlab {

Quad pow(const Quad& x, const Quad& y);  ///< xʸ
Quad sin(const Quad& x);
Quad cos(const Quad& x);
const Quad& pi();

}  // namespace pivotlab
