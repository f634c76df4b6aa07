// Hermitian eigendecompositions and singular value decompositions as dictionaries of arrays.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pivotlab/eigh.hpp>
#include <pivotlab/jacobi.hpp>

#include <vector>

#include "python/src/arrays.hpp"

namespace pivotlab::python {

nb::list list_of(const std::vector<HsvdSweep>& sweeps);

/// Returns the diagonal of J as int.
std::vector<int> signs_of(const InVector<Index>& J);

/// Return the result with the members in a dictionary that a solver gave, or that a caller has filled with arrays of
/// his own; missing members are empty. Sweeps have no values, only their number.
template <class T>
EighResult<T> eigh_result_of(const nb::dict& members);
template <class T>
HsvdResult<T> hsvd_result_of(const nb::dict& members);

}  // namespace pivotlab::python
