// SPDX-License-Identifier: BSD-3-Clause
// Digests of the second stage and of divide and conquer. Cases are lines "type n decay": a band matrix of type d or z
// and order n whose elements in row i and column j have a magnitude of 2^(−decay·(i + j)), or a dense one of type r or
// c; or, of type t, a tridiagonal matrix with magnitudes of 2^(−decay·i), of type w, copies of Wilkinson's matrix of
// order 21, coupled by 2^(−decay).
#include "tests/digests/digests.hpp"
#include "tests/two_stage/band.hpp"
#include "tests/two_stage/band_matrix.hpp"
#include "tests/two_stage/tridiagonal.hpp"

#include "kernels/exec/host_executor.hpp"

#include <cmath>
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

template <class T>
std::uint64_t dense_digest(Index n, double decay, [[maybe_unused]] Backend backend) {
  const std::vector<T> A = band_matrix<T>(n, decay, n);
  const Tridiagonal<T> result = [&] {
#ifdef PIVOTLAB_BAND_ON_CUDA
    if (backend == Backend::cuda) return tridiagonalized_on_cuda(A, n);
#endif
    HostExecutor executor;
    return n > 256 ? tridiagonalized<16, 2>(executor, A, n) : tridiagonalized<16, 1>(executor, A, n);
  }();
  Fnv1a fnv;
  for (const auto* values : {&result.diagonal, &result.off_diagonal})
    fnv.add(values->data(), values->size() * sizeof(double));
  for (const auto* values : {&result.reflectors, &result.inverse_tau})
    fnv.add(values->data(), values->size() * sizeof(T));
  return fnv.value();
}

std::uint64_t tridiagonal_digest(Index n, double decay, bool wilkinson, [[maybe_unused]] Backend backend) {
  std::vector<double> d, e;
  ExactNumbers numbers;
  for (Index i = 0; i < n; ++i) {
    const int shift = -static_cast<int>(decay * static_cast<double>(i)), row = static_cast<int>(i % 21);
    d.push_back(wilkinson ? std::fabs(row - 10.0) : std::ldexp(numbers.next(), shift));
    if (i + 1 < n)
      e.push_back(!wilkinson ? std::ldexp(numbers.next(), shift)
                  : row < 20 ? 1
                             : std::ldexp(1.0, -static_cast<int>(decay)));
  }
  const TridiagonalVectors result = [&] {
#ifdef PIVOTLAB_BAND_ON_CUDA
    if (backend == Backend::cuda) return tridiagonal_vectors_on_cuda(d, e);
#endif
    HostExecutor executor;
    return tridiagonal_vectors(executor, d, e);
  }();
  Fnv1a fnv;
  for (const auto* values : {&result.lambda, &result.X, &result.lambda_alone})
    fnv.add(values->data(), values->size() * sizeof(double));
  return fnv.value();
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  std::istringstream words(name);
  char type = 0;
  Index n = 0;
  double decay = 0;
  if (!(words >> type >> n >> decay) || std::string_view("dzrctw").find(type) == std::string_view::npos)
    throw InputError("digests: '" + name + "': not 'type n decay'; correct the line");
  if (type == 'r') return dense_digest<double>(n, decay, backend);
  if (type == 'c') return dense_digest<std::complex<double>>(n, decay, backend);
  if (type == 't' || type == 'w') return tridiagonal_digest(n, decay, type == 'w', backend);
  return type == 'd' ? digest<double>(n, decay, backend) : digest<std::complex<double>>(n, decay, backend);
}

}  // namespace pivotlab::test
