// General matrices in words.
#pragma once

#include <pivotlab/general.hpp>
#include <string>

namespace pivotlab::cli {

/// "64 x 64, complex: grcar, seed 1", one line.
std::string describe(const AnyGeneral& matrix);

}  // namespace pivotlab::cli
