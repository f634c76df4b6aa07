// SPDX-License-Identifier: BSD-3-Clause
// Digests of the second stage. Cases are lines "type n decay": a band matrix of type d or z and order n whose elements
// in row i and column j have a magnitude of 2^(−decay·(i + j)).
#include "tests/digests/digests.hpp"
#include "tests/two_stage/band.hpp"
#include "tests/two_stage/band_matrix.hpp"

#include "kernels/exec/host_executor.hpp"

#include <pivotlab/error.hpp>
#include <sstream>

namespace pivotlab::test {
namespace {

template <class T>
std::uint64_t digest(Index n, double decay, [[maybe_unused]] Backend backend) {
  const std::vector<T> A = band_matrix<T>(n, decay);
  const ReducedBand<T> result = [&] {
#ifdef PIVOTLAB_BAND_ON_CUDA
    if (backend == Backend::cuda) return reduced_band_on_cuda(A, n);
#endif
    HostExecutor executor;
    return reduced_band<1>(executor, A, n);
  }();
  Fnv1a fnv;
  for (const auto* values : {&result.diagonal, &result.off_diagonal})
    fnv.add(values->data(), values->size() * sizeof(double));
  fnv.add(result.Q.data(), result.Q.size() * sizeof(T));
  return fnv.value();
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  std::istringstream words(name);
  char type = 0;
  Index n = 0;
  double decay = 0;
  if (!(words >> type >> n >> decay) || (type != 'd' && type != 'z'))
    throw InputError("digests: '" + name + "': not 'type n decay'; correct the line");
  return type == 'd' ? digest<double>(n, decay, backend) : digest<std::complex<double>>(n, decay, backend);
}

}  // namespace pivotlab::test
