// SPDX-License-Identifier: BSD-3-Clause
// Batches of general matrices.
#include "kernels/batch/calls.hpp"

#include <complex>
#include <pivotlab/eig.hpp>

namespace pivotlab {
namespace {

using namespace batch;
using Complex = std::complex<double>;

template <class T>
void find_eigenpairs_on_host(MatrixBatch<const T> A, const EigBatch& result, const BatchOptions& options) {
  const Index n = A.rows;
  const EigOptions single{.right_vectors = result.V.data != nullptr, .threads = 1};
  for_matrices(
      A.count, options.threads,
      [&](Index k) {
        const EigResult<double> r = eig<T>(A[k], single);
        store(result.eigenvalues, k, r.eigenvalues), store(result.V, k, r.V);
        result.status[k] = static_cast<int>(r.status);
      },
      [&](Index k) {
        fill(result.eigenvalues, k, n, all_nan<Complex>), fill(result.V, k, all_nan<Complex>);
        result.status[k] = Outcome::failed;
      });
}

}  // namespace

std::size_t eig_batch_workspace(Index n, Index count) {
  constexpr Index in_shared_memory = 64;
  return n <= in_shared_memory ? 0 : static_cast<std::size_t>(n * n * count) * sizeof(Complex);
}

template <class T>
void eig_batch(MatrixBatch<const T> A, const EigBatch& result, void* workspace, const BatchOptions& options) {
  require_square(A);
  const Index n = A.rows, count = A.count;
  if (result.V.data != nullptr) require_shape("V", result.V, n, n, count);
  if (count == 0) return;
  if (options.backend == Backend::host) return find_eigenpairs_on_host(A, result, options);
  require_order(n);
  if (workspace == nullptr && eig_batch_workspace(n, count) > 0)
    throw InputError("eig_batch: it needs a workspace; allocate eig_batch_workspace() bytes");
  run(EigArguments{.A = reinterpret_cast<const double*>(A.data),
                   .parts = is_complex<T> ? 2 : 1,
                   .stride = A.stride,
                   .distance = A.distance,
                   .n = static_cast<int>(n),
                   .values = result.eigenvalues,
                   .V = strided(result.V),
                   .work = static_cast<Complex*>(workspace),
                   .status = result.status},
      count, options);
}

template void eig_batch(MatrixBatch<const double>, const EigBatch&, void*, const BatchOptions&);
template void eig_batch(MatrixBatch<const Complex>, const EigBatch&, void*, const BatchOptions&);

}  // namespace pivotlab
