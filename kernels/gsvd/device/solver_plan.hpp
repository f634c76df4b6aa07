// SPDX-License-Identifier: BSD-3-Clause
// Plan of a device solution from shape and options.
#pragma once

#include "kernels/gsvd/device/device_solver.hpp"

#include <pivotlab/gsvd.hpp>

namespace pivotlab::device {

/// Plans the solution of an m_F × n and an m_G × n matrix that need no scaling. Throws NotSupported for block widths
/// without kernels.
SolverPlan make_plan(bool complex, Index m_f, Index m_g, Index n, const GsvdOptions& options);

/// Plans the sweeps over two stripes with `columns` columns together, of such a pair bordered to `order` columns; with
/// `across` also the sweeps over the pairs across the stripes.
SolverPlan make_stripes_plan(bool complex, Index m_f, Index m_g, Index n, Index order, Index columns, bool across,
                             const GsvdOptions& options);

}  // namespace pivotlab::device
