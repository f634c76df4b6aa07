// SPDX-License-Identifier: BSD-3-Clause
// Digests of the second stage. Cases are lines "n decay": a band matrix of order n whose elements in row i and column
// j have a magnitude of 2^(−decay·(i + j)).
#include "tests/digests/digests.hpp"
#include "tests/two_stage/band.hpp"
#include "tests/two_stage/band_matrix.hpp"

#include "kernels/exec/host_executor.hpp"

#include <pivotlab/error.hpp>
#include <sstream>

namespace pivotlab::test {

std::uint64_t compute_digest(const std::string& name, [[maybe_unused]] Backend backend) {
  std::istringstream words(name);
  Index n = 0;
  double decay = 0;
  if (!(words >> n >> decay)) throw InputError("digests: '" + name + "': not 'n decay'; correct the line");
  const std::vector<double> A = band_matrix(n, decay);
  const ReducedBand result = [&] {
#ifdef PIVOTLAB_BAND_ON_CUDA
    if (backend == Backend::cuda) return reduced_band_on_cuda(A, n);
#endif
    HostExecutor executor;
    return reduced_band<1>(executor, A, n);
  }();
  Fnv1a fnv;
  for (const auto* values : {&result.diagonal, &result.off_diagonal, &result.Q})
    fnv.add(values->data(), values->size() * sizeof(double));
  return fnv.value();
}

}  // namespace pivotlab::test
