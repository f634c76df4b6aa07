// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "tests/two_stage/band.hpp"
#include "tests/two_stage/tridiagonal.hpp"

namespace pivotlab::test {

template <class T>
ReducedBand<T> reduced_band_on_cuda(const std::vector<T>& A, Index n) {
  CudaExecutor executor;
  constexpr int tiles = is_complex<T> ? 3 : 5;
  return reduced_band<tiles>(executor, A, n);
}
template ReducedBand<double> reduced_band_on_cuda(const std::vector<double>&, Index);
template ReducedBand<std::complex<double>> reduced_band_on_cuda(const std::vector<std::complex<double>>&, Index);

template <class T>
Tridiagonal<T> tridiagonalized_on_cuda(const std::vector<T>& A, Index n) {
  CudaExecutor executor;
  return n > 256 ? tridiagonalized<4, 2>(executor, A, n) : tridiagonalized<2, 1>(executor, A, n);
}
template Tridiagonal<double> tridiagonalized_on_cuda(const std::vector<double>&, Index);
template Tridiagonal<std::complex<double>> tridiagonalized_on_cuda(const std::vector<std::complex<double>>&, Index);

TridiagonalVectors tridiagonal_vectors_on_cuda(const std::vector<double>& d, const std::vector<double>& e) {
  CudaExecutor executor;
  return tridiagonal_vectors(executor, d, e);
}

}  // namespace pivotlab::test
