// A GSVD as a dictionary of arrays.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/gsvd_any.hpp>

#include "python/src/arrays.hpp"

namespace pivotlab::python {

/// Returns the members of a result, which are moved. Matrices that were not computed are None.
template <class T>
nb::dict to_dict(AnyGsvdResult<T> result, const std::string& variant);

/// Returns the result with the members in a dictionary that to_dict() gave, or that a caller has filled with arrays of
/// his own; missing members are empty.
template <class T>
AnyGsvdResult<T> gsvd_result_of(const nb::dict& members);

}  // namespace pivotlab::python
