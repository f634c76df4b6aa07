// SPDX-License-Identifier: BSD-3-Clause
// Batches of different shapes in one call.
#include "kernels/batch/side_streams.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/numerics/threads.hpp"

#include <pivotlab/device.hpp>

#include <exception>

namespace pivotlab::detail {
namespace {

void solve_side_by_side(Index count, int threads, const SolveBatch& solve) {
  BatchOptions own;
  own.threads = 1;
  std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index k = 0; k < count; ++k) try {
      solve(k, own);
    } catch (...) {
#pragma omp critical(pivotlab_batches)
      error = std::current_exception();
    }
  if (error) std::rethrow_exception(error);
}

}  // namespace

void solve_batches(Index count, const BatchOptions& options, const SolveBatch& solve) {
  if (options.backend == Backend::cuda) {
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
    return on_cuda<batch::solve_on_side_streams>(count, options, solve);
  }
  const int threads = thread_count(options.threads);
  if (options.backend == Backend::host && count >= threads) return solve_side_by_side(count, threads, solve);
  for (Index k = 0; k < count; ++k) solve(k, options);
}

}  // namespace pivotlab::detail
