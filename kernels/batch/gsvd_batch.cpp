// SPDX-License-Identifier: BSD-3-Clause
// Batches of pairs.
#include "kernels/batch/calls.hpp"

#include <algorithm>
#include <complex>
#include <pivotlab/gsvd.hpp>
#include <string>

namespace pivotlab {
namespace {

using namespace batch;
using Complex = std::complex<double>;

template <class T>
void decompose_pairs_on_host(MatrixBatch<const T> F, MatrixBatch<const T> G, const GsvdBatch<T>& result,
                             const GsvdBatchOptions& options) {
  const Index n = F.cols;
  const GsvdOptions single{.variant = {}, .max_outer_sweeps = options.max_sweeps, .threads = 1};
  for_matrices(
      F.count, options.threads,
      [&](Index k) {
        const GsvdResult<T> r = gsvd<T>(F[k], G[k], single);
        store(result.sigma, k, r.sigma), store(result.sigma_f, k, r.sigma_f), store(result.sigma_g, k, r.sigma_g);
        store(result.U, k, r.U), store(result.V, k, r.V), store(result.Z, k, r.Z);
        result.status[k] = static_cast<int>(r.status);
      },
      [&](Index k) {
        for (double* values : {result.sigma, result.sigma_f, result.sigma_g}) fill(values, k, n, nan);
        fill(result.U, k, all_nan<T>), fill(result.V, k, all_nan<T>), fill(result.Z, k, all_nan<T>);
        result.status[k] = Outcome::failed;
      });
}

}  // namespace

template <class T>
void gsvd_batch(MatrixBatch<const T> F, MatrixBatch<const T> G, const GsvdBatch<T>& result,
                const GsvdBatchOptions& options) {
  const Index n = F.cols, count = F.count;
  if (n < 1 || G.cols != n || F.rows < n || G.rows < n)
    throw InputError("batch F, G: their matrices are " + shape_of(F) + " and " + shape_of(G) +
                     "; they must have the same number of columns, one or more, and as many rows as columns or more");
  require_shape("F", F, F.rows, n, count);
  require_shape("G", G, G.rows, n, count);
  require_shape("U", result.U, F.rows, n, count);
  require_shape("V", result.V, G.rows, n, count);
  require_shape("Z", result.Z, n, n, count);
  if (options.max_sweeps < 1) throw InputError("option max_sweeps: it is not positive; allow a sweep");
  if (count == 0) return;
  if (options.backend == Backend::host) return decompose_pairs_on_host(F, G, result, options);
  require_order(n);
  const GsvdArguments<T> arguments{.F = strided(F),
                                   .G = strided(G),
                                   .m_f = static_cast<int>(F.rows),
                                   .m_g = static_cast<int>(G.rows),
                                   .n = static_cast<int>(n),
                                   .max_sweeps = options.max_sweeps,
                                   .sigma = result.sigma,
                                   .sigma_f = result.sigma_f,
                                   .sigma_g = result.sigma_g,
                                   .U = strided(result.U),
                                   .V = strided(result.V),
                                   .Z = strided(result.Z),
                                   .status = result.status};
  const Index rows = std::max(F.rows, G.rows);
  if (rows >= most_shared_bytes || shared_bytes(arguments) > most_shared_bytes)
    throw NotSupported("batch F, G: pairs of " + std::to_string(rows) +
                       " rows do not fit in the shared memory of a multiprocessor; take the backend host");
  run(arguments, count, options);
}

template void gsvd_batch(MatrixBatch<const double>, MatrixBatch<const double>, const GsvdBatch<double>&,
                         const GsvdBatchOptions&);
template void gsvd_batch(MatrixBatch<const Complex>, MatrixBatch<const Complex>, const GsvdBatch<Complex>&,
                         const GsvdBatchOptions&);

}  // namespace pivotlab
