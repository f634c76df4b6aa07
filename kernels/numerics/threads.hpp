// SPDX-License-Identifier: BSD-3-Clause
// The number of threads of a parallel region.
#pragma once

#include <omp.h>

namespace pivotlab {

/// Returns the requested number of threads; 0 means OpenMP's choice. Throws InputError for more than most_threads.
int thread_count(int requested);

}  // namespace pivotlab
