// SPDX-License-Identifier: BSD-3-Clause
// Base tables of the generalized Mantharam–Eberlein strategy.
#pragma once

#include <pivotlab/matrix.hpp>

#include <string_view>

namespace pivotlab {

/// Returns the (b − 1) × (b/2) larger indices, as '0' + q, of the base table of order b = 2, 6, 10, …, 42; empty for
/// other b.
std::string_view me_base_table(Index order);

}  // namespace pivotlab
