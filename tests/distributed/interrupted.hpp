// SPDX-License-Identifier: BSD-3-Clause
// Decompositions over ranks that are interrupted at any call of the transport.
#pragma once

#include "failing_transport.hpp"
#include "on_ranks.hpp"

#include <stdexcept>

namespace pivotlab::test {

struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs until the last rank calls the transport for the k-th time. Returns the number of its calls.
template <class T>
int run(const TestPair<T>& pair, int ranks, const DistributedGsvdOptions& options, int k, const CopyBytes& copy = {}) {
  int calls = 0;
  const auto work = [&](Transport& transport) {
    const bool last = transport.rank() == ranks - 1;
    FailingTransport failing(transport, last ? k : 0, [] { throw Interrupted("interrupted"); });
    solve_part(failing, pair, options);
    if (last) calls = failing.calls();
  };
  run_on_threads(ranks, work, copy);
  return calls;
}

/// Returns whether the k-th call was reached.
template <class T>
bool interrupt(const TestPair<T>& pair, int ranks, const DistributedGsvdOptions& options, int k,
               const CopyBytes& copy = {}) {
  try {
    run(pair, ranks, options, k, copy);
    return false;
  } catch (const Interrupted&) {
    return true;
  }
}

/// Returns the number of calls of an uninterrupted run, which leaves no files.
template <class T>
int calls_of(const TestPair<T>& pair, int ranks, const DistributedGsvdOptions& options, const CopyBytes& copy = {}) {
  return run(pair, ranks, options, 0, copy);
}

}  // namespace pivotlab::test
