// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/threads.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/threads.hpp>

#include <pthread.h>

#include <algorithm>
#include <string>

namespace pivotlab {
namespace {

/// Lets the child of a fork compute. A thread keeps its team of OpenMP for its next parallel region; no team survives a
/// fork, but GCC's OpenMP does not know it and waits for the team forever. Hence a thread that forks ends its team
/// first, and the next region, in either process, makes a new one.
struct EndTeamAtFork {
  EndTeamAtFork() {
    ::pthread_atfork([] { omp_pause_resource_all(omp_pause_soft); }, nullptr, nullptr);
  }
} const end_team_at_fork;

}  // namespace

int thread_count(int requested) {
  if (requested > most_threads)
    throw InputError("threads: " + std::to_string(requested) + " are more than " + std::to_string(most_threads) +
                     ", the largest number; take fewer");
  return requested > 0 ? requested : std::min(omp_get_max_threads(), most_threads);
}

}  // namespace pivotlab
