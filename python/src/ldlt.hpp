// SPDX-License-Identifier: BSD-3-Clause
// Arguments and parts of symmetric indefinite factorizations.
#pragma once

#include <pivotlab/ldlt.hpp>

#include <vector>

#include "python/src/arrays.hpp"
#include "python/src/symmetry.hpp"

namespace pivotlab::python {

/// Returns first row, size, growth and condition of the stages.
nb::dict stages_of(const std::vector<LdltStage<double>>& stages);

}  // namespace pivotlab::python
