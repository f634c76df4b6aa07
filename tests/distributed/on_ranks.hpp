// SPDX-License-Identifier: BSD-3-Clause
// Distributed decompositions of whole pairs, for tests: every rank takes its columns and puts its part of the result in
// place.
#pragma once

#include "tests/gsvd/problems.hpp"

#include <pivotlab/distributed_gsvd.hpp>

#include <complex>
#include <mutex>

namespace pivotlab::test {

/// Returns this rank's part of the decomposition of a pair that is the same on all ranks.
template <class T>
GsvdStripes<T> solve_part(Transport& transport, const TestPair<T>& pair, const DistributedGsvdOptions& options) {
  const Index n = pair.F.cols();
  const auto mine = stripe_columns(n, options.variant, transport.size(), transport.rank());
  return gsvd_distributed<T>(transport, columns_of(pair.F, mine), columns_of(pair.G, mine), n, options);
}

template <class T>
void put(const Matrix<T>& part, const std::vector<Index>& columns, Matrix<T>& whole) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    std::ranges::copy(part.col(static_cast<Index>(j)), whole.col(columns[j]).begin());
}

/// Returns the whole decomposition, computed by threads as ranks.
template <class T>
GsvdResult<T> solve_on_threads(const TestPair<T>& pair, int ranks, const DistributedGsvdOptions& options,
                               const CopyBytes& copy = {}) {
  const Index n = pair.F.cols();
  GsvdResult<T> whole;
  whole.U = Matrix<T>(pair.F.rows(), n), whole.V = Matrix<T>(pair.G.rows(), n), whole.Z = Matrix<T>(n, n);
  std::mutex mutex;
  const auto work = [&](Transport& transport) {
    const GsvdStripes<T> part = solve_part(transport, pair, options);
    const std::scoped_lock lock(mutex);
    put(part.U, part.columns, whole.U);
    put(part.V, part.columns, whole.V);
    put(part.Z, part.columns, whole.Z);
    whole.status = part.status, whole.message = part.message;
    whole.sigma_f = part.sigma_f, whole.sigma_g = part.sigma_g, whole.sigma = part.sigma;
    whole.sweeps = part.sweeps;
  };
  run_on_threads(ranks, work, copy);
  return whole;
}

inline DistributedGsvdOptions options_for(const std::string& variant, Backend backend = Backend::host) {
  return {.variant = parse_distributed_variant(variant).variant, .backend = backend, .threads = 1};
}

}  // namespace pivotlab::test
