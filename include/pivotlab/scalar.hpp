// SPDX-License-Identifier: BSD-3-Clause
// Scalar types of the algorithms, and their names.
#pragma once

#include <pivotlab/quad.hpp>
#include <pivotlab/scalar_traits.hpp>
