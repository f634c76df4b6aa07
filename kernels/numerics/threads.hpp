// How many threads a parallel region gets.
#pragma once

#include <omp.h>

namespace pivotlab {

/// The number of threads that a user asks for; 0 leaves the choice to OpenMP.
inline int thread_count(int requested) {
  return requested > 0 ? requested : omp_get_max_threads();
}

}  // namespace pivotlab
