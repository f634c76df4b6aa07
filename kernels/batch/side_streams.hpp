// SPDX-License-Identifier: BSD-3-Clause
// Batches on streams of a GPU that run side by side.
#pragma once

#include <pivotlab/batch.hpp>

namespace pivotlab::batch {

/// Calls solve(k, own) with a stream of the current device in `own`. These streams wait for options.stream, which then
/// waits for them. Throws CudaError.
void solve_on_side_streams(Index count, const BatchOptions& options, const detail::SolveBatch& solve);

}  // namespace pivotlab::batch
