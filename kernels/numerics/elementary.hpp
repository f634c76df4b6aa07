// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions of Quad by Boost.Multiprecision; bits of generated matrices depend on them.
#pragma once

#include <pivotlab/quad.hpp>

namespace pivotlab {

Quad pow(const Quad& x, const Quad& y);  ///< xʸ
Quad sin(const Quad& x);
Quad cos(const Quad& x);
const Quad& pi();

}  // namespace pivotlab
