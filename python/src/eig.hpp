// An eigendecomposition as a dictionary of arrays.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/eig.hpp>

#include <vector>

#include "python/src/arrays.hpp"

namespace pivotlab::python {

/// Returns norm, lower, departure, largest_tau and seconds of each iterate.
nb::list list_of(const std::vector<EigSweep<double>>& history);

/// Returns the result with the members in a dictionary that a solver gave, or that a caller has filled with arrays of
/// his own; missing members are empty.
EigResult<double> eig_result_of(const nb::dict& members);

}  // namespace pivotlab::python
