// The number of threads of a parallel region.
#pragma once

#include <omp.h>

namespace pivotlab {

/// Returns the requested number of threads; 0 means OpenMP's choice.
inline int thread_count(int requested) {
  return requested > 0 ? requested : omp_get_max_threads();
}

}  // namespace pivotlab
