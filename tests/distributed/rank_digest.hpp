// SPDX-License-Identifier: BSD-3-Clause
// One line that is equal for two distributed decompositions with the same bits on every rank.
#pragma once

#include "on_ranks.hpp"

#include "tests/digests/exact.hpp"

#include <fmt/format.h>

namespace pivotlab::test {

/// Uses narrow blocks on the host; the GPU has no such blocks.
inline DistributedGsvdOptions digest_options(Backend backend = Backend::host) {
  return options_for(backend == Backend::host ? "DHZ0-(ME-BO, ME-FB-ME);w=8" : "DHZ0-(ME-BO, ME-FB-ME)", backend);
}

template <class T>
std::uint64_t digest_of_part(Transport& transport, DistributedGsvdOptions options) {
  if (!options.checkpoint.path.empty()) options.checkpoint.path += is_complex<T> ? 'z' : 'd';
  const GsvdStripes<T> part = solve_part(transport, random_pair<T>(75, 80, 70), options);
  Fnv1a fnv;
  fnv.add(part.columns.data(), part.columns.size() * sizeof(Index));
  for (const Matrix<T>* A : {&part.U, &part.V, &part.Z})
    fnv.add(A->data(), static_cast<std::size_t>(A->size()) * sizeof(T));
  for (const auto* sigma : {&part.sigma_f, &part.sigma_g, &part.sigma})
    fnv.add(sigma->data(), sigma->size() * sizeof(RealOf<T>));
  return fnv.value();
}

/// Returns the digests for a real and a complex pair, on all ranks.
inline std::string digests_by_rank(Transport& transport, const DistributedGsvdOptions& options) {
  std::string line;
  for (const std::uint64_t digest :
       {digest_of_part<double>(transport, options), digest_of_part<std::complex<double>>(transport, options)})
    for (const std::uint64_t of_rank : gather_values(transport, digest)) line += fmt::format("{:016x} ", of_rank);
  return line;
}

}  // namespace pivotlab::test
