// SPDX-License-Identifier: BSD-3-Clause
// Converts what exact products on the host and on a GPU report to dictionaries of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <pivotlab/exact.hpp>

namespace pivotlab::python {

/// Returns moduli, exact, relative_bound, rows_not_finite and columns_not_finite.
nanobind::dict to_dict(const ExactReport& report);

}  // namespace pivotlab::python
